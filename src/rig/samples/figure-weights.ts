import { type Lists, meshEdges, vertexNeighbours } from '../../mesh/adjacency.ts';
import { largestWeights } from '../../model/influences.ts';
import { type Mesh, vertexCount } from '../../model/mesh.ts';
import type { SkinWeights } from '../../model/skinned-model.ts';
import { FIGURE_BONES } from './figure-body.ts';

/** How far weights reach over a joint, as a fraction of the body's radius there (standard deviation of the blur). */
const SOFTNESS = 0.55;
const INFLUENCES = 4;

/**
 * Weights of the figure: each vertex belongs to the bone whose capsule it is nearest to, and these patches are blurred
 * along the surface. Along the surface, and not through the air: the left thigh does not pull at the right one.
 */
export function figureWeights(mesh: Mesh): SkinWeights {
  const n = vertexCount(mesh);
  const bones = FIGURE_BONES.length;
  const boneOf = Uint16Array.from({ length: n }, (_, i) => nearestBone(mesh.positions, 3 * i));
  const edges = meshEdges(mesh.triangles, n);
  const neighbours = vertexNeighbours(edges, n);
  const edge2 = meanSquaredEdge(mesh.positions, edges.vertices);

  // A round that moves each vertex halfway to its neighbours' mean widens the blur's variance by a quarter of edge².
  const rounds = Float64Array.from(boneOf, (j) => (SOFTNESS * FIGURE_BONES[j].radius) ** 2 / (edge2 / 4));
  // Neighbouring bones have different radii: the number of rounds itself must not jump, or weights would.
  const evenRounds = blur(rounds, 1, neighbours, new Float64Array(n).fill(Math.max(...rounds)));
  const patches = new Float64Array(n * bones);
  for (let i = 0; i < n; i++) patches[i * bones + boneOf[i]] = 1;
  return largestWeights(blur(patches, bones, neighbours, evenRounds), bones, INFLUENCES);
}

/** Rounds of halfway-to-the-neighbours'-mean for N·stride values; vertex i takes part in the first `rounds[i]`. */
function blur(values: Float64Array, stride: number, { offsets, items }: Lists, rounds: Float64Array): Float64Array {
  let now = values.slice();
  let next = values.slice();
  const most = Math.max(...rounds);
  for (let round = 0; round < most; round++) {
    for (let i = 0; i < rounds.length; i++) {
      // The last round is a partial one.
      const step = 0.5 * Math.min(1, Math.max(0, rounds[i] - round));
      const degree = offsets[i + 1] - offsets[i];
      for (let c = 0; c < stride; c++) {
        let sum = 0;
        for (let q = offsets[i]; q < offsets[i + 1]; q++) sum += now[items[q] * stride + c];
        next[i * stride + c] = (1 - step) * now[i * stride + c] + (step * sum) / degree;
      }
    }
    [now, next] = [next, now];
  }
  return now;
}

/** The bone whose capsule has the smallest signed distance. */
function nearestBone(positions: Float32Array, o: number): number {
  let nearest = 0;
  let least = Number.POSITIVE_INFINITY;
  FIGURE_BONES.forEach(({ head, tail, radius }, j) => {
    const d = [0, 1, 2].map((c) => tail[c] - head[c]);
    const p = [0, 1, 2].map((c) => positions[o + c] - head[c]);
    const t = (p[0] * d[0] + p[1] * d[1] + p[2] * d[2]) / (d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
    const s = Math.min(1, Math.max(0, t));
    const [x, y, z] = [p[0] - s * d[0], p[1] - s * d[1], p[2] - s * d[2]];
    const distance = Math.sqrt(x * x + y * y + z * z) - radius;
    if (distance < least) {
      least = distance;
      nearest = j;
    }
  });
  return nearest;
}

function meanSquaredEdge(positions: Float32Array, ends: Uint32Array): number {
  let sum = 0;
  for (let e = 0; e < ends.length; e += 2) {
    for (let c = 0; c < 3; c++) sum += (positions[3 * ends[e + 1] + c] - positions[3 * ends[e] + c]) ** 2;
  }
  return sum / (ends.length / 2);
}
