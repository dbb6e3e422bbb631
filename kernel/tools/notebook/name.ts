// Which notebook names SiYuan stores as they are.

import { refusal } from "../block/content.js";

/**
 * What renameNotebook and createNotebook drop or replace, measured: slashes, and whatever does not print, every space
 * but the plain one included; the joiner U+200D stays.
 */
const dropped =
  /[/\u0000-\u001f\u007f-\u00a0\u00ad\u0600-\u0605\u061c\u06dd\u070f\u1680\u180e\u2000-\u200c\u200e\u200f\u2028-\u202f\u205f-\u206f\u3000\ue000-\uf8ff\ufeff\ufff9-\ufffb]/;

/** Throws `content_would_be_lost` for a name that SiYuan would change silently. */
export function requireName(name: string, field: string): void {
  if (!dropped.test(name) && name === name.trim() && name !== "") return;
  throw refusal(
    "content_would_be_lost",
    field,
    "SiYuan drops slashes, control and other invisible characters and outer spaces from notebook names",
  );
}
