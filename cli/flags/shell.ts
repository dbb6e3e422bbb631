// Quotes a word for a POSIX shell, for commands that are shown to be copied.

export function shellWord(word: string): string {
  return /^[\p{L}\p{N}_./:@%+=,-]+$/u.test(word) ? word : `'${word.replace(/'/g, "'\\''")}'`;
}
