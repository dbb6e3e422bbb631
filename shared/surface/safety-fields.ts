// The credential fields of strict writes, as tools/list shows them: only for enabled mutations, which they name.

import type { ActionDeclaration } from "../catalogue/declaration.js";
import type { JsonObject } from "../wire/json.js";
import { type PreconditionKind, preconditionFields } from "../wire/safety.js";

export function safetyFields(actions: readonly ActionDeclaration[]): Readonly<Record<string, JsonObject>> {
  const writes = actions.filter((action) => action.class.kind !== "read");
  if (writes.length === 0) return {};
  const fields: Record<string, JsonObject> = {
    validateOnly: {
      type: "boolean",
      description: `${names(writes)}: true checks the write, executes nothing and returns the credentials`,
    },
    requestId: { type: "string", description: `${names(writes)}: as returned by validateOnly; required to execute` },
  };
  for (const kind of Object.keys(preconditionFields) as PreconditionKind[]) {
    const guarded = writes.filter(({ class: of }) => of.kind === "mutation" && of.precondition === kind);
    if (guarded.length === 0) continue;
    fields[preconditionFields[kind]] = {
      type: "string",
      description: `${names(guarded)}: the hash returned by validateOnly; required to execute`,
    };
  }
  return fields;
}

const names = (actions: readonly ActionDeclaration[]) => actions.map(({ name }) => name).join(", ");
