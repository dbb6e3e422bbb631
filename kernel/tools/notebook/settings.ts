// A notebook's settings as callers and digests see them.

import type { JsonObject } from "../../../shared/wire/json.js";

/** Without the parameters of encryption, which are nobody's business, and the sort value, which every new notebook shifts. */
export function settingsOf(conf: JsonObject): JsonObject {
  const { boxCrypt: _boxCrypt, sort: _sort, ...settings } = conf;
  return settings;
}
