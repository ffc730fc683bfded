/** Edits (insert, delete, replace, swap of neighbours) that turn a into b: optimal string alignment. */
function editDistance(a: string, b: string): number {
  const rows = Array.from({ length: a.length + 1 }, (_, r) => [r, ...new Array<number>(b.length).fill(0)]);
  for (let c = 0; c <= b.length; c++) rows[0][c] = c;
  for (let r = 1; r <= a.length; r++) {
    for (let c = 1; c <= b.length; c++) {
      const same = a[r - 1] === b[c - 1];
      rows[r][c] = Math.min(rows[r - 1][c] + 1, rows[r][c - 1] + 1, rows[r - 1][c - 1] + (same ? 0 : 1));
      const swapped = r > 1 && c > 1 && a[r - 1] === b[c - 2] && a[r - 2] === b[c - 1];
      if (swapped) rows[r][c] = Math.min(rows[r][c], rows[r - 2][c - 2] + 1);
    }
  }
  return rows[a.length][b.length];
}

/**
 * The candidate that a mistyped word most likely meant: at most a third of the letters differ, or it is the only one
 * with the word among its parts, as in error → max-error.
 */
export function closest(word: string, candidates: readonly string[]): string | undefined {
  const longer = candidates.filter((candidate) => candidate.split('-').includes(word.toLowerCase()));
  let best = longer.length === 1 ? longer[0] : undefined;
  let least = Math.floor(Math.max(word.length, 3) / 3) + 1;
  for (const candidate of candidates) {
    const distance = editDistance(word.toLowerCase(), candidate.toLowerCase());
    if (distance < least) {
      least = distance;
      best = candidate;
    }
  }
  return best;
}

/** `; did you mean walk?` to end a message with, or nothing when no candidate is near. */
export function didYouMean(word: string, candidates: readonly string[], prefix = ''): string {
  const best = closest(word, candidates);
  return best === undefined ? '' : `; did you mean ${prefix}${best}?`;
}
