// How attribute values are written in block DOM and in kramdown attribute lines.

const entities: Record<string, string> = {
  "&": "&amp;",
  '"': "&quot;",
  "<": "&lt;",
  ">": "&gt;",
  "{": "&#123;",
  "}": "&#125;",
};
const decoded: Record<string, string> = {
  amp: "&",
  quot: '"',
  lt: "<",
  gt: ">",
  "#123": "{",
  "#125": "}",
  "#39": "'",
  apos: "'",
};

export function escapeAttribute(value: string): string {
  return value.replace(/[&"<>{}]/g, (character) => entities[character] ?? character);
}

export function unescapeAttribute(value: string): string {
  return value.replace(/&(amp|quot|lt|gt|apos|#123|#125|#39);/g, (whole, name: string) => decoded[name] ?? whole);
}

/** One `name="value"` of a kramdown attribute line: line feeds become a marker word. */
export function kramdownValue(value: string): string {
  return escapeAttribute(value).replaceAll("\n", "_esc_newline_");
}

export function shuffled<T>(items: readonly T[]): T[] {
  const copy = [...items];
  for (let index = copy.length - 1; index > 0; index--) {
    const other = Math.floor(Math.random() * (index + 1));
    [copy[index], copy[other]] = [copy[other] as T, copy[index] as T];
  }
  return copy;
}

/** `{: a="1" b="2"}`; the order is random at every call, as SiYuan's map iteration makes it. */
export function attributeLine(attributes: ReadonlyMap<string, string>): string {
  const pairs = shuffled([...attributes]).map(([name, value]) => `${name}="${kramdownValue(value)}"`);
  return `{: ${pairs.join(" ")}}`;
}
