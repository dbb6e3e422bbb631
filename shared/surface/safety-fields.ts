// The credential fields of strict writes, as tools/list shows them: only for enabled writes.

import { type ActionDeclaration, classesOf } from "../catalogue/declaration.js";
import type { JsonObject } from "../wire/json.js";
import { type PreconditionKind, preconditionFields } from "../wire/safety.js";

export function safetyFields(actions: readonly ActionDeclaration[]): Readonly<Record<string, JsonObject>> {
  const writes = actions.filter((action) => action.class.kind !== "read");
  if (writes.length === 0) return {};
  const fields: Record<string, JsonObject> = {
    validateOnly: {
      type: "boolean",
      description: `${names(writes)}: true executes nothing, checks the write and returns what executing it needs`,
    },
    requestId: { type: "string", description: "From validateOnly" },
  };
  for (const kind of Object.keys(preconditionFields) as PreconditionKind[]) {
    const isGuarded = writes.some((action) =>
      classesOf(action).some((of) => of.kind === "mutation" && of.precondition === kind),
    );
    if (!isGuarded) continue;
    fields[preconditionFields[kind]] = {
      type: "string",
      description: "From validateOnly",
    };
  }
  return fields;
}

const names = (actions: readonly ActionDeclaration[]) => actions.map(({ name }) => name).join(", ");
