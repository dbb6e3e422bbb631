// The likely word behind a typo.

/** The candidate nearest to `word`, or undefined when none is near. */
export function closest(word: string, candidates: readonly string[]): string | undefined {
  const limit = Math.max(word.length > 2 ? 1 : 0, Math.floor(word.length / 3));
  let best: string | undefined;
  let bestDistance = limit + 1;
  for (const candidate of candidates) {
    const distance = editDistance(word.toLowerCase(), candidate.toLowerCase());
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best ?? candidates.find((candidate) => word.length > 2 && candidate.startsWith(word));
}

/** `; did you mean x?`, or nothing. */
export function didYouMean(word: string, candidates: readonly string[], prefix = ""): string {
  const found = closest(word, candidates);
  return found === undefined ? "" : `; did you mean ${prefix}${found}?`;
}

/** Levenshtein distance with neighbouring letters swapped as one step. */
function editDistance(a: string, b: string): number {
  let before: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const cost = a[row - 1] === b[column - 1] ? 0 : 1;
      let distance = Math.min(
        (previous[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (previous[column - 1] ?? 0) + cost,
      );
      if (row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]) {
        distance = Math.min(distance, (before[column - 2] ?? 0) + 1);
      }
      current.push(distance);
    }
    before = previous;
    previous = current;
  }
  return previous[b.length] ?? 0;
}
