import type { SkinnedModel } from '../model/skinned-model.ts';

/**
 * What hangs from what in skeletons whose files do not say: all joints side by side, as in the hands of headsets. Joints that
 * have one parent in common, and none below them, hang from each other along the shortest ways from the joint with the
 * most weight, or from those that share vertices with the parent itself. From joint to joint it is 1/s, s the weight that
 * the two share: neighbours are those that vertices follow together.
 */
export interface ImpliedParents {
  /** B: the parents of the skeleton, but for the joints in `hung`. Parents need not come first. */
  parents: Int32Array;
  /** The joints that hang from one beside them, parents first. */
  hung: number[];
}

/** Fewer joints side by side are no skeleton laid flat. */
const FEWEST = 3;
/** Of the most weight that a joint shares with another: with so much for its parent it hangs from that. */
const HELD = 0.1;

/** The parents that the weights of a rig imply. */
export function impliedParents({ skeleton, weights }: Pick<SkinnedModel, 'skeleton' | 'weights'>): ImpliedParents {
  const { shared, totals } = sharedWeights(skeleton.parents.length, weights);
  const parents = Int32Array.from(skeleton.parents);
  const hung: number[] = [];
  for (const [above, beside] of groupsOf(skeleton.parents, totals)) {
    if (beside.length < FEWEST) continue;
    const isHeld = (j: number): boolean =>
      above >= 0 && shared[above][j] > 0 && shared[above][j] >= HELD * Math.max(...shared[j]);
    // Dijkstra's algorithm, from several joints at once.
    const way = new Map(beside.map((j) => [j, isHeld(j) ? 0 : Infinity]));
    while (way.size > 0) {
      let [next] = [...way.keys()];
      for (const [j, length] of way) {
        // A part of its own starts from its heaviest joint.
        if (length < way.get(next)! || (length === way.get(next) && totals[j] > totals[next])) next = j;
      }
      const length = way.get(next)!;
      way.delete(next);
      if (parents[next] !== above) hung.push(next);
      for (const [j, before] of way) {
        const through = (Number.isFinite(length) ? length : 0) + 1 / shared[next][j];
        if (through >= before) continue;
        way.set(j, through);
        parents[j] = next;
      }
    }
  }
  return { parents, hung };
}

/** B × B: Σ min(wₐ, w_b) over the vertices; and B: the weight of every bone. */
function sharedWeights(bones: number, { joints, weights, influences }: SkinnedModel['weights']) {
  const shared = Array.from({ length: bones }, () => new Float64Array(bones));
  const totals = new Float64Array(bones);
  for (let i = 0; i < joints.length; i += influences) {
    for (let s = i; s < i + influences; s++) {
      totals[joints[s]] += weights[s];
      for (let t = i; t < s; t++) {
        if (joints[s] === joints[t]) continue;
        const both = Math.min(weights[s], weights[t]);
        shared[joints[s]][joints[t]] += both;
        shared[joints[t]][joints[s]] += both;
      }
    }
  }
  return { shared, totals };
}

/** Parent → the joints right below it that vertices follow, and nothing below which they do. */
function groupsOf(parents: Int32Array, totals: Float64Array): Map<number, number[]> {
  const leads = new Uint8Array(parents.length);
  for (let j = parents.length - 1; j >= 0; j--)
    if ((totals[j] > 0 || leads[j]) && parents[j] >= 0) leads[parents[j]] = 1;
  const out = new Map<number, number[]>();
  parents.forEach((parent, j) => {
    if (totals[j] > 0 && !leads[j]) out.set(parent, [...(out.get(parent) ?? []), j]);
  });
  return out;
}
