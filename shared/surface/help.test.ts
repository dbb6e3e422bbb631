// help: an overview of what is enabled, the whole truth about one action, and a clear refusal of any other topic.

import { describe, expect, it } from "vitest";
import { blockTool } from "../catalogue/block.js";
import { catalogue } from "../catalogue/catalogue.js";
import type { ActionDeclaration, ToolName } from "../catalogue/declaration.js";
import { businessArguments, parseInput } from "../catalogue/parse.js";
import { SisyphusError } from "../errors.js";
import type { JsonObject } from "../wire/json.js";
import { schemas } from "./generated/schemas.js";
import { helpFor } from "./help.js";

const everything = () => true;
const actions: readonly ActionDeclaration[] = catalogue.flatMap((tool): readonly ActionDeclaration[] => tool.actions);

function refusal(tool: ToolName, topic: string, isEnabled = everything): SisyphusError {
  try {
    helpFor(tool, topic, schemas, isEnabled);
  } catch (error) {
    if (error instanceof SisyphusError) return error;
    throw error;
  }
  throw new Error("help did not refuse");
}

describe("overview", () => {
  it.each([undefined, "", "overview"])("is the answer to topic %j", (topic) => {
    const answer = helpFor("block", topic, schemas, everything);
    expect(Object.keys(answer.actions as JsonObject)).toEqual(blockTool.actions.map((action) => action.name));
    expect(answer.requiresConfirmation).toEqual(["delete", "move"]);
  });

  it("does not mention what is switched off", () => {
    const answer = helpFor("block", undefined, schemas, (_tool, action) => action === "update");
    expect(Object.keys(answer.actions as JsonObject)).toEqual(["update"]);
    expect(Object.keys(answer.actionSummaries as JsonObject)).toEqual(["update"]);
  });
});

describe("one action", () => {
  it.each(actions.map((action) => [`${action.tool}.${action.name}`, action] as const))(
    "%s: schema, shapes, valid examples",
    (key, action) => {
      const answer = helpFor(action.tool, action.name, schemas, everything);
      expect(answer).toMatchObject({ tool: action.tool, action: action.name, schema: schemas[key] });
      expect((answer.shapes as string[]).length).toBeGreaterThan(0);
      const examples = answer.examples as JsonObject[];
      expect(examples.length).toBeGreaterThan(0);
      for (const example of examples) {
        expect(example.action).toBe(action.name);
        expect(() => parseInput(action, businessArguments(example))).not.toThrow();
      }
      expect("writeSafety" in answer).toBe(action.class.kind !== "read");
    },
  );

  it("lists the forms of a union and only the fields that all of them need", () => {
    const answer = helpFor("block", "update", schemas, everything);
    expect(answer.shapes).toEqual(["{id, dataType, data}", "{items[]}"]);
    expect(answer.requiredFields).toEqual([]);
    expect(answer.writeSafety).toMatchObject({ preconditionField: "expectedStateHash" });
  });

  it("resolves other spellings", () => {
    expect(helpFor("block", "get-children", schemas, everything).action).toBe("get_children");
    expect(helpFor("fs", "list", schemas, everything).action).toBe("ls");
  });
});

describe("other topics", () => {
  it("are refused with the topics there are", () => {
    const error = refusal("fs", "no-such-topic");
    expect(error.code).toBe("unknown_help_topic");
    expect(error.details.validTopics).toEqual([
      "overview",
      "ls",
      "tree",
      "read",
      "write",
      "replace",
      "rm",
      "search",
      "mv",
      "reorder",
    ]);
  });

  it("include a disabled action", () => {
    expect(refusal("fs", "read", () => false).details.validTopics).toEqual(["overview"]);
  });
});
