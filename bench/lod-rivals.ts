import { simplifyMesh } from '@luma.gl/engine';
import { MeshoptSimplifier } from 'meshoptimizer/simplifier';
import type { PosedSurface } from '../src/lod/surface.ts';
import { gatherRows } from '../src/math/rows.ts';
import { connectedComponents } from '../src/mesh/adjacency.ts';
import { uniqueRows } from '../src/mesh/unique-rows.ts';
import { canonicalInfluences } from '../src/model/influences.ts';
import { type Mesh, splitVertexCount } from '../src/model/mesh.ts';
import type { Morph, SkinWeights } from '../src/model/skinned-model.ts';
import { Refitter, type Simplified } from './lod-refit.ts';

/** Other simplifiers on the same surface, each with all settings worth trying. */

export interface Rival {
  name: string;
  /** What family its figures are told under. */
  kind: 'plain' | 'attributes' | 'update' | 'permissive' | 'luma.gl';
  run(target: number): Simplified;
}

/** meshoptimizer takes so many attributes. */
const MOST_ATTRIBUTES = 32;
/** Weights that are tried for posed positions, in sizes of the mesh, and for skin weights beside them. */
export const POSED_WEIGHTS = [0.1, 1, 10, 30, 100, 300, 1000];
export const BONE_WEIGHTS = [0.1, 0.3, 1];
const UV_WEIGHT = 1;
const NORMAL_WEIGHT = 0.05;

/** Everything per split vertex. */
interface Split {
  indices: Uint32Array;
  positions: Float32Array;
  skin: SkinWeights;
  morphs: Morph[];
  uvs?: Float32Array;
  normals?: Float32Array;
  /** K − 1 poses, scaled to the size of the mesh. */
  posed: Float32Array[];
  /** Of each split vertex: the piece of surface without seams that it belongs to. */
  chartOf: Uint32Array;
}

/** Normals of a vertex that turn by less, in degrees, are one: what our own surface has for smooth. */
const CREASE = 30;

/**
 * The fewest split vertices that keep uvs and hard edges: those of a vertex with the same uvs and normals within the crease are one,
 * with their mean normal. Rivals do better with it than with the file's own vertices.
 */
function softened(
  mesh: Mesh,
  vertexOf: Uint32Array,
): { classOf: Uint32Array; firstOf: Uint32Array; normals?: Float32Array } {
  const { normals } = mesh;
  const least = Math.cos((CREASE * Math.PI) / 180);
  const { classOf: alike } = uniqueRows(vertexOf.length, [vertexOf, ...(mesh.uvs ? [mesh.uvs] : [])]);
  const classOf = new Uint32Array(vertexOf.length);
  const firstOf: number[] = [];
  const members = new Map<number, number[]>();
  const dot = (a: number, b: number) =>
    [0, 1, 2].reduce((sum, c) => sum + normals![3 * a + c] * normals![3 * b + c], 0);
  for (let w = 0; w < vertexOf.length; w++) {
    const known = members.get(alike[w]) ?? [];
    const same = known.find((group) => !normals || dot(firstOf[group], w) >= least);
    classOf[w] = same ?? firstOf.push(w) - 1;
    if (same === undefined) members.set(alike[w], [...known, classOf[w]]);
  }
  if (!normals) return { classOf, firstOf: Uint32Array.from(firstOf) };
  const sums = new Float32Array(3 * firstOf.length);
  for (let c = 0; c < normals.length; c++) sums[3 * classOf[Math.floor(c / 3)] + (c % 3)] += normals[c];
  return { classOf, firstOf: Uint32Array.from(firstOf), normals: unit(sums) };
}

function splitOf({ mesh, poses, skin, morphs = [] }: PosedSurface): Split {
  const vertexOf = mesh.seams?.vertexOf ?? Uint32Array.from({ length: splitVertexCount(mesh) }, (_, i) => i);
  const wide = (values: Float32Array, stride: number) => gatherRows(values, stride, vertexOf);
  const { influences, joints, weights } = skin!.weights;
  const positions = wide(mesh.positions, 3);
  const { classOf, firstOf, normals } = softened(mesh, vertexOf);
  const alike = (values: Float32Array, stride: number) => gatherRows(values, stride, firstOf);
  const size = MeshoptSimplifier.getScale(positions, 3);
  const indices = (mesh.seams?.triangles ?? mesh.triangles).map((w) => classOf[w]);
  return {
    indices,
    chartOf: connectedComponents(indices, firstOf.length).componentOf,
    positions: alike(positions, 3),
    skin: {
      influences,
      joints: gatherRows(gatherRows(joints, influences, vertexOf), influences, firstOf),
      weights: alike(wide(weights, influences), influences),
    },
    morphs: morphs.map(({ name, positions: offsets }) => ({ name, positions: alike(wide(offsets, 3), 3) })),
    uvs: mesh.uvs && alike(mesh.uvs, 2),
    normals,
    posed: poses.slice(1).map((pose) =>
      alike(
        wide(
          Float32Array.from(pose, (x) => x / size),
          3,
        ),
        3,
      ),
    ),
  };
}

