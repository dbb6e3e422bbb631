// A short readable difference of two texts, for preflight replies and mismatches. It goes to the caller only.

import { diffLines } from "diff";
import { safetyLimits } from "../../../shared/limits.js";
import { decodeEntities, isBadgeArea, scanDom } from "../../api/dom.js";

/** Lines led by "-" or "+", unchanged ones left out; cut at the limits. */
export function textDiff(before: string, after: string): string {
  const [from, to] = aroundDifference(before, after);
  const lines: string[] = [];
  for (const part of diffLines(endLine(from), endLine(to))) {
    if (!part.added && !part.removed) continue;
    for (const line of part.value.replace(/\n$/, "").split("\n")) lines.push(`${part.added ? "+" : "-"} ${line}`);
  }
  const shown = lines
    .slice(0, safetyLimits.maxDiffLines)
    .join("\n")
    .slice(0, safetyLimits.maxDiffChars)
    .replace(/[\ud800-\udbff]$/, "");
  const cut = lines.length > safetyLimits.maxDiffLines || lines.join("\n").length > safetyLimits.maxDiffChars;
  return cut ? `${shown}\n…` : shown;
}

/** Of long texts only what lies around their first difference: comparing all lines would cost more than the write. */
function aroundDifference(before: string, after: string): [string, string] {
  if (before.length + after.length <= safetyLimits.maxDiffInputChars) return [before, after];
  let same = 0;
  for (let step = Math.min(before.length, after.length); step > 0; step = Math.floor(step / 2)) {
    while (
      same + step <= Math.min(before.length, after.length) &&
      before.slice(same, same + step) === after.slice(same, same + step)
    )
      same += step;
  }
  const lineStart = Math.max(before.lastIndexOf("\n", same - 1) + 1, same - safetyLimits.diffLeadChars);
  const end = same + safetyLimits.maxDiffChars;
  return [before.slice(lineStart, end), after.slice(lineStart, end)];
}

function endLine(text: string): string {
  return text === "" || text.endsWith("\n") ? text : `${text}\n`;
}

const blockTags: ReadonlySet<string> = new Set([
  "div",
  "p",
  "li",
  "ul",
  "ol",
  "tr",
  "br",
  "blockquote",
  "pre",
  "table",
  "h1",
  "h2",
  "h3",
  "h4",
  "h5",
  "h6",
]);

/** The visible text of a DOM or HTML, a line per block. */
export function visibleText(html: string): string {
  const parts: string[] = [];
  let tail = 0;
  let badgeDepth = -1;
  scanDom(html, (tag, textBefore, depth, _start, end) => {
    tail = end;
    if (badgeDepth >= 0) {
      if (tag.closes && depth === badgeDepth) badgeDepth = -1;
      return;
    }
    parts.push(textBefore);
    if (!tag.closes && isBadgeArea(tag)) badgeDepth = depth;
    if (blockTags.has(tag.name)) parts.push("\n");
    else if (tag.name === "td" || tag.name === "th") parts.push(" ");
    const content = tag.attributes.get("data-content");
    if (content !== undefined && !tag.closes) parts.push(content);
  });
  parts.push(html.slice(tail));
  return decodeEntities(parts.join(""))
    .replace(/\u200b/g, "")
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .join("\n");
}
