// Path templates: which may be rendered before a write.

import { expect, it } from "vitest";
import { foreignWord } from "./path-template.js";

const harmless = [
  '/daily note/{{now | date "2006/01"}}/{{now | date "2006-01-02"}}',
  "/fixed",
  '/{{ (now.AddDate 0 0 1) | date "querySQL" }}',
  "/{{$today := now}}{{ $today.Year }}/{{ WeekdayCN now }}",
  "/{{ if eq (ISOWeek now) 1 }}a{{ else }}b{{ end }}",
  "/not {{ closed",
];
it.each(harmless)("%s only computes", (template) => {
  expect(foreignWord(template)).toBe(template.includes("closed") ? "closed" : undefined);
});

it.each([
  ['/{{ querySQL "DELETE" }}', "querySQL"],
  ['/{{ (queryBlocks "x").Len }}', "queryBlocks"],
  ["/{{ uuidv4 }}", "uuidv4"],
  ['/{{now | date "2006"}}/{{ getBlock "x" }}', "getBlock"],
])("%s does more", (template, word) => {
  expect(foreignWord(template)).toBe(word);
});
