import { boundsOf } from '../../src/mesh/bounds.ts';
import type { SkinnedModel } from '../../src/model/skinned-model.ts';

/** Vertices side by side that follow the same bones, as boxes: what bounds of a pose are computed from. */
export interface InfluenceSet {
  /** The bones, each with weight > 0. */
  joints: number[];
  /** The least and the greatest weight of each bone. */
  least: number[];
  most: number[];
  /** 6: min x y z, max x y z of the rest positions. */
  box: Float64Array;
  /** 6M: per morph the least and greatest displacement. */
  morphs: Float64Array;
}

/**
 * Sets are halved until they have no more vertices. On `figure` by dual quaternions the sphere over a clip is 1.28, 1.23
 * and 1.09 of the exact one with 200, 100 and 48, in 0.10, 0.15 and 0.25 s.
 */
const SET_VERTICES = 48;

/** Sets for all vertices of a model but those that no triangle uses. */
export function influenceSets(model: SkinnedModel): InfluenceSet[] {
  const { mesh, weights, morphs = [] } = model;
  const { influences: k } = weights;
  const members = new Map<string, number[]>();
  for (const i of new Set(mesh.triangles)) {
    const joints: number[] = [];
    for (let s = k * i; s < k * (i + 1); s++) if (weights.weights[s] > 0) joints.push(weights.joints[s]);
    const key = [...new Set(joints)].sort((a, b) => a - b).join();
    const known = members.get(key);
    if (known) known.push(i);
    else members.set(key, [i]);
  }

  /** The weight of bone j in vertex i, which may name it twice. */
  const weightOf = (i: number, j: number): number => {
    let sum = 0;
    for (let s = k * i; s < k * (i + 1); s++) if (weights.joints[s] === j) sum += weights.weights[s];
    return sum;
  };
  return Array.from(members, ([key, vertices]) => {
    const joints = key.split(',').map(Number);
    return halved(mesh.positions, vertices).map((part): InfluenceSet => {
      const shares = joints.map((j) => part.map((i) => weightOf(i, j)));
      return {
        joints,
        least: shares.map((of) => Math.min(...of)),
        most: shares.map((of) => Math.max(...of)),
        box: boxOf(mesh.positions, part),
        morphs: Float64Array.from(morphs.flatMap(({ positions }) => [...boxOf(positions, part)])),
      };
    });
  }).flat();
}

/** Cuts a set across the longest side of its box, again and again. */
function halved(positions: Float32Array, vertices: number[]): number[][] {
  if (vertices.length <= SET_VERTICES) return [vertices];
  const box = boxOf(positions, vertices);
  const sides = [0, 1, 2].map((c) => box[3 + c] - box[c]);
  const axis = sides.indexOf(Math.max(...sides));
  const ordered = vertices.toSorted((a, b) => positions[3 * a + axis] - positions[3 * b + axis]);
  const half = ordered.length >> 1;
  return [...halved(positions, ordered.slice(0, half)), ...halved(positions, ordered.slice(half))];
}

function boxOf(positions: Float32Array, vertices: readonly number[]): Float64Array {
  const { min, max } = boundsOf(vertices.flatMap((i) => [...positions.subarray(3 * i, 3 * i + 3)]));
  return Float64Array.from([...min, ...max]);
}
