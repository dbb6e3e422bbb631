// From a command line to business arguments, and what is refused on the way.

import { describe, expect, it } from "vitest";
import type { ActionDeclaration } from "../../shared/catalogue/declaration.js";
import type { JsonObject } from "../../shared/wire/json.js";
import { actionSpec, commandLine, readArguments } from "./action-flags.js";
import { fieldFlags } from "./fields.js";
import { parseFlags } from "./parser.js";
import { ValueSources } from "./values.js";

const action = {
  tool: "block",
  name: "example",
  class: { kind: "mutation", precondition: "state" },
  permission: "rw",
  confirm: false,
  enabled: true,
  summary: "An example",
  signature: "example()",
  input: () => undefined as never,
  examples: [],
  positionals: ["parentID"],
} satisfies ActionDeclaration;

const schema: JsonObject = {
  anyOf: [
    {
      type: "object",
      properties: {
        parentID: { type: "string", description: "Parent" },
        data: { type: "string" },
        count: { type: "integer" },
        ratio: { type: "number" },
        deep: { type: "boolean" },
        tags: { type: "array", items: { type: "string" } },
        cover: { anyOf: [{ type: "string" }, { type: "null" }] },
        kind: { type: "string", enum: ["markdown", "dom"] },
      },
      required: ["parentID"],
    },
    { type: "object", properties: { items: { type: "array", items: { type: "object" } } }, required: ["items"] },
  ],
};

const read = (...words: string[]) =>
  readArguments(action, schema, parseFlags(actionSpec(action, schema), words), new ValueSources());

describe("arguments", () => {
  it("every shape of the input gives its fields", () => {
    expect(fieldFlags(schema).map(({ flag, kind, required }) => [flag, kind, required])).toEqual([
      ["parent-id", "string", false],
      ["data", "string", false],
      ["count", "integer", false],
      ["ratio", "number", false],
      ["deep", "boolean", false],
      ["tags", "array", false],
      ["cover", "string", false],
      ["kind", "string", false],
      ["items", "complex", false],
    ]);
  });

  it.each<[string[], JsonObject]>([
    [["--parent-id", "a"], { parentID: "a" }],
    [["--parentID", "a"], { parentID: "a" }],
    [["--parent_id=a"], { parentID: "a" }],
    [["a"], { parentID: "a" }],
    [["--data", "- 买菜"], { data: "- 买菜" }],
    [["--data", "--json"], { data: "--json" }],
    [["--data", ""], { data: "" }],
    [["--data="], { data: "" }],
    [["--data", "123"], { data: "123" }],
    [["--data", "a=b"], { data: "a=b" }],
    [["--data=x=y\nz"], { data: "x=y\nz" }],
    [["--data", "@@someone"], { data: "@someone" }],
    [["--count", "-3"], { count: -3 }],
    [["--ratio", "0.5"], { ratio: 0.5 }],
    [["--deep"], { deep: true }],
    [["--no-deep"], { deep: false }],
    [["--deep=false"], { deep: false }],
    [["--tags", "a,b", "--tags", "- c"], { tags: ["a,b", "- c"] }],
    [["--tags-json", '["x"]'], { tags: ["x"] }],
    [["--items-json", '[{"id":"1"}]'], { items: [{ id: "1" }] }],
    [["--itemsJson", "[]"], { items: [] }],
  ])("%j", (words, expected) => expect(read(...words)).toEqual(expected));

  it.each<[string[], RegExp]>([
    [["--dat", "x"], /unknown flag --dat; did you mean --data\?/],
    [["--items", "[]"], /unknown flag --items; did you mean/],
    [["-x"], /unknown flag -x/],
    [["a", "b"], /unexpected argument "b"/],
    [["a", "--parent-id", "b"], /given twice/],
    [["--data", "a", "--data", "b"], /more than once/],
    [["--deep=maybe"], /is a switch/],
    [["--no-data"], /takes a value/],
    [["--data"], /needs a value/],
    [["--count", "1.5"], /whole number/],
    [["--ratio", "x"], /a number is expected/],
    [["--tags", '["a"]'], /one element each time/],
    [["--items-json", "{"], /not JSON/],
    [["--data", "@someone"], /names a source/],
    [["--data", "@file:/nowhere/at/all"], /cannot be read/],
    [["--data", "@env:NO_SUCH_VARIABLE_HERE"], /is not set/],
  ])("%j is refused", (words, message) => expect(() => read(...words)).toThrow(message));

  it("a value can come from the environment", () => {
    process.env.SISYPHUS_TEST_VALUE = "from outside\n";
    expect(read("--data", "@env:SISYPHUS_TEST_VALUE")).toEqual({ data: "from outside\n" });
  });

  it("arguments are shown as they are typed", () => {
    const args = { parentID: "a", data: "it's", deep: false, tags: ["x", "y z"], items: [{ id: "1" }] };
    expect(commandLine(action, fieldFlags(schema), args)).toBe(
      `block example a --data 'it'\\''s' --no-deep --tags x --tags 'y z' --items-json '[{"id":"1"}]'`,
    );
  });
});
