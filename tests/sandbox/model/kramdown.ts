// Light tree to kramdown: containers are laid out here, leaves come from Lute.
import type { LuteEngine } from "../lute/lute-engine.ts";
import { attributeLine } from "./attribute-text.ts";
import { renderBlock } from "./block-dom.ts";
import { type BlockNode, childrenOf } from "./block-node.ts";

export type KramdownMode = "md" | "textmark";

interface Layout {
  lute: LuteEngine;
  mode: KramdownMode;
  attributeLines: boolean;
}

function compactTable(markdown: string): string {
  return markdown
    .split("\n")
    .map((line, row) => {
      const cells = line
        .replace(/^\|/, "")
        .replace(/\|$/, "")
        .split(/(?<!\\)\|/)
        .map((cell) => cell.trim());
      return row === 1
        ? `| ${cells.join("| ")} |`.replace(/(-) \|$/, "$1|").replace(/(:?-+:?)\| /g, "$1| ")
        : `|${cells.join("|")}|`;
    })
    .join("\n");
}

/** SiYuan prints a zero-width space behind inline code, and single quotes for an emptied reference. */
function asSiYuanPrints(markdown: string, dom: string): string {
  const references = dom.includes('data-id=""') ? markdown.replace(/\(\( "([^"]*)"\)\)/g, "(( '$1'))") : markdown;
  return dom.includes('data-type="code"') ? references.replace(/(`+)[^`\n]+\1/g, "$&\u200b") : references;
}

function asTextmarkPrints(text: string): string {
  return text
    .replaceAll('data-subtype="s" data-id=""', 'data-subtype="" data-id=""')
    .replace(/<span data-type="(?:code|tag|kbd)">[^<]*<\/span>(?!\u200b)/g, "$&\u200b");
}

function leafText(node: BlockNode, layout: Layout): string {
  const dom = renderBlock(node, 0);
  if (layout.mode === "textmark") {
    const lines = layout.lute.domToTextmark(dom).trimEnd().split("\n");
    if (lines[lines.length - 1]?.startsWith("{: ")) lines.pop();
    return asTextmarkPrints(lines.join("\n"));
  }
  const markdown = layout.lute.domToMarkdown(dom).replace(/\n+$/, "");
  if (node.type === "NodeTable") return compactTable(markdown);
  if (node.type === "NodeParagraph" || node.type === "NodeHeading") return asSiYuanPrints(markdown, dom);
  return markdown;
}

function withLine(text: string, node: BlockNode, layout: Layout): string {
  if (!layout.attributeLines) return text;
  const all = new Map([["id", node.id], ...node.attributes]);
  return text === "" ? attributeLine(all) : `${text}\n${attributeLine(all)}`;
}

function quoted(body: string): string {
  return body
    .split("\n")
    .map((line) => (line === "" || line.startsWith(">") ? `>${line}` : `> ${line}`))
    .join("\n");
}

function itemText(item: BlockNode, layout: Layout): string {
  const ordered = item.shape.get("data-subtype") === "o";
  const marker = ordered ? (item.shape.get("data-marker") ?? "1.") : "-";
  const indent = " ".repeat(marker.length + 1);
  const task = item.shape.get("data-subtype") === "t" ? `[${item.shape.get("data-task") ?? " "}] ` : "";
  const line = layout.attributeLines ? attributeLine(new Map([["id", item.id], ...item.attributes])) : "";
  const body = blocksText(childrenOf(item), layout)
    .split("\n")
    .map((text, index) => (index === 0 || text === "" ? text : indent + text))
    .join("\n");
  return `${marker} ${line}${task}${body}`;
}

function calloutHead(node: BlockNode, layout: Layout): string {
  return layout.lute.domToMarkdown(renderBlock(node, 0)).split("\n")[0] ?? "> [!NOTE]";
}

function blockText(node: BlockNode, layout: Layout): string {
  const children = childrenOf(node);
  switch (node.type) {
    case "NodeList":
      return withLine(
        children
          .map((item) => (item.type === "NodeListItem" ? itemText(item, layout) : blockText(item, layout)))
          .join("\n"),
        node,
        layout,
      );
    case "NodeListItem":
      return itemText(node, layout);
    case "NodeBlockquote": {
      // A nested quote closes with an empty quoted line; with attribute lines every quote does.
      const closing = layout.attributeLines || node.parent?.type === "NodeBlockquote" ? "\n" : "";
      return withLine(quoted(blocksText(children, layout) + closing), node, layout);
    }
    case "NodeCallout": {
      const body = quoted(blocksText(children, layout) + (layout.attributeLines ? "\n" : ""));
      return withLine(`${calloutHead(node, layout)}\n${body}`, node, layout);
    }
    case "NodeSuperBlock":
      return withLine(
        `{{{${node.shape.get("data-sb-layout") ?? "row"}\n${blocksText(children, layout)}\n\n}}}`,
        node,
        layout,
      );
    default:
      return withLine(leafText(node, layout), node, layout);
  }
}

function blocksText(nodes: readonly BlockNode[], layout: Layout): string {
  return nodes.map((node) => blockText(node, layout)).join("\n\n");
}

/** A block, or a whole document with its root line at the end, as kramdown. */
export function toKramdown(node: BlockNode, lute: LuteEngine, mode: KramdownMode): string {
  const layout: Layout = { lute, mode, attributeLines: true };
  if (node.type !== "NodeDocument") return blockText(node, layout);
  const body = blocksText(childrenOf(node), layout);
  return `${body}\n\n${attributeLine(new Map([["id", node.id], ...node.attributes]))}`;
}

/** Markdown of a block without attribute lines and without zero-width spaces, as getChildBlocks and SQL show it. */
export function toMarkdown(node: BlockNode, lute: LuteEngine): string {
  return toExportMarkdown(node, lute).replaceAll("\u200b", "");
}

/** Markdown without attribute lines, as the export shows it. */
export function toExportMarkdown(node: BlockNode, lute: LuteEngine): string {
  const layout: Layout = { lute, mode: "md", attributeLines: false };
  return node.type === "NodeDocument" ? blocksText(childrenOf(node), layout) : blockText(node, layout);
}
