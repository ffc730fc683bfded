import { PliantError } from '../../error.ts';
import { meshEdges, vertexNeighbours } from '../../mesh/adjacency.ts';
import { diagonalOf } from '../../mesh/bounds.ts';
import { type Mesh, vertexCount } from '../../model/mesh.ts';
import type { SkinnedModel, SkinWeights } from '../../model/skinned-model.ts';

/** How far a rig's vertices may be from those of the examples, as a fraction of the diagonal: what files round. */
const TOLERANCE = 1e-3;

/** What a rig gives to `learn`. */
export interface RigBones {
  weights: SkinWeights;
  /** Of the bones. */
  names: string[];
}

/**
 * The bones of a rig, such as `fit` makes, that some vertex follows, with weights for the vertices of examples of the same
 * mesh. Files store vertices in an order of their own: they are matched by where they are at rest, and where several are in
 * one place, as closed lips, by where their neighbours are.
 */
export function rigBones({ name, mesh, weights, skeleton }: SkinnedModel, rest: Mesh): RigBones {
  const n = vertexCount(rest);
  const fail = (cause: string): never => {
    throw new PliantError('bad-input', 'learn', `rig "${name}" has a different mesh than the examples (${cause})`);
  };
  if (vertexCount(mesh) !== n) fail(`got ${vertexCount(mesh)} vertices, expected ${n}`);
  const place = placesOf(rest);
  const nearest = nearestVertex(placesOf(mesh), TOLERANCE * diagonalOf(rest.positions));
  const k = weights.influences;
  const out: SkinWeights = { influences: k, joints: new Uint16Array(n * k), weights: new Float32Array(n * k) };
  const numbers = new Map<number, number>(); // bone of the rig → bone
  for (let i = 0; i < n; i++) {
    const at = nearest(place, i);
    if (at < 0) fail(`no vertex near vertex ${i}, at ${[...rest.positions.subarray(3 * i, 3 * i + 3)].join(', ')}`);
    for (let s = 0; s < k; s++) {
      const w = weights.weights[at * k + s];
      if (w === 0) continue;
      const bone = weights.joints[at * k + s];
      if (!numbers.has(bone)) numbers.set(bone, numbers.size);
      out.joints[i * k + s] = numbers.get(bone)!;
      out.weights[i * k + s] = w;
    }
  }
  return { weights: out, names: Array.from(numbers.keys(), (bone) => skeleton.names[bone]) };
}

/** N × 6: every vertex, and the mean of its neighbours. */
function placesOf({ positions, triangles }: Mesh): Float64Array {
  const n = positions.length / 3;
  const { offsets, items } = vertexNeighbours(meshEdges(triangles, n), n);
  const places = new Float64Array(6 * n);
  for (let i = 0; i < n; i++) {
    const count = offsets[i + 1] - offsets[i];
    for (let c = 0; c < 3; c++) {
      places[6 * i + c] = positions[3 * i + c];
      let sum = count > 0 ? 0 : positions[3 * i + c];
      for (let q = offsets[i]; q < offsets[i + 1]; q++) sum += positions[3 * items[q] + c] / count;
      places[6 * i + 3 + c] = sum;
    }
  }
  return places;
}

/** Finds, in a grid of cells, the place nearest to place i of others whose vertex is within `reach`, or −1. */
function nearestVertex(places: Float64Array, reach: number): (others: Float64Array, i: number) => number {
  const cells = new Map<string, number[]>();
  const cell = (x: number): number => Math.floor(x / reach);
  for (let at = 0; at < places.length; at += 6) {
    const key = `${cell(places[at])},${cell(places[at + 1])},${cell(places[at + 2])}`;
    const list = cells.get(key);
    if (list) list.push(at);
    else cells.set(key, [at]);
  }
  return (others, i) => {
    const [x, y, z] = [0, 1, 2].map((c) => cell(others[6 * i + c]));
    let best = -1;
    let least = Infinity;
    for (let near = 0; near < 27; near++) {
      const key = `${x - 1 + (near % 3)},${y - 1 + (Math.floor(near / 3) % 3)},${z - 1 + Math.floor(near / 9)}`;
      for (const at of cells.get(key) ?? []) {
        let own = 0;
        let all = 0;
        for (let c = 0; c < 6; c++) {
          all += (places[at + c] - others[6 * i + c]) ** 2;
          if (c === 2) own = all;
        }
        if (own <= reach * reach && all < least) [best, least] = [at / 6, all];
      }
    }
    return best;
  };
}