interface Attributes {
  /** Per split vertex, interleaved. */
  values: Float32Array;
  weights: number[];
  /** Where they start. */
  uvs: number;
  normals: number;
  bones: number;
}

/** Uvs, normals, skin weights of `bones`, then as many posed positions as there is room for. */
function attributesOf(split: Split, posedWeight: number, bones: readonly number[], boneWeight: number): Attributes {
  const w = split.positions.length / 3;
  const weights: number[] = [];
  const columns: ((i: number) => number)[] = [];
  const add = (weight: number, column: (i: number) => number) => {
    weights.push(weight);
    columns.push(column);
    return columns.length - 1;
  };
  const at = { uvs: -1, normals: -1, bones: -1 };
  const { uvs, normals, skin } = split;
  if (uvs) at.uvs = [0, 1].map((c) => add(UV_WEIGHT, (i) => uvs[2 * i + c]))[0];
  if (normals) at.normals = [0, 1, 2].map((c) => add(NORMAL_WEIGHT, (i) => normals[3 * i + c]))[0];
  if (bones.length > 0) {
    at.bones = columns.length;
    for (const bone of bones) {
      add(boneWeight, (i) => {
        let sum = 0;
        for (let s = 0; s < skin.influences; s++) {
          if (skin.joints[skin.influences * i + s] === bone) sum += skin.weights[skin.influences * i + s];
        }
        return sum;
      });
    }
  }
  const room = Math.floor((MOST_ATTRIBUTES - columns.length) / 3);
  const step = Math.max(1, split.posed.length / room);
  const chosen = split.posed.filter((_, k) => Math.floor(k / step) !== Math.floor((k - 1) / step)).slice(0, room);
  for (const pose of chosen) for (let c = 0; c < 3; c++) add(posedWeight, (i) => pose[3 * i + c]);
  const values = new Float32Array(columns.length * w);
  columns.forEach((column, c) => {
    for (let i = 0; i < w; i++) values[columns.length * i + c] = column(i);
  });
  return { values, weights, ...at };
}

/** What is left, with its vertices numbered anew. */
function compact(
  split: Split,
  indices: Uint32Array,
  positions = split.positions,
  updated?: Attributes & { boneList: readonly number[] },
): Simplified {
  const used = [...new Set(indices)];
  const placeOf = new Map(used.map((w, i) => [w, i]));
  const pick = (values: Float32Array, stride: number) =>
    Float32Array.from(
      { length: stride * used.length },
      (_, c) => values[stride * used[Math.floor(c / stride)] + (c % stride)],
    );
  const column = (start: number, size: number): Float32Array =>
    Float32Array.from({ length: size * used.length }, (_, c) => {
      const stride = updated!.weights.length;
      return updated!.values[stride * used[Math.floor(c / size)] + start + (c % size)];
    });
  const { influences } = split.skin;
  const uvs = split.uvs && (updated && updated.uvs >= 0 ? column(updated.uvs, 2) : pick(split.uvs, 2));
  const normals =
    split.normals && unit(updated && updated.normals >= 0 ? column(updated.normals, 3) : pick(split.normals, 3));
  const given: SkinWeights = {
    influences,
    joints: Uint16Array.from(
      { length: influences * used.length },
      (_, s) => split.skin.joints[influences * used[Math.floor(s / influences)] + (s % influences)],
    ),
    weights: pick(split.skin.weights, influences),
  };
  return {
    mesh: {
      positions: pick(positions, 3),
      triangles: indices.map((w) => placeOf.get(w)!),
      ...(uvs && { uvs }),
      ...(normals && { normals }),
    },
    weights:
      updated && updated.bones >= 0
        ? fourLargest(column(updated.bones, updated.boneList.length), updated.boneList)
        : given,
    morphs: split.morphs.map(({ name, positions: offsets }) => ({ name, positions: pick(offsets, 3) })),
    chartOf: Uint32Array.from({ length: indices.length / 3 }, (_, f) => split.chartOf[indices[3 * f]]),
  };
}

function unit(normals: Float32Array): Float32Array {
  for (let i = 0; i < normals.length; i += 3) {
    const length = Math.hypot(normals[i], normals[i + 1], normals[i + 2]) || 1;
    for (let c = i; c < i + 3; c++) normals[c] /= length;
  }
  return normals;
}

