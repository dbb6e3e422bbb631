// Turns the content of an update into what is sent, so that the block's attributes travel in the same dispatch.

import { blockIds, encodeAttribute, outerAttributes, scanTags, userAttributes } from "../../api/dom.js";
import type { BlockContent } from "../../api/writer.js";
import { type Content, refusal } from "./content.js";
import { attributeLineOf, idsInAttributeLines } from "./markdown-source.js";

interface Target {
  readonly id: string;
  readonly type: string;
  readonly dom: string;
}

/** Pure. Throws a refusal when something of the block or of the request would be lost. */
export function prepareUpdate(content: Content, target: Target, field: string): BlockContent {
  if (target.type === "NodeAttributeView")
    throw refusal("content_would_be_lost", field, "the block is a database; its content is not text");
  const attributes = userAttributes(outerAttributes(target.dom));
  return content.kind === "dom"
    ? prepareDom(content, target, attributes, field)
    : prepareMarkdown(content, target, attributes, field);
}

function prepareDom(
  content: Content & { kind: "dom" },
  target: Target,
  attributes: ReadonlyMap<string, string>,
  field: string,
): BlockContent {
  const [node] = content.nodes;
  if (!node || content.nodes.length !== 1) throw refusal("several_blocks", field, `${content.nodes.length} blocks`);
  if (node.id !== target.id)
    throw refusal("invalid_arguments", field, `data-node-id is ${node.id}, the block is ${target.id}`);
  requireOwnIds(blockIds(content.text), target, field);
  const missing: string[] = [];
  for (const [name, value] of Array.from(attributes)) {
    const given = node.attributes.get(name);
    if (given === undefined) missing.push(` ${name}="${encodeAttribute(value)}"`);
    else if (given !== value)
      throw refusal("content_would_be_lost", field, `it changes the attribute ${name}; an update changes content only`);
  }
  requireChildAttributes(target, blockIds(content.text), field);
  const data = content.text.trim();
  const tagEnd = data.search(/[\s>]/);
  return { dataType: "dom", data: data.slice(0, tagEnd) + missing.join("") + data.slice(tagEnd) };
}

function prepareMarkdown(
  content: Content & { kind: "markdown" },
  target: Target,
  attributes: ReadonlyMap<string, string>,
  field: string,
): BlockContent {
  const { preview, source } = content;
  if (preview.blocks !== 1)
    throw refusal("several_blocks", field, `SiYuan would make ${preview.blocks} blocks of it and keep the first`);
  const given = idsInAttributeLines(source);
  requireOwnIds(given, target, field);
  requireChildAttributes(target, given, field);
  const own = source.attributeLines.find((line) => line.isLastLine || line.attributes.get("id") === target.id);
  for (const [name, value] of Array.from(own?.attributes ?? [])) {
    if (name === "id" || name === "updated" || name === "colgroup") continue;
    if (attributes.get(name) !== decoded(value)) {
      throw refusal("content_would_be_lost", field, `its attribute line sets ${name}; an update changes content only`);
    }
  }
  const body = content.prose ?? withoutOwnLine(content.text, own !== undefined && own.isLastLine);
  if (target.type === "NodeListItem") return listItem(body, content, attributes, field);
  if (attributes.size === 0) return { dataType: "markdown", data: body };
  if (preview.tag === "html") return htmlBlock(body, target, attributes, field);
  return { dataType: "markdown", data: `${body.trimEnd()}\n${attributeLineOf(attributes)}` };
}

/** A list item takes a list of one item; its attributes stand behind the marker, because a line below goes to the list. */
function listItem(
  body: string,
  { preview }: Content & { kind: "markdown" },
  attributes: ReadonlyMap<string, string>,
  field: string,
): BlockContent {
  const isList = preview.tag === "ul" || preview.tag === "ol";
  if (!isList)
    throw refusal(
      "content_would_be_lost",
      field,
      'the block is a list item: write it as a list of one item, for example "- text"',
    );
  if (preview.items !== 1) throw refusal("several_blocks", field, `${preview.items} list items for one`);
  if (attributes.size === 0) return { dataType: "markdown", data: body };
  const marked = body.replace(
    /^(\s*(?:[-*+]|\d{1,9}[.)])\s+)(?:\{:[^}]*\})?/,
    `$1${attributeLineOf(attributes).replace(/\$/g, "$$$$")}`,
  );
  return { dataType: "markdown", data: marked };
}

/** An attribute line would become part of the HTML, so the block goes as DOM. */
function htmlBlock(body: string, target: Target, attributes: ReadonlyMap<string, string>, field: string): BlockContent {
  // SiYuan decodes the source twice on this way.
  if (/&(?:#?[A-Za-z0-9]+);/.test(body)) {
    throw refusal(
      "content_would_be_lost",
      field,
      "HTML with character entities in a block that has attributes; write the characters themselves",
    );
  }
  const marks = Array.from(attributes, ([name, value]) => ` ${name}="${encodeAttribute(value)}"`).join("");
  const html = encodeAttribute(body.trim());
  const data = `<div data-node-id="${target.id}" data-type="NodeHTMLBlock" class="render-node" data-subtype="block"${marks}><div class="protyle-icons"></div><div><protyle-html data-content="${html}"></protyle-html><span style="position: absolute"></span></div><div class="protyle-attr" contenteditable="false"></div></div>`;
  return { dataType: "dom", data };
}

function withoutOwnLine(text: string, hasOwnLine: boolean): string {
  const trimmed = text.replace(/\r\n?/g, "\n").trimEnd();
  return hasOwnLine ? trimmed.slice(0, Math.max(0, trimmed.lastIndexOf("\n"))) : trimmed;
}

/** An id of another block in the content would tear that block out of its document. */
function requireOwnIds(ids: readonly string[], target: Target, field: string): void {
  const own = blockIds(target.dom);
  const foreign = ids.find((id) => !own.includes(id));
  if (foreign !== undefined)
    throw refusal("content_would_be_lost", field, `it carries the id ${foreign}, which is not part of this block`);
  const twice = ids.find((id, index) => ids.indexOf(id) !== index);
  if (twice !== undefined) throw refusal("content_would_be_lost", field, `it carries the id ${twice} twice`);
}

/** Children whose id the content does not carry are made anew and lose what the user attached to them. */
function requireChildAttributes(target: Target, given: readonly string[], field: string): void {
  if (blockIds(target.dom).length === 1) return;
  scanTags(target.dom, (tag) => {
    const id = tag.attributes.get("data-node-id");
    if (tag.closes || id === undefined || id === target.id || given.includes(id)) return;
    const [name] = Array.from(userAttributes(tag.attributes).keys());
    if (name === undefined) return;
    throw refusal(
      "content_would_be_lost",
      field,
      `the child block ${id} has the attribute ${name}; keep its id in the content (as block get_kramdown shows it) or update the child itself`,
    );
  });
}

function decoded(value: string): string {
  return value
    .replace(/&quot;/g, '"')
    .replace(/&lt;/g, "<")
    .replace(/&gt;/g, ">")
    .replace(/&#123;/g, "{")
    .replace(/&#125;/g, "}")
    .replace(/&amp;/g, "&")
    .replace(/_esc_newline_/g, "\n");
}
