import { gatherRows } from '../math/rows.ts';
import { weldVertices } from '../mesh/seams.ts';
import type { Morph, SkinWeights } from '../model/skinned-model.ts';

/** What spheres are made of: a surface at rest, N vertices, and how bones and morphs move it. */
export interface SphereSurface {
  /** 3N; vertices of one place that are split by uvs or normals are welded. */
  positions: Float32Array;
  triangles: Uint32Array;
  /** A still surface has none: it follows bone 0. */
  weights?: SkinWeights;
  morphs?: readonly Morph[];
}

/** Several surfaces as one, each welded by position: vertices that only uvs or normals split are one. */
export function joinSurfaces(surfaces: readonly SphereSurface[]): SphereSurface {
  const welded = surfaces.map(weld);
  const [first] = welded;
  if (welded.length === 1) return first;
  const influences = Math.max(1, ...welded.map(({ weights }) => weights?.influences ?? 1));
  const counts = welded.map(({ positions }) => positions.length / 3);
  const starts = counts.map((_, q) => counts.slice(0, q).reduce((sum, n) => sum + n, 0));
  const n = counts.reduce((sum, count) => sum + count, 0);
  const positions = new Float32Array(3 * n);
  const joints = new Uint16Array(influences * n);
  const weights = new Float32Array(influences * n);
  const morphs: Morph[] = [];
  const triangles: Uint32Array[] = [];
  welded.forEach((surface, q) => {
    const start = starts[q];
    positions.set(surface.positions, 3 * start);
    triangles.push(surface.triangles.map((i) => i + start));
    const k = surface.weights?.influences ?? 1;
    for (let i = 0; i < counts[q]; i++) {
      for (let s = 0; s < k; s++) {
        joints[influences * (start + i) + s] = surface.weights?.joints[k * i + s] ?? 0;
        weights[influences * (start + i) + s] = surface.weights?.weights[k * i + s] ?? 1;
      }
    }
    // Morphs of different surfaces are dialled apart: one after the other.
    for (const { name, positions: moved } of surface.morphs ?? []) {
      const all = new Float32Array(3 * n);
      all.set(moved, 3 * start);
      morphs.push({ name, positions: all });
    }
  });
  const all = new Uint32Array(triangles.reduce((sum, own) => sum + own.length, 0));
  let at = 0;
  for (const own of triangles) {
    all.set(own, at);
    at += own.length;
  }
  return { positions, triangles: all, weights: { influences, joints, weights }, morphs };
}

function weld({ positions, triangles, weights, morphs = [] }: SphereSurface): SphereSurface {
  const keys: ArrayLike<number>[] = morphs.map((morph) => morph.positions);
  if (weights) keys.push(weights.joints, weights.weights);
  const { mesh, vertexOf } = weldVertices({ positions, triangles }, { keys });
  if (mesh.positions === positions) return { positions, triangles, weights, morphs };
  const firstOf = new Uint32Array(mesh.positions.length / 3);
  for (let w = vertexOf.length - 1; w >= 0; w--) firstOf[vertexOf[w]] = w;
  return {
    positions: mesh.positions,
    triangles: mesh.triangles,
    weights: weights && {
      influences: weights.influences,
      joints: gatherRows(weights.joints, weights.influences, firstOf),
      weights: gatherRows(weights.weights, weights.influences, firstOf),
    },
    morphs: morphs.map((morph) => ({ ...morph, positions: gatherRows(morph.positions, 3, firstOf) })),
  };
}
