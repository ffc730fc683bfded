import { readFileSync } from 'node:fs';

import { memorySource } from '../../../src/io/files.ts';
import { type GltfReading, readGltf } from '../../../src/io/read-gltf.ts';
import { invert34 } from '../../../src/math/matrix34.ts';
import { quaternionFromAxisAngle } from '../../../src/math/quaternion.ts';
import { seededRandom } from '../../../src/math/rng.ts';
import { forwardKinematics, skinTransforms } from '../../../src/math/trs.ts';
import type { Asset } from '../../../src/model/asset.ts';
import type { Image, Material, MaterialDefinition, Mesh } from '../../../src/model/mesh.ts';
import type { Clip, Skeleton } from '../../../src/model/skeleton.ts';
import type { SkinnedModel } from '../../../src/model/skinned-model.ts';
import { memoryFiles } from '../support.ts';

export { Bin, binOf, glbOf, jsonOf } from '../../../bench/engines/glb-file.ts';

export const readGlb = (
  bytes: Uint8Array,
  files: Record<string, Uint8Array> = {},
  path = 'folder/file.glb',
  reading: GltfReading = {},
) => readGltf(memorySource(path, bytes), memoryFiles(files), path, reading) as Promise<Asset>;

/** The smallest PNG: one white pixel. */
export const PNG = Uint8Array.from(
  atob('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=='),
  (letter) => letter.charCodeAt(0),
);

const material = (name: string, more: Partial<Material> = {}): Material => ({
  name,
  baseColor: [0.5, 0.25, 1, 1],
  metallic: 0,
  roughness: 0.75,
  doubleSided: true,
  ...more,
});

/** A tube along y with a uv seam, `rings` + 1 rings of `sides` vertices, two groups, one of them textured. */
export function tubeMesh(rings = 8, sides = 6): Mesh {
  const positions: number[] = [];
  const uvs: number[] = [];
  const normals: number[] = [];
  const vertexOf: number[] = [];
  const around = sides + 1;
  for (let r = 0; r <= rings; r++) {
    for (let s = 0; s <= sides; s++) {
      const angle = (2 * Math.PI * (s % sides)) / sides;
      if (s < sides) positions.push(0.3 * Math.cos(angle), (2 * r) / rings, 0.3 * Math.sin(angle));
      vertexOf.push(r * sides + (s % sides));
      uvs.push(s / sides, r / rings);
      normals.push(Math.cos(angle), 0, Math.sin(angle));
    }
  }
  const split: number[] = [];
  for (let r = 0; r < rings; r++) {
    for (let s = 0; s < sides; s++) {
      const a = r * around + s;
      split.push(a, a + around, a + 1, a + 1, a + around, a + around + 1);
    }
  }
  const half = sides * rings;
  return {
    name: 'tube',
    positions: Float32Array.from(positions),
    triangles: Uint32Array.from(split, (w) => vertexOf[w]),
    uvs: Float32Array.from(uvs),
    normals: Float32Array.from(normals),
    seams: { vertexOf: Uint32Array.from(vertexOf), triangles: Uint32Array.from(split) },
    groups: [
      { name: 'lower', start: 0, count: half, material: 0 },
      { name: 'upper', start: half, count: split.length / 3 - half, material: 1 },
    ],
    materials: [
      material('lower', { baseColorTexture: { mimeType: 'image/png', bytes: PNG } }),
      material('paint', { alphaMode: 'BLEND' }),
    ],
  };
}

const image = (name: string): Image => ({ name, mimeType: 'image/png', bytes: PNG.slice() });

