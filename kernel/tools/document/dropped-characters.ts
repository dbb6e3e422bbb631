// Characters that SiYuan drops from the titles of documents and the names of notebooks, measured on both.

/** What does not print: controls, marks of format and direction, odd spaces, private use. The joiner U+200D stays. */
const dropped: readonly (readonly [first: number, last: number])[] = [
  [0x0, 0x1f],
  [0x7f, 0xa0],
  [0xad, 0xad],
  [0x600, 0x605],
  [0x61c, 0x61c],
  [0x6dd, 0x6dd],
  [0x70f, 0x70f],
  [0x890, 0x891],
  [0x8e2, 0x8e2],
  [0x1680, 0x1680],
  [0x180e, 0x180e],
  [0x2000, 0x200c],
  [0x200e, 0x200f],
  [0x2028, 0x202f],
  [0x205f, 0x206f],
  [0xe000, 0xf8ff],
  [0xfeff, 0xfeff],
  [0xfff0, 0xfffb],
  [0xfffe, 0xffff],
  [0x110bd, 0x110bd],
  [0x110cd, 0x110cd],
  [0x13430, 0x1343f],
  [0x1bca0, 0x1bca3],
  [0x1d173, 0x1d17a],
  [0xe0000, 0xe007f],
  [0xf0000, 0x10ffff],
];

/** True when SiYuan would drop or replace one of the characters. */
export function holdsDroppedCharacter(text: string): boolean {
  return Array.from(text).some((character) => {
    const code = character.codePointAt(0) as number;
    return dropped.some(([first, last]) => first <= code && code <= last);
  });
}
