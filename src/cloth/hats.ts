/**
 * Hat functions over fine vertices: each fine vertex lies under three hats, with weights that sum to 1. Averages over hats
 * see what is as large as their mesh, and nothing finer.
 */

export interface Hats {
  /** Number of hats. */
  count: number;
  /** 3N: the hats over each fine vertex. */
  items: Uint32Array;
  /** 3N. */
  weights: Float64Array;
}

/** Fine vertices on a coarse mesh: an `Embedding`. */
interface Hung {
  coarseCount: number;
  count: number;
  hats: Uint32Array;
  weights: Float64Array;
}

/** Hat → the sum of its weights, Σ_j β_jv. */
export function hatSums({ count, items, weights }: Hats): Float64Array {
  const sums = new Float64Array(count);
  for (let h = 0; h < items.length; h++) sums[items[h]] += weights[h];
  return sums;
}

/** Those of the coarse vertices. */
export const coarseHats = ({ coarseCount, hats, weights }: Hung): Hats => ({
  count: coarseCount,
  items: hats,
  weights,
});

/** Those of the coarse mesh with every triangle cut into four: hats around coarse vertices and the middles of edges. */
export function halvedHats({ coarseCount, count, hats, weights }: Hung): Hats {
  const items = new Uint32Array(3 * count);
  const parts = new Float64Array(3 * count);
  const middles = new Map<number, number>();
  const middle = (a: number, b: number): number => {
    const key = Math.min(a, b) * coarseCount + Math.max(a, b);
    const known = middles.get(key) ?? coarseCount + middles.size;
    middles.set(key, known);
    return known;
  };
  for (let o = 0; o < 3 * count; o += 3) {
    const corner = [0, 1, 2].find((c) => weights[o + c] >= 0.5);
    for (let c = 0; c < 3; c++) {
      const [a, b] = [hats[o + c], hats[o + ((c + 1) % 3)]];
      if (corner === undefined) {
        // The triangle of the middles: the weight of a side's is what the corner across leaves.
        items[o + c] = middle(a, b);
        parts[o + c] = 1 - 2 * weights[o + ((c + 2) % 3)];
      } else {
        items[o + c] = c === corner ? a : middle(hats[o + corner], a);
        parts[o + c] = c === corner ? 2 * weights[o + c] - 1 : 2 * weights[o + c];
      }
    }
  }
  return { count: coarseCount + middles.size, items, weights: parts };
}