/** The tube with everything that a glTF material can say, two sets of uvs, colours and a custom attribute. */
export function richTube(rings = 8, sides = 6): Mesh {
  const mesh = tubeMesh(rings, sides);
  const w = mesh.uvs!.length / 2;
  const slot = (index: number, more = {}) => ({ index, ...more });
  const transform = { KHR_texture_transform: { offset: [0.5, 0.25], rotation: 0.5, scale: [2, 4], texCoord: 1 } };
  const gltf: MaterialDefinition = {
    material: {
      name: 'skin',
      extras: { shader: 'skin', index: 3 },
      pbrMetallicRoughness: {
        baseColorFactor: [0.5, 0.25, 1, 1],
        roughnessFactor: 0.75,
        baseColorTexture: slot(0, { extensions: transform }),
        metallicRoughnessTexture: slot(1, { texCoord: 1 }),
      },
      normalTexture: slot(2, { scale: 0.5 }),
      occlusionTexture: slot(1, { strength: 0.25, texCoord: 1 }),
      emissiveTexture: slot(3),
      emissiveFactor: [1, 0.5, 0],
      alphaMode: 'MASK',
      alphaCutoff: 0.25,
      doubleSided: true,
      extensions: {
        KHR_materials_clearcoat: { clearcoatFactor: 0.5, clearcoatTexture: slot(4) },
        KHR_materials_ior: { ior: 1.25 },
      },
    },
    textures: [
      { source: 0, sampler: 0 },
      { source: 1, sampler: 1, name: 'packed' },
      { source: 2 },
      { source: 3, sampler: 0 },
      { source: 0 },
    ],
    samplers: [
      { magFilter: 9728, minFilter: 9987, wrapS: 33071, wrapT: 33648 },
      { magFilter: 9729, minFilter: 9729 },
    ],
    images: ['base', 'packed', 'normal', 'emissive'].map(image),
  };
  const [, paint] = mesh.materials!;
  const skin = material('skin', { metallic: 1, alphaMode: 'MASK', baseColorTexture: gltf.images[0], gltf });
  const values = (size: number) => Float32Array.from({ length: size * w }, (_, c) => (c % 16) / 16);
  const tangents = Float32Array.from({ length: 4 * w }, (_, c) => {
    const [x, , z] = mesh.normals!.subarray(3 * Math.floor(c / 4));
    return [-z, 0, x, 1][c % 4];
  });
  return {
    ...mesh,
    groups: mesh.groups!.map((group, g) => ({ ...group, name: ['skin', 'paint'][g] })),
    materials: [skin, paint],
    attributes: {
      COLOR_0: { size: 4, values: Uint8Array.from({ length: 4 * w }, (_, c) => c % 256), normalized: true },
      COLOR_1: { size: 3, values: values(3) },
      TANGENT: { size: 4, values: tangents },
      TEXCOORD_1: { size: 2, values: values(2) },
      _HEAT: { size: 1, values: values(1) },
    },
  };
}

/** A chain of bones along y, each of the given length, with rest = bind. */
function chainSkeleton(bones: number, length: number): Skeleton {
  const parents = Int32Array.from({ length: bones }, (_, j) => j - 1);
  const restLocals = new Float32Array(10 * bones);
  for (let j = 0; j < bones; j++) restLocals.set([0, j === 0 ? 0 : length, 0, 0, 0, 0, 1, 1, 1, 1], 10 * j);
  return {
    names: Array.from(parents, (_, j) => `bone ${j}`),
    parents,
    restLocals,
    inverseBind: bindOf(parents, restLocals),
  };
}

export function bindOf(parents: Int32Array, restLocals: Float32Array): Float32Array {
  const worlds = new Float64Array(12 * parents.length);
  forwardKinematics(worlds, parents, restLocals);
  const inverseBind = new Float32Array(worlds.length);
  for (let j = 0; j < parents.length; j++) invert34(inverseBind, 12 * j, worlds, 12 * j);
  return inverseBind;
}

/** A clip in which every bone turns, the first one moves and the last one grows. */
export function wavingClip(name: string, skeleton: Skeleton, frames: number, seed: number): Clip {
  const random = seededRandom(seed);
  const b = skeleton.parents.length;
  const locals = new Float32Array(10 * b * frames);
  const axes = Array.from({ length: b }, () => {
    const a = [random() - 0.5, random() - 0.5, random() - 0.5];
    const n = Math.hypot(...a);
    return a.map((x) => x / n);
  });
  for (let k = 0; k < frames; k++) {
    const t = frames > 1 ? k / (frames - 1) : 0;
    for (let j = 0; j < b; j++) {
      const at = 10 * (k * b + j);
      locals.set(skeleton.restLocals.subarray(10 * j, 10 * j + 10), at);
      const [x, y, z] = axes[j];
      quaternionFromAxisAngle(locals, at + 3, x, y, z, 4 * t);
    }
    locals[10 * k * b] += t;
    locals[10 * (k * b + b - 1) + 7] = 1 + 0.5 * t;
  }
  const times = Float64Array.from({ length: frames }, (_, k) => Math.fround(k / 24));
  return { name, times, locals, transforms: skinTransforms(skeleton.parents, skeleton.inverseBind, locals) };
}

