import { gatherRows } from '../math/rows.ts';
import { attributeLike } from '../mesh/attribute-floats.ts';
import { canonicalInfluences, followedBones } from '../model/influences.ts';
import type { Mesh, VertexAttribute } from '../model/mesh.ts';
import type { SkinnedModel, SkinWeights } from '../model/skinned-model.ts';
import { groupsOf } from './join-meshes.ts';

/** What belongs to one model in a level of several. */

/** The triangles of some groups of a level as a mesh like the given one, and its vertices by their numbers in the level. */
export function partMesh(
  level: Mesh,
  { start, count }: { start: number; count: number },
  given: Mesh,
): { mesh: Mesh; vertices: Uint32Array } {
  const groups = level.groups!.slice(start, start + count);
  const [from, to] = [3 * groups[0].start, 3 * (groups[count - 1].start + groups[count - 1].count)];
  const corners = renumbered((level.seams?.triangles ?? level.triangles).subarray(from, to));
  const points = renumbered(level.triangles.subarray(from, to));
  const vertexOf = new Uint32Array(corners.old.length);
  corners.all.forEach((w, c) => {
    vertexOf[w] = points.all[c];
  });
  const pick = (values: ArrayLike<number> & Float32Array, size: number): Float32Array =>
    gatherRows(values, size, corners.old);
  const attributes = Object.entries(given.attributes ?? {}).map(([name, like]): [string, VertexAttribute] => {
    const { size, values } = level.attributes![name];
    const own = pick(values as Float32Array, size);
    return [name, attributeLike(like, size === like.size ? own : own.filter((_, c) => c % size < like.size))];
  });
  const ownGroups = groupsOf(given).map((group, g) => ({
    ...group,
    start: groups[g].start - groups[0].start,
    count: groups[g].count,
  }));
  const { positions: _p, triangles: _t, normals, uvs, attributes: _a, seams: _s, groups: _g, ...others } = given;
  const mesh: Mesh = {
    ...others,
    positions: gatherRows(level.positions, 3, points.old),
    triangles: points.all,
    ...(normals && { normals: pick(level.normals!, 3) }),
    ...(uvs && { uvs: pick(level.uvs!, 2) }),
    ...(attributes.length > 0 && { attributes: Object.fromEntries(attributes) }),
    ...(corners.old.length > points.old.length && { seams: { vertexOf, triangles: corners.all } }),
    ...(given.groups && { groups: ownGroups }),
  };
  // Without seams the order of vertices is that of split vertices.
  if (!mesh.seams) {
    const order = new Uint32Array(points.old.length);
    vertexOf.forEach((vertex, w) => {
      order[w] = points.old[vertex];
    });
    mesh.positions = gatherRows(level.positions, 3, order);
    mesh.triangles = corners.all;
    points.old = order;
  }
  return { mesh, vertices: points.old };
}

/** Numbers by the order of their first use, and what each was. */
function renumbered(numbers: Uint32Array): { all: Uint32Array; old: Uint32Array } {
  const placeOf = new Map<number, number>();
  for (const each of numbers) if (!placeOf.has(each)) placeOf.set(each, placeOf.size);
  return { all: numbers.map((each) => placeOf.get(each)!), old: Uint32Array.from(placeOf.keys()) };
}

/** The weights of some vertices. */
const gatherSkin = ({ influences, joints, weights }: SkinWeights, rows: Uint32Array): SkinWeights => ({
  influences,
  joints: gatherRows(joints, influences, rows),
  weights: gatherRows(weights, influences, rows),
});

/** A model in a level of several: its vertices there, and own bone → shared bone of those that it followed before. */
export interface PartVertices {
  vertices: Uint32Array;
  bones: ReadonlyMap<number, number>;
}

/** The shared bones that a model's vertices follow: others are no joints of its skin. */
export const partBones = (before: SkinWeights, shared: Uint16Array): Map<number, number> =>
  new Map([...followedBones(before)].map((j) => [j, shared[j]]));

/**
 * Weights of a level by bones that every part at a vertex follows, so that parts still meet in all poses. `parts`: which
 * vertices each has.
 */
export function meetingSkin({ influences, joints, weights }: SkinWeights, parts: readonly PartVertices[]): SkinWeights {
  const out: SkinWeights = { influences, joints: joints.slice(), weights: weights.slice() };
  for (const { vertices, bones } of parts) {
    const follows = new Set(bones.values());
    for (const v of vertices) {
      for (let s = influences * v; s < influences * (v + 1); s++) if (!follows.has(joints[s])) out.weights[s] = 0;
    }
  }
  const [row, rowJoints] = [new Float64Array(influences), new Uint16Array(influences)];
  for (let at = 0; at < joints.length; at += influences) {
    row.set(out.weights.subarray(at, at + influences));
    rowJoints.set(out.joints.subarray(at, at + influences));
    const sum = row.reduce((total, w) => total + w, 0);
    if (sum > 0) for (let s = 0; s < influences; s++) row[s] /= sum;
    canonicalInfluences(rowJoints, row, influences);
    out.joints.set(rowJoints, at);
    out.weights.set(row, at);
  }
  return out;
}

/** The weights of a part by its own bones. A vertex that follows none of them follows the first. */
export function ownSkin({ influences, joints, weights }: SkinWeights, { vertices, bones }: PartVertices): SkinWeights {
  const ownOf = new Map([...bones].map(([own, shared]) => [shared, own]));
  const [first] = bones.keys();
  const out = gatherSkin({ influences, joints, weights }, vertices);
  for (let s = 0; s < out.joints.length; s++) {
    if (s % influences === 0 && out.weights[s] === 0) [out.joints[s], out.weights[s]] = [first, 1];
    else out.joints[s] = out.weights[s] > 0 ? ownOf.get(out.joints[s])! : 0;
  }
  return out;
}

/** All vertices on the one bone that the model follows. */
export const rigidSkin = ({ weights: { joints } }: SkinnedModel, vertices: number): SkinWeights => ({
  influences: 1,
  joints: new Uint16Array(vertices).fill(joints[0]),
  weights: new Float32Array(vertices).fill(1),
});
