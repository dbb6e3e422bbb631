// tools/list: only what is enabled is shown, it stays small, and every accepted field of an action can be found.

import { describe, expect, it } from "vitest";
import { catalogue } from "../catalogue/catalogue.js";
import { sizeLimits } from "../limits.js";
import { isJsonObject, type JsonObject } from "../wire/json.js";
import { enabledByDefault, type IsEnabled } from "./enabled-actions.js";
import { schemas } from "./generated/schemas.js";
import { shapesOf } from "./json-schema.js";
import { toolsList } from "./tools-list.js";

const everything: IsEnabled = () => true;
const only =
  (...actions: string[]): IsEnabled =>
  (tool, action) =>
    actions.includes(`${tool}.${action}`);

interface Entry {
  name: string;
  description: string;
  annotations: JsonObject;
  inputSchema: { properties: Record<string, JsonObject>; required: string[]; additionalProperties: boolean };
}
const list = (isEnabled: IsEnabled, strict = true) => toolsList(schemas, isEnabled, strict) as unknown as Entry[];
const tool = (name: string, isEnabled: IsEnabled, strict = true) => {
  const found = list(isEnabled, strict).find((entry) => entry.name === name);
  if (!found) throw new Error(`${name} is not listed`);
  return found;
};
const fields = (entry: Entry) => Object.keys(entry.inputSchema.properties);

describe("every tool", () => {
  it.each(list(everything).map((entry) => [entry.name, entry] as const))("%s is complete and small", (name, entry) => {
    expect(JSON.stringify(entry).length).toBeLessThanOrEqual(sizeLimits.maxToolDescriptorChars);
    expect(entry.inputSchema).toMatchObject({ required: ["action"], additionalProperties: true });
    expect(entry).toMatchObject({ outputSchema: { type: "object", additionalProperties: true } });
    const declared = catalogue.find((candidate) => candidate.name === name);
    for (const action of declared?.actions ?? []) {
      expect(entry.description).toContain(
        action.confirm ? action.signature.replace(action.name, `${action.name}*`) : action.signature,
      );
      for (const { properties } of shapesOf(schemas[`${name}.${action.name}`] ?? {})) {
        expect(fields(entry)).toEqual(expect.arrayContaining(Object.keys(properties)));
      }
    }
  });

  it("has a baked schema for each action, without what says nothing", () => {
    const keys = catalogue.flatMap((entry) => entry.actions.map((action) => `${entry.name}.${action.name}`));
    expect(Object.keys(schemas)).toEqual(keys);
    expect(JSON.stringify(schemas)).not.toMatch(/\$schema|9007199254740991/);
    for (const key of keys)
      for (const { properties } of shapesOf(schemas[key] ?? {})) expect(isJsonObject(properties)).toBe(true);
  });
});

it("shows by default what the catalogue enables", () => {
  const names = catalogue.filter((entry) => entry.actions.some((action) => action.enabled)).map(({ name }) => name);
  expect(list(enabledByDefault).map((entry) => entry.name)).toEqual(names);
});

describe("switched off", () => {
  it("leaves out a tool without an enabled action", () => {
    expect(list(only("fs.ls")).map(({ name }) => name)).toEqual(["fs"]);
  });

  it("leaves no trace of a disabled action", () => {
    const entry = tool("block", only("block.get_children"));
    expect(entry.inputSchema.properties.action?.enum).toEqual(["get_children", "help"]);
    expect(fields(entry)).toEqual(["action", "topic", "id", "page", "pageSize"]);
    expect(JSON.stringify(entry)).not.toMatch(/update|append|validateOnly/);
  });
});

describe("safety fields", () => {
  it("name the writes once, and show the hashes that these writes want", () => {
    const { properties } = tool("block", everything).inputSchema;
    expect(properties.validateOnly?.description).toMatch(/^insert, prepend, append, .*update, .*delete/);
    expect(properties.requestId?.description).toMatch(/validateOnly/);
    expect(properties.expectedStateHash?.description).toMatch(/validateOnly/);
    expect(tool("notebook", everything).inputSchema.properties.expectedManifestHash).toBeUndefined();
  });

  it("are absent for reads, for additive actions the hash, and in lax mode all", () => {
    expect(fields(tool("fs", only("fs.ls", "fs.search")))).not.toContain("validateOnly");
    expect(fields(tool("block", only("block.append")))).toContain("requestId");
    expect(fields(tool("block", only("block.append")))).not.toContain("expectedStateHash");
    // With overwrite it changes what is there.
    expect(fields(tool("fs", only("fs.write")))).toContain("expectedStateHash");
    expect(fields(tool("block", everything, false))).not.toContain("requestId");
  });
});

it("annotates a tool that only reads as read-only", () => {
  expect(tool("fs", only("fs.ls", "fs.read")).annotations).toMatchObject({
    readOnlyHint: true,
    destructiveHint: false,
  });
  expect(tool("block", everything).annotations).toMatchObject({ readOnlyHint: false, destructiveHint: true });
  expect(tool("block", only("block.get_children")).annotations).toMatchObject({ readOnlyHint: true });
});

it("tells apart fields that mean different things in different actions", () => {
  const { data } = tool("block", everything).inputSchema.properties;
  expect(data?.description).toMatch(/update: Content of exactly one block/);
  expect(data?.type).toBe("string");
});
