import { type Mesh, vertexCount } from '../../src/model/mesh.ts';
import { LOCAL_STRIDE, MATRIX_STRIDE, type Skeleton } from '../../src/model/skeleton.ts';
import { type SkinWeights, validateWeights } from '../../src/model/skinned-model.ts';
import { bind } from '../../src/rig/bind/bind.ts';
import type { BindOptions } from '../../src/rig/bind/bind-options.ts';

/** Small meshes and skeletons with known weights, for tests. */

export type Vector = readonly [number, number, number];

/** Unturned joints: name, parent's name, place in mesh space. */
export function jointsAt(joints: readonly (readonly [string, string | undefined, Vector])[]): Skeleton {
  const names = joints.map(([name]) => name);
  const parents = Int32Array.from(joints, ([, parent]) => (parent === undefined ? -1 : names.indexOf(parent)));
  const restLocals = new Float32Array(LOCAL_STRIDE * names.length);
  const inverseBind = new Float32Array(MATRIX_STRIDE * names.length);
  joints.forEach(([, , place], j) => {
    const from = parents[j] < 0 ? [0, 0, 0] : joints[parents[j]][2];
    restLocals.set([...place.map((x, c) => x - from[c]), 0, 0, 0, 1, 1, 1, 1], LOCAL_STRIDE * j);
    place.forEach((x, c) => {
      inverseBind[MATRIX_STRIDE * j + 5 * c] = 1;
      inverseBind[MATRIX_STRIDE * j + 4 * c + 3] = -x;
    });
  });
  return { names, parents, restLocals, inverseBind };
}

/** A closed tube along x from `from` to `to`, `rings` rings of `sides` corners, its ends closed by a point each. */
export function tube(from: number, to: number, radius: number, rings: number, sides: number, y = 0): Mesh {
  const positions: number[] = [];
  const triangles: number[] = [];
  for (let r = 0; r < rings; r++) {
    const x = from + ((to - from) * r) / (rings - 1);
    for (let s = 0; s < sides; s++) {
      const angle = (2 * Math.PI * (s + (r % 2) / 2)) / sides;
      positions.push(x, y + radius * Math.cos(angle), radius * Math.sin(angle));
    }
  }
  const at = (r: number, s: number) => r * sides + (s % sides);
  for (let r = 0; r + 1 < rings; r++) {
    for (let s = 0; s < sides; s++) {
      const [a, b, c, d] = [at(r, s), at(r, s + 1), at(r + 1, s), at(r + 1, s + 1)];
      if (r % 2 === 0) triangles.push(a, b, c, b, d, c);
      else triangles.push(a, d, c, a, b, d);
    }
  }
  const low = positions.length / 3;
  positions.push(from, y, 0, to, y, 0);
  for (let s = 0; s < sides; s++) {
    triangles.push(low, at(0, s + 1), at(0, s), low + 1, at(rings - 1, s), at(rings - 1, s + 1));
  }
  return { positions: new Float32Array(positions), triangles: new Uint32Array(triangles) };
}

/** Several meshes as one. */
export function together(...meshes: readonly Mesh[]): Mesh {
  const positions: number[] = [];
  const triangles: number[] = [];
  for (const mesh of meshes) {
    const first = positions.length / 3;
    positions.push(...mesh.positions);
    triangles.push(...mesh.triangles.map((i) => i + first));
  }
  return { positions: new Float32Array(positions), triangles: new Uint32Array(triangles) };
}

/** The same triangles, none of which shares a vertex with another. */
export function shattered({ positions, triangles }: Mesh): Mesh {
  return {
    positions: Float32Array.from(
      { length: 3 * triangles.length },
      (_, c) => positions[3 * triangles[Math.floor(c / 3)] + (c % 3)],
    ),
    triangles: Uint32Array.from(triangles, (_, c) => c),
  };
}

/** The weight of bone j at vertex i. */
export function weightOf({ influences, joints, weights }: SkinWeights, i: number, j: number): number {
  let sum = 0;
  for (let s = i * influences; s < (i + 1) * influences; s++) if (joints[s] === j) sum += weights[s];
  return sum;
}

/** Two bones along x that meet at 0, with a marker of the end. */
export const TWO = jointsAt([
  ['lower', undefined, [-3.6, 0, 0]],
  ['upper', 'lower', [0, 0, 0]],
  ['upper_end', 'upper', [3.6, 0, 0]],
]);
/** And a tube around them. */
export const [RINGS, SIDES] = [49, 12];
export const TUBE = tube(-4, 4, 0.5, RINGS, SIDES);

/** The weights of a mesh, valid. */
export async function weightsOf(
  mesh: Mesh,
  skeleton: Skeleton,
  options: Partial<BindOptions> = {},
): Promise<SkinWeights> {
  const { weights } = await bind(mesh, skeleton, options);
  validateWeights(weights, vertexCount(mesh), skeleton.names.length);
  return weights;
}
