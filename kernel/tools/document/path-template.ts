// Path templates of a notebook, as far as they can be rendered before a write: dates and text, nothing that asks or
// changes SiYuan's index.

import { SisyphusError } from "../../../shared/errors.js";
import type { SiyuanReader } from "../../api/reader.js";

/** Words of templates that only compute. SiYuan's own query functions can write to its index. */
const pureWords: ReadonlySet<string> = new Set(
  (
    "now date dateInZone date_in_zone dateModify date_modify toDate parseTime unixEpoch Weekday WeekdayCN WeekdayCN2 " +
    "ISOWeek ISOYear ISOMonth ISOWeekDate trim upper lower title substr trunc replace nospace printf print cat list " +
    "index join default ternary empty eq ne lt le gt ge and or not if else end with range len int int64 float64 " +
    "toString add add1 sub mul div mod max min floor ceil round true false nil AddDate Year Month Day Hour Minute " +
    "Second Format Local UTC"
  ).split(" "),
);

/** Undefined when a template holds only such words; otherwise the first other one. */
export function foreignWord(template: string): string | undefined {
  for (const part of template.split("{{").slice(1)) {
    const action = part.slice(0, part.indexOf("}}") < 0 ? part.length : part.indexOf("}}"));
    const code = action.replace(/"(?:[^"\\]|\\.)*"|`[^`]*`/g, " ");
    const words = code.match(/[A-Za-z_]\w*/g) ?? [];
    const other = words.find((word) => !pureWords.has(word) && !code.includes(`$${word}`));
    if (other !== undefined) return other;
  }
  return undefined;
}

/** What a template renders to now. Throws `invalid_arguments` where it does not render or would do more than compute. */
export async function renderPathTemplate(reader: SiyuanReader, template: string, field: string): Promise<string> {
  const word = foreignWord(template);
  const reason =
    word === undefined ? undefined : `it uses ${word}, which cannot be looked at beforehand; make it of dates and text`;
  const rendered = reason === undefined ? await reader.renderTemplate(template) : { problem: reason };
  if ("problem" in rendered) {
    const message = `the notebook's path template does not render: ${rendered.problem}`;
    throw new SisyphusError("invalid_arguments", message, { fields: [{ path: field, message }] });
  }
  return rendered.text;
}
