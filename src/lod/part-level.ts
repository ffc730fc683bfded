import { gatherRows } from '../math/rows.ts';
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
    return [name, likeGiven(pick(values as Float32Array, size), size, like)];
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

/** Floats as the given attribute keeps its numbers. */
function likeGiven(floats: Float32Array, size: number, like: VertexAttribute): VertexAttribute {
  const narrow = size === like.size ? floats : floats.filter((_, c) => c % size < like.size);
  if (like.values instanceof Float32Array) return { ...like, values: narrow };
  const Kind = like.values.constructor as new (length: number) => typeof like.values;
  const values = new Kind(narrow.length);
  const isSigned = values instanceof Int8Array || values instanceof Int16Array;
  const largest = 2 ** (8 * values.BYTES_PER_ELEMENT - (isSigned ? 1 : 0)) - 1;
  const scale = like.normalized ? largest : 1;
  for (let c = 0; c < values.length; c++) {
    values[c] = Math.min(largest, Math.max(isSigned ? -largest : 0, Math.round(narrow[c] * scale)));
  }
  return { ...like, values };
}

/** The weights of some vertices. */
export const gatherSkin = ({ influences, joints, weights }: SkinWeights, rows: Uint32Array): SkinWeights => ({
  influences,
  joints: gatherRows(joints, influences, rows),
  weights: gatherRows(weights, influences, rows),
});

/** Weights of a model's own bones, of those only that its vertices followed before: others are no joints of its skin. */
export function ownSkin(
  { influences, joints, weights }: SkinWeights,
  shared: Uint16Array,
  before: SkinWeights,
): SkinWeights {
  const followed = [...followedBones(before)];
  const ownOf = new Map(followed.map((j) => [shared[j], j]));
  const out: SkinWeights = {
    influences,
    joints: new Uint16Array(joints.length),
    weights: new Float32Array(weights.length),
  };
  const row = new Float64Array(influences);
  const rowJoints = new Uint16Array(influences);
  for (let at = 0; at < joints.length; at += influences) {
    let sum = 0;
    for (let s = 0; s < influences; s++) {
      const own = ownOf.get(joints[at + s]);
      row[s] = own === undefined ? 0 : weights[at + s];
      rowJoints[s] = own ?? 0;
      sum += row[s];
    }
    if (sum === 0) {
      row[0] = sum = 1;
      rowJoints[0] = followed[0];
    }
    for (let s = 0; s < influences; s++) row[s] /= sum;
    canonicalInfluences(rowJoints, row, influences);
    out.joints.set(rowJoints, at);
    out.weights.set(row, at);
  }
  return out;
}

/** All vertices on the one bone that the model follows. */
export const rigidSkin = ({ weights: { joints } }: SkinnedModel, vertices: number): SkinWeights => ({
  influences: 1,
  joints: new Uint16Array(vertices).fill(joints[0]),
  weights: new Float32Array(vertices).fill(1),
});
