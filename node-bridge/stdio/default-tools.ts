// What tools/list answers while SiYuan cannot be asked: everything that is enabled by default.

import { enabledByDefault } from "../../shared/surface/enabled-actions.js";
import { schemas } from "../../shared/surface/generated/schemas.js";
import { toolsList } from "../../shared/surface/tools-list.js";
import type { Json } from "../../shared/wire/json.js";

export function defaultTools(): readonly Json[] {
  return toolsList(schemas, enabledByDefault, true);
}
