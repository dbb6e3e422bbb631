// Content on its way in: every reason not to send it, and what is known of it otherwise.

import { describe, expect, it } from "vitest";
import { SisyphusError } from "../../../shared/errors.js";
import { isJsonObject } from "../../../shared/wire/json.js";
import { SiyuanReader } from "../../api/reader.js";
import { envelope, SimulatedHost } from "../../host/testing/simulated-host.js";
import { readContent } from "./content.js";

const known = "20260101000000-aaaaaaa";
const unknown = "20260101000001-bbbbbbb";

function setup() {
  const host = new SimulatedHost();
  host.siyuan.on("/api/block/getBlockTreeInfos", (body) => {
    const ids = isJsonObject(body) ? (body.ids as string[]) : [];
    const found = ids.filter((id) => id === known).map((id) => [id, { type: "NodeParagraph", parentID: "" }]);
    return envelope(Object.fromEntries(found));
  });
  host.siyuan.on("/api/lute/md2html", (body) =>
    envelope({ html: `<p>${isJsonObject(body) ? String(body.markdown) : ""}</p>` }),
  );
  return { host, reader: new SiyuanReader(host.siyuan, host.clock) };
}

async function endOf(data: string, dataType: "markdown" | "dom"): Promise<string> {
  const { host, reader } = setup();
  try {
    return (await readContent({ dataType, data }, "items.2.data", reader)).kind;
  } catch (thrown) {
    if (!(thrown instanceof SisyphusError)) throw thrown;
    expect(thrown.details.fields?.[0]?.path).toBe("items.2.data");
    return thrown.code;
  } finally {
    expect(host.requests.every((path) => /getBlockTreeInfos|md2html/.test(path))).toBe(true);
  }
}

describe("Markdown", () => {
  const cases: [string, string, string][] = [
    ["plain words", "some words", "markdown"],
    ["nothing", "", "markdown"],
    ["an emoji", "a \u{1f600}", "markdown"],
    ["half an emoji", "a \ud83d b", "content_would_be_lost"],
    ["the other half", "\ude00", "content_would_be_lost"],
    ["a known reference", `((${known} "x"))`, "markdown"],
    ["an unknown reference", `((${unknown} "x"))`, "missing_reference"],
    [
      "an unknown reference behind a fence in a list",
      `- \`\`\`\n  a\n  \`\`\`\n\n((${unknown} "x"))`,
      "missing_reference",
    ],
    ["a reference in inline code, which SiYuan empties", `\`((${known} "x"))\``, "content_would_be_lost"],
    ["an unknown reference in a code fence", `\`\`\`\n((${unknown} "x"))\n\`\`\``, "markdown"],
    ["a NUL character", "a\u0000b", "content_would_be_lost"],
    ["100 quotes", `${"> ".repeat(100)}a`, "markdown"],
    ["101 quotes", `${"> ".repeat(101)}a`, "nesting_too_deep"],
    ["a row too long", "| a |\n| - |\n| 1 | 2 |", "content_would_be_lost"],
  ];
  it.each(cases)("%s", async (_name, data, end) => {
    expect(await endOf(data, "markdown")).toBe(end);
  });
});

describe("DOM", () => {
  const block = (inner: string, id = known) => `<div data-node-id="${id}" data-type="NodeParagraph">${inner}</div>`;
  const link = (id: string) => `<span data-type="block-ref" data-id="${id}">x</span>`;
  const cases: [string, string, string][] = [
    ["a block", block("a"), "dom"],
    ["two blocks", block("a") + block("b", unknown), "dom"],
    ["words", "a", "invalid_arguments"],
    ["nothing", "", "invalid_arguments"],
    ["an element without an id", "<div>a</div>", "invalid_arguments"],
    ["an id of another form", block("a", "x"), "invalid_arguments"],
    ["a tag left open", `<div data-node-id="${known}">`, "invalid_arguments"],
    ["a block and a tag left open", `${block("a")}<div>`, "invalid_arguments"],
    ["half an emoji", block("\ud83d"), "content_would_be_lost"],
    ["a known reference", block(link(known)), "dom"],
    ["an unknown reference", block(link(unknown), "20260101000002-ccccccc"), "missing_reference"],
    ["a reference to a block of the content itself", block(link(unknown), unknown), "dom"],
    ["an emptied reference", block(link("")), "dom"],
    ["deep nesting", block("<div>".repeat(210) + "</div>".repeat(210)), "nesting_too_deep"],
  ];
  it.each(cases)("%s", async (_name, data, end) => {
    expect(await endOf(data, "dom")).toBe(end);
  });
});