/** The tube on a chain of bones with smooth weights (k influences), and two clips. */
export function tubeModel(bones = 4, influences = 4): SkinnedModel {
  const mesh = tubeMesh();
  const skeleton = chainSkeleton(bones, 2 / bones);
  const n = mesh.positions.length / 3;
  const joints = new Uint16Array(n * influences);
  const weights = new Float32Array(n * influences);
  for (let i = 0; i < n; i++) {
    const y = mesh.positions[3 * i + 1] + 0.013; // Off the middle, so that no two weights are equal.
    const row = Array.from({ length: bones }, (_, j) => ({
      j,
      w: 1 / (0.1 + Math.abs(y - ((j + 0.5) * 2) / bones)) ** 2,
    }))
      .sort((a, b) => b.w - a.w || a.j - b.j)
      .slice(0, influences);
    const sum = row.reduce((total, { w }) => total + w, 0);
    row.forEach(({ j, w }, s) => {
      joints[i * influences + s] = j;
      weights[i * influences + s] = w / sum;
    });
  }
  return {
    name: 'tube',
    mesh,
    skeleton,
    weights: { influences, joints, weights },
    clips: [wavingClip('wave', skeleton, 9, 1), wavingClip('nod', skeleton, 5, 2)],
    operator: 'lbs',
  };
}

/**
 * The tube with three morphs: a bulge of one ring, a shear of everything, and one that nothing uses. The first clip dials
 * the bulge and, beyond 1, the shear; the second has no weights.
 */
export function morphedTube(bones = 4, influences = 4): SkinnedModel {
  const model = tubeModel(bones, influences);
  const { positions } = model.mesh;
  const y = (c: number) => positions[c - (c % 3) + 1];
  const [wave, nod] = model.clips;
  const p = wave.times.length;
  const morphWeights = Float32Array.from({ length: 3 * p }, (_, w) => {
    const t = Math.floor(w / 3) / (p - 1);
    return [Math.sin(3 * t), 5 * t * t - 2, 0][w % 3];
  });
  return {
    ...model,
    morphs: [
      { name: 'bulge', positions: positions.map((x, c) => (c % 3 !== 1 && Math.abs(y(c) - 1) < 0.1 ? x : 0)) },
      { name: 'shear', positions: positions.map((_, c) => (c % 3 === 0 ? 0.07 * y(c) + 0.01 : 0.02)) },
      { name: 'unused', positions: positions.map((_, c) => (c === 4 ? 0.25 : 0)) },
    ],
    clips: [{ ...wave, morphWeights }, nod],
  };
}

/** Linear blend skinning as its definition has it, of the rest pose with morphs dialled in. */
export function naiveLbs(
  { mesh, weights, morphs = [] }: SkinnedModel,
  transforms: Float32Array,
  morphWeights: Float32Array = new Float32Array(morphs.length),
): Float32Array {
  const out = new Float32Array(mesh.positions.length);
  const rest = Float64Array.from(mesh.positions, (x, c) =>
    morphs.reduce((sum, { positions }, m) => sum + morphWeights[m] * positions[c], x),
  );
  for (let i = 0; i < out.length / 3; i++) {
    for (let s = i * weights.influences; s < (i + 1) * weights.influences; s++) {
      const m = transforms.subarray(12 * weights.joints[s], 12 * weights.joints[s] + 12);
      for (let r = 0; r < 3; r++) {
        let x = m[4 * r + 3];
        for (let c = 0; c < 3; c++) x += m[4 * r + c] * rest[3 * i + c];
        out[3 * i + r] += weights.weights[s] * x;
      }
    }
  }
  return out;
}

/** The largest distance between corresponding points. */
export function largestDistance(a: ArrayLike<number>, b: ArrayLike<number>): number {
  if (a.length !== b.length) return Number.POSITIVE_INFINITY;
  let largest = 0;
  for (let i = 0; i < a.length; i += 3) {
    largest = Math.max(largest, Math.hypot(a[i] - b[i], a[i + 1] - b[i + 1], a[i + 2] - b[i + 2]));
  }
  return largest;
}

export const packageVersion = (): string =>
  JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')).version;
