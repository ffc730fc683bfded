import { squaredDistance } from '../../math/vector.ts';
import { meshEdges, vertexNeighbours } from '../../mesh/adjacency.ts';
import { largestWeights } from '../../model/influences.ts';
import { type Mesh, vertexCount } from '../../model/mesh.ts';
import type { SkinWeights } from '../../model/skinned-model.ts';
import { nearestOnSegment } from '../bind/segment-distance.ts';
import { smoothWeights } from '../bind/smooth.ts';
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
  const evenRounds = smoothWeights(rounds, 1, neighbours, Math.max(...rounds));
  const patches = new Float64Array(n * bones);
  for (let i = 0; i < n; i++) patches[i * bones + boneOf[i]] = 1;
  return largestWeights(smoothWeights(patches, bones, neighbours, evenRounds), bones, INFLUENCES);
}

const nearest = new Float64Array(3);

/** The bone whose capsule has the smallest signed distance. */
function nearestBone(positions: Float32Array, o: number): number {
  const distances = FIGURE_BONES.map(({ head, tail, radius }) => {
    const ends = Float64Array.of(...head, ...tail);
    return Math.sqrt(nearestOnSegment(nearest, ends, 0, positions, o)) - radius;
  });
  return distances.indexOf(Math.min(...distances));
}

function meanSquaredEdge(positions: Float32Array, ends: Uint32Array): number {
  let sum = 0;
  for (let e = 0; e < ends.length; e += 2) sum += squaredDistance(positions, ends[e], ends[e + 1]);
  return sum / (ends.length / 2);
}
