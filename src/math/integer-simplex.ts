/**
 * Weights as whole numbers of a given sum: what files keep at 8 or 16 bits. Rounding each on its own costs up to a fifth
 * more error in a skinned model; descent on the form that the weights came from costs a few per cent.
 */

/**
 * Rounds the first `used` weights, which sum to 1, to whole numbers that sum to `levels` exactly (largest remainders).
 * Slots that are 0 stay 0.
 */
export function largestRemainders(weights: Float64Array, used: number, levels: number): void {
  const remainders = new Float64Array(used);
  let missing = levels;
  for (let s = 0; s < used; s++) {
    const exact = weights[s] * levels;
    weights[s] = Math.floor(exact);
    remainders[s] = exact - weights[s];
    missing -= weights[s];
  }
  for (; missing > 0; missing--) {
    let best = 0;
    for (let s = 1; s < used; s++) if (remainders[s] > remainders[best]) best = s;
    weights[best]++;
    remainders[best] -= 1;
  }
  for (; missing < 0; missing++) weights[0]--;
}

/** More unit moves than this are never needed from a rounded optimum; rounding errors could make them endless. */
const MOST_MOVES = 1000;

/**
 * Whole numbers w ≥ 0 that sum to `levels` and make wᵀ·G·w small (G is n × n, row-major): from the rounded weights, units
 * move from one slot to another as long as that helps. `w` (n, sum 1) receives the numbers.
 */
export function integerDescent(g: Float64Array, n: number, w: Float64Array, levels: number): void {
  largestRemainders(w, n, levels);
  const gradient = new Float64Array(n); // G·w
  for (let s = 0; s < n; s++) for (let t = 0; t < n; t++) gradient[s] += g[s * n + t] * w[t];
  for (let move = 0; move < MOST_MOVES; move++) {
    let from = -1;
    let to = -1;
    let least = 0;
    for (let a = 0; a < n; a++) {
      if (w[a] === 0) continue;
      for (let b = 0; b < n; b++) {
        if (a === b) continue;
        const change = 2 * (gradient[b] - gradient[a]) + g[a * n + a] + g[b * n + b] - 2 * g[a * n + b];
        if (change < least) {
          least = change;
          from = a;
          to = b;
        }
      }
    }
    if (from < 0) return;
    w[from]--;
    w[to]++;
    for (let s = 0; s < n; s++) gradient[s] += g[s * n + to] - g[s * n + from];
  }
}
