// Which notebook names SiYuan stores as they are.

import { refusal } from "../block/content.js";
import { holdsDroppedCharacter } from "../document/dropped-characters.js";

/** Throws `content_would_be_lost` for a name that SiYuan would change silently. */
export function requireName(name: string, field: string): void {
  const isChanged = name === "" || name !== name.trim() || name.includes("/");
  if (!isChanged && !holdsDroppedCharacter(name)) return;
  throw refusal(
    "content_would_be_lost",
    field,
    "SiYuan drops slashes, control and other invisible characters and outer spaces from notebook names",
  );
}
