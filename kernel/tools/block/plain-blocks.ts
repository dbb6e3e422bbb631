// Which blocks Markdown carries whole. The others are SiYuan's own: text edits leave them out, an overwrite refuses them.

/** Whatever else there is, Markdown does not carry it: super blocks, databases, embeds, HTML, widgets, media. */
const plainTypes: ReadonlySet<string> = new Set([
  "NodeParagraph",
  "NodeHeading",
  "NodeList",
  "NodeListItem",
  "NodeBlockquote",
  "NodeCallout",
  "NodeCodeBlock",
  "NodeMathBlock",
  "NodeTable",
  "NodeThematicBreak",
]);

export function isPlainBlock({ type }: { readonly type: string }): boolean {
  return plainTypes.has(type);
}
