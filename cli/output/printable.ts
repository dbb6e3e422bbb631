// Notes may hold control characters; a terminal must not obey them.

/** The text without control characters except tab and line feed. */
export function printable(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is removed
  return text.replace(/\r\n/g, "\n").replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, "");
}

/** One line for a table cell or a value. */
export function oneLine(value: unknown): string {
  const text = typeof value === "string" ? value : value === undefined || value === null ? "" : JSON.stringify(value);
  return printable(text).replace(/\s*\n\s*/g, " ⏎ ");
}
