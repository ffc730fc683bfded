/** How spheres follow what lies around them: the mean of the bones' weights and of the morphs of the vertices near by. */
import type { Balls } from './cover-balls.ts';
import type { SphereSurface } from './sphere-surface.ts';

/** Bones that a sphere follows at most. */
const INFLUENCES = 4;
/** Vertices are near a ball within so many of its radii. */
const NEAR = 1.3;

/** Balls with the vertices they touch, and the part of each vertex. */
export interface TouchingBalls extends Balls {
  vertices: Uint32Array;
  partOf: Uint32Array;
}

/** Fewer vertices say little: then those within twice as far are taken, or four times … */
const ENOUGH = 4;
const DOUBLINGS = 4;

/** Per chosen ball the vertices of its part near by: at least the one it touches. */
export function nearVertices(
  { positions }: SphereSurface,
  balls: TouchingBalls,
  chosen: readonly number[],
): number[][] {
  return chosen.map((ball) => {
    let near: number[] = [];
    for (let step = 0; step <= DOUBLINGS && near.length < ENOUGH; step++) {
      near = verticesWithin(positions, balls, ball, NEAR * balls.radii[ball] * 2 ** step);
    }
    return near.length > 0 ? near : [balls.vertices[ball]];
  });
}

function verticesWithin(positions: Float32Array, balls: TouchingBalls, ball: number, reach: number): number[] {
  const part = balls.parts[ball];
  const [x, y, z] = balls.centres.subarray(3 * ball, 3 * ball + 3);
  const within: number[] = [];
  for (let i = 0; i < positions.length / 3; i++) {
    const dx = positions[3 * i] - x;
    const dy = positions[3 * i + 1] - y;
    const dz = positions[3 * i + 2] - z;
    if (dx * dx + dy * dy + dz * dz <= reach * reach && balls.partOf[i] === part) within.push(i);
  }
  return within;
}

/** The four largest of the mean weights, of sum 1. */
export function followSkin(
  { weights }: SphereSurface,
  near: readonly number[][],
): { joints: Uint16Array; weights: Float32Array } {
  const joints = new Uint16Array(INFLUENCES * near.length);
  const out = new Float32Array(INFLUENCES * near.length);
  near.forEach((vertices, s) => {
    if (!weights) {
      out[INFLUENCES * s] = 1;
      return;
    }
    const sums = new Map<number, number>();
    for (const i of vertices) {
      for (let q = i * weights.influences; q < (i + 1) * weights.influences; q++) {
        const weight = weights.weights[q];
        if (weight > 0) sums.set(weights.joints[q], (sums.get(weights.joints[q]) ?? 0) + weight);
      }
    }
    const heaviest = [...sums].sort((a, b) => b[1] - a[1] || a[0] - b[0]).slice(0, INFLUENCES);
    const total = heaviest.reduce((sum, [, weight]) => sum + weight, 0);
    heaviest.forEach(([joint, weight], slot) => {
      joints[INFLUENCES * s + slot] = joint;
      out[INFLUENCES * s + slot] = weight / total;
    });
  });
  return { joints, weights: out };
}

/**
 * Per morph 4S: what it adds to x y z and radius. Around a sphere it is taken for a shift and a growth, m ≈ a + g (p − p̄), by
 * least squares over the vertices near by.
 */
export function carriedMorphs(
  { positions, morphs = [] }: SphereSurface,
  near: readonly number[][],
  centres: Float32Array,
  radii: Float32Array,
): Float32Array[] {
  return morphs.map(({ positions: moved }) => {
    const out = new Float32Array(4 * near.length);
    near.forEach((vertices, s) => {
      const middle = meanOf(positions, vertices);
      const shift = meanOf(moved, vertices);
      let product = 0;
      let square = 0;
      for (const i of vertices) {
        for (let c = 0; c < 3; c++) {
          const way = positions[3 * i + c] - middle[c];
          product += way * (moved[3 * i + c] - shift[c]);
          square += way * way;
        }
      }
      const growth = square > 0 ? product / square : 0;
      for (let c = 0; c < 3; c++) out[4 * s + c] = shift[c] + growth * (centres[3 * s + c] - middle[c]);
      out[4 * s + 3] = growth * radii[s];
    });
    return out;
  });
}

function meanOf(vectors: Float32Array, of: readonly number[]): number[] {
  const sum = [0, 0, 0];
  for (const i of of) for (let c = 0; c < 3; c++) sum[c] += vectors[3 * i + c];
  return sum.map((x) => x / of.length);
}
