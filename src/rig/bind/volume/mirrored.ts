import type { Skeleton } from '../../../model/skeleton.ts';
import { otherSideNames } from '../bone-names.ts';

/**
 * Where a bone and its mirror image share vertices, as thighs do at the crotch: what they have in common goes to their parent,
 * if they have the same one. Other pairs, whose limbs merely touch, lose most of it to the rest of the row.
 */

/** Of what a pair without a common parent shares, this part is taken from both. */
const TAKEN = 0.9;

/** Changes the rows of weights (n·D, sum 1) in place; rows still sum to 1. */
export function separateMirrored(weights: Float64Array, skeleton: Skeleton, bones: Int32Array): void {
  const columns = bones.length;
  const columnOf = new Map(Array.from(bones, (bone, c) => [bone, c]));
  for (const [i, j] of mirroredPairs(skeleton, bones)) {
    const [a, b] = [skeleton.parents[bones[i]], skeleton.parents[bones[j]]];
    const parent = a === b ? columnOf.get(a) : undefined;
    for (let row = 0; row < weights.length; row += columns) {
      const shared = Math.min(weights[row + i], weights[row + j]);
      if (shared === 0) continue;
      if (parent !== undefined) {
        weights[row + i] -= shared / 2;
        weights[row + j] -= shared / 2;
        weights[row + parent] += shared;
        continue;
      }
      weights[row + i] -= TAKEN * shared;
      weights[row + j] -= TAKEN * shared;
      let sum = 0;
      for (let c = 0; c < columns; c++) sum += weights[row + c];
      for (let c = 0; c < columns; c++) weights[row + c] /= sum;
    }
  }
}

/** Exporters number nodes: `b_LeftLeg01_015` and `b_RightLeg01_019` are a pair. */
const withoutNumber = (name: string): string => name.replace(/[\s_.-]+\d+$/, '');

/** Pairs of columns whose names say that they are each other's mirror image: names as they are, then without a last number. */
function mirroredPairs({ names }: Skeleton, bones: Int32Array): [number, number][] {
  const own = Array.from(bones, (bone) => names[bone]);
  const short = own.map(withoutNumber);
  const only = (list: readonly string[], wanted: readonly string[]): number => {
    const found = list.flatMap((name, c) => (wanted.includes(name) ? [c] : []));
    return found.length === 1 ? found[0] : -1;
  };
  const exact = own.map((name) => only(own, otherSideNames(name)));
  const other = exact.map((j, i) => (j >= 0 ? j : only(short, otherSideNames(short[i]))));
  return other.flatMap((j, i): [number, number][] => (j > i && other[j] === i ? [[i, j]] : []));
}
