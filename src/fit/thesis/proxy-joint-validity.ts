import type { Support } from '../../decompose/problem.ts';
import { PliantError } from '../../error.ts';
import type { ContractionRules } from '../../mesh/decimation/contractor.ts';

/**
 * Contractions that leave every proxy joint with vertices to be solved from, Antonopoulos 2010, §4.3.1.
 *
 * `same`: only vertices that follow exactly the same joints are merged, as printed. With a handful of influences solved for
 * each vertex, neighbours often differ in one of them and little is left to contract. `enough`: any vertices. In both, every
 * joint keeps `minVertices` that follow it: one vertex, which is all that the print ensures, determines no transform.
 */
export type JointValidity = 'same' | 'enough';

export function proxyJointRules(support: Support, validity: JointValidity, minVertices: number): ContractionRules {
  const enough = enoughVertices(support, minVertices);
  if (validity === 'enough') return enough;
  const same = sameJoints(support);
  return { ...enough, mayContract: (i, j) => same(i, j) && (enough.mayContract?.(i, j) ?? true) };
}

function sameJoints(support: Support): (i: number, j: number) => boolean {
  const { influences, count, joints } = support;
  // Vertices of one class follow the same set of joints.
  const classes = new Map<string, number>();
  const classOf = Int32Array.from(count, (used, i) => {
    const key = joints
      .slice(i * influences, i * influences + used)
      .sort()
      .join();
    if (!classes.has(key)) classes.set(key, classes.size);
    return classes.get(key) as number;
  });
  return (i, j) => classOf[i] === classOf[j];
}

function enoughVertices(support: Support, minVertices: number): ContractionRules {
  const { influences, count, joints } = support;
  const jointCount = joints.reduce((most, joint) => Math.max(most, joint + 1), 0);
  const followers = new Uint32Array(jointCount);
  for (let i = 0; i < count.length; i++) for (let s = 0; s < count[i]; s++) followers[joints[i * influences + s]]++;
  return {
    mayContract(i) {
      for (let s = 0; s < count[i]; s++) if (followers[joints[i * influences + s]] <= minVertices) return false;
      return true;
    },
    onContract(i) {
      for (let s = 0; s < count[i]; s++) followers[joints[i * influences + s]]--;
    },
  };
}

/** N: the region of vertices inside one; −1 on borders (which Antonopoulos 2010 keeps, §4.3.1) and without facets. */
export function interiorRegions(triangles: Uint32Array, regionOf: Int32Array, vertexCount: number): Int32Array {
  if (regionOf.length !== triangles.length / 3) {
    const facets = triangles.length / 3;
    throw new PliantError('bad-input', 'decimate', `regions of ${regionOf.length} facets (expected ${facets})`);
  }
  const UNSEEN = -2;
  const out = new Int32Array(vertexCount).fill(UNSEEN);
  for (let c = 0; c < triangles.length; c++) {
    const region = regionOf[Math.floor(c / 3)];
    const i = triangles[c];
    out[i] = out[i] === UNSEEN || out[i] === region ? region : -1;
  }
  return out.map((region) => Math.max(region, -1));
}