function fourLargest(dense: Float32Array, bones: readonly number[]): SkinWeights {
  const n = dense.length / bones.length;
  const out: SkinWeights = { influences: 4, joints: new Uint16Array(4 * n), weights: new Float32Array(4 * n) };
  for (let i = 0; i < n; i++) {
    const row = Float64Array.from(bones, (_, b) => Math.max(0, dense[bones.length * i + b]));
    const joints = Uint16Array.from(bones);
    const kept = Math.min(4, canonicalInfluences(joints, row, bones.length));
    const sum = row.subarray(0, kept).reduce((a, b) => a + b, 0) || 1;
    out.joints.set(joints.subarray(0, kept), 4 * i);
    out.weights.set(
      Array.from(row.subarray(0, kept), (x) => x / sum),
      4 * i,
    );
  }
  return out;
}

/** All rivals for a surface with a skin, and our fit for what they make. Without seams `Permissive` means nothing. */
export async function rivalsFor(surface: PosedSurface): Promise<{ rivals: Rival[]; refitter: Refitter }> {
  await MeshoptSimplifier.ready;
  const split = splitOf(surface);
  const hasSeams = surface.mesh.seams !== undefined;
  const bones = [...new Set(split.skin.joints.filter((_, s) => split.skin.weights[s] > 0))];
  const plain: Rival = {
    name: 'simplify',
    kind: 'plain',
    run: (target) => compact(split, MeshoptSimplifier.simplify(split.indices, split.positions, 3, 3 * target, 1)[0]),
  };
  const settings = POSED_WEIGHTS.map((weight) => ({
    weight,
    bones: [] as number[],
    boneWeight: 0,
    name: `posed ${weight}`,
  }));
  const room = MOST_ATTRIBUTES - (split.uvs ? 2 : 0) - (split.normals ? 3 : 0) - 3;
  if (bones.length <= room) {
    for (const boneWeight of BONE_WEIGHTS) {
      settings.push({ weight: 100, bones, boneWeight, name: `posed 100, skin weights ${boneWeight}` });
    }
  }
  const all = settings.flatMap(({ weight, bones: list, boneWeight, name }): Rival[] => {
    const made = attributesOf(split, weight, list, boneWeight);
    const stride = made.weights.length;
    const withAttributes = (flags: 'Permissive'[]) => (target: number) =>
      compact(
        split,
        MeshoptSimplifier.simplifyWithAttributes(
          split.indices,
          split.positions,
          3,
          made.values,
          stride,
          made.weights,
          null,
          3 * target,
          1,
          flags,
        )[0],
      );
    const withUpdate = (flags: 'Permissive'[]) => (target: number) => {
      const [indices, positions, values] = [split.indices.slice(), split.positions.slice(), made.values.slice()];
      const [count] = MeshoptSimplifier.simplifyWithUpdate(
        indices,
        positions,
        3,
        values,
        stride,
        made.weights,
        null,
        3 * target,
        1,
        flags,
      );
      return compact(split, indices.slice(0, count), positions, { ...made, values, boneList: list });
    };
    return [
      { name: `simplifyWithAttributes, ${name}`, kind: 'attributes', run: withAttributes([]) },
      { name: `simplifyWithUpdate, ${name}`, kind: 'update', run: withUpdate([]) },
      ...(hasSeams
        ? [
            {
              name: `simplifyWithAttributes, Permissive, ${name}`,
              kind: 'permissive' as const,
              run: withAttributes(['Permissive']),
            },
            {
              name: `simplifyWithUpdate, Permissive, ${name}`,
              kind: 'permissive' as const,
              run: withUpdate(['Permissive']),
            },
          ]
        : []),
    ];
  });
  const charts = surface.mesh.triangles
    .filter((_, c) => c % 3 === 0)
    .map((_, f) => split.chartOf[split.indices[3 * f]]);
  const refitter = new Refitter(surface, split.indices, charts);
  return { rivals: [plain, ...all, ...lumaRivals(split)], refitter };
}

/** Weights that are tried for what luma.gl keeps: joints and skin weights. */
const LUMA_WEIGHTS = [0.1, 1, 10];

/** luma.gl's simplifyMesh, with attributes as its documentation has them. */
function lumaRivals(split: Split): Rival[] {
  const { influences, joints, weights } = split.skin;
  return LUMA_WEIGHTS.map((weight) => {
    const attributes = [
      { values: joints, size: influences, weight },
      { values: weights, size: influences, weight },
      ...(split.uvs ? [{ values: split.uvs, size: 2 }] : []),
      ...(split.normals ? [{ values: split.normals, size: 3 }] : []),
    ];
    return {
      name: `luma.gl simplifyMesh, skin ${weight}`,
      kind: 'luma.gl',
      run: (target) => {
        const { positions, indices } = split;
        const found = simplifyMesh({ positions, indices, targetIndexCount: 3 * target, attributes });
        return compact(split, Uint32Array.from(found.indices));
      },
    };
  });
}
