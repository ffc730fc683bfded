import { type Clip, type Mesh, readAsset, type Skeleton, type SkinnedModel } from '../src/index.ts';
import { boundsOf } from '../src/mesh/bounds.ts';
import { type Limb, limbFunction, mirrored, type Point, smoothUnion } from '../src/mesh/implicit/implicit.ts';
import { polygonize } from '../src/mesh/implicit/polygonize.ts';
import { emptyAsset } from '../src/model/asset.ts';
import { clipFrameCount } from '../src/model/skeleton.ts';
import { nodeFiles } from '../src/platform/node/index.ts';
import { bind } from '../src/rig/bind/bind.ts';
import { trimInfluences } from '../src/rig/bind/trim.ts';
import { framesOf } from '../src/rig/clip-frames.ts';
import { type BoneSketch, skeletonOf } from '../src/rig/samples/skeleton.ts';
import { motionsOf, type NameMap, playOn } from '../src/verbs/other-motions.ts';
import { realData } from './data.ts';

/**
 * Characters with the 65 joints that automatic riggers give: four joints a finger, names with a prefix, a T-pose. The body
 * and both hands are closed surfaces of their own, as fine as each needs, that go into each other at the wrists.
 */

/** How a character is built. */
export interface Build {
  vertices: number;
  /** Of the limbs' radii. */
  girth: number;
  /** Part of the vertices that are in the hands. */
  hands: number;
}

const FORWARD: Point = [0, 0, 1];
const UP: Point = [0, 1, 0];
const PREFIX = 'mixamorig:';

const MIDDLE: readonly [name: string, parent: string | undefined, head: Point, tail: Point][] = [
  ['Hips', undefined, [0, 0.98, 0], [0, 1.08, 0]],
  ['Spine', 'Hips', [0, 1.08, 0], [0, 1.2, 0]],
  ['Spine1', 'Spine', [0, 1.2, 0], [0, 1.32, 0]],
  ['Spine2', 'Spine1', [0, 1.32, 0], [0, 1.48, 0]],
  ['Neck', 'Spine2', [0, 1.48, 0], [0, 1.57, 0]],
  ['Head', 'Neck', [0, 1.57, 0], [0, 1.76, 0]],
  ['HeadTop_End', 'Head', [0, 1.76, 0], [0, 1.8, 0]],
];

const LEFT: readonly [name: string, parent: string, head: Point, tail: Point][] = [
  ['Shoulder', 'Spine2', [0.05, 1.43, 0], [0.18, 1.43, 0]],
  ['Arm', 'Shoulder', [0.18, 1.43, 0], [0.45, 1.43, 0]],
  ['ForeArm', 'Arm', [0.45, 1.43, 0], [0.7, 1.43, 0]],
  ['Hand', 'ForeArm', [0.7, 1.43, 0], [0.79, 1.43, 0]],
  ['UpLeg', 'Hips', [0.09, 0.95, 0], [0.095, 0.53, 0.005]],
  ['Leg', 'UpLeg', [0.095, 0.53, 0.005], [0.1, 0.09, -0.01]],
  ['Foot', 'Leg', [0.1, 0.09, -0.01], [0.105, 0.03, 0.11]],
  ['ToeBase', 'Foot', [0.105, 0.03, 0.11], [0.105, 0.03, 0.18]],
  ['Toe_End', 'ToeBase', [0.105, 0.03, 0.18], [0.105, 0.03, 0.2]],
];

/** Where a finger begins, where it points, and the length of each of its three parts. */
const FINGERS: readonly [name: string, head: Point, along: Point, part: number, radius: number][] = [
  ['Thumb', [0.725, 1.425, 0.03], [0.72, -0.1, 0.68], 0.032, 0.011],
  ['Index', [0.79, 1.43, 0.032], [1, 0, 0.06], 0.027, 0.0088],
  ['Middle', [0.795, 1.43, 0.009], [1, 0, 0], 0.03, 0.009],
  ['Ring', [0.79, 1.43, -0.014], [1, 0, -0.05], 0.027, 0.0088],
  ['Pinky', [0.78, 1.43, -0.036], [1, 0, -0.12], 0.021, 0.008],
];

const along = (head: Point, way: Point, length: number): Point => {
  const scale = length / Math.hypot(...way);
  return [head[0] + scale * way[0], head[1] + scale * way[1], head[2] + scale * way[2]];
};

function characterBones(): BoneSketch[] {
  const bones: BoneSketch[] = MIDDLE.map(([name, parent, head, tail]) => ({
    name,
    parent,
    head,
    tail,
    front: FORWARD,
  }));
  for (const [side, sign] of [
    ['Left', 1],
    ['Right', -1],
  ] as const) {
    const at = ([x, y, z]: Point): Point => [sign * x, y, z];
    for (const [name, parent, head, tail] of LEFT) {
      const above = MIDDLE.some(([middle]) => middle === parent) ? parent : `${side}${parent}`;
      const front = name.startsWith('Foot') || name.startsWith('Toe') ? UP : FORWARD;
      bones.push({ name: `${side}${name}`, parent: above, head: at(head), tail: at(tail), front });
    }
    for (const [finger, head, way, part] of FINGERS) {
      for (let p = 0; p < 4; p++) {
        const parent = p === 0 ? `${side}Hand` : `${side}Hand${finger}${p}`;
        const ends = [along(head, way, p * part), along(head, way, (p + 1) * part)].map(at);
        bones.push({ name: `${side}Hand${finger}${p + 1}`, parent, head: ends[0], tail: ends[1], front: UP });
      }
    }
  }
  const named = (name: string): string => `${PREFIX}${name}`;
  return bones.map((bone) => ({ ...bone, name: named(bone.name), parent: bone.parent && named(bone.parent) }));
}

const TORSO: readonly Limb[] = [
  { a: [-0.05, 0.97, 0], b: [0.05, 0.97, 0], ra: 0.12, rb: 0.12, squash: [1, 1, 0.9] },
  { a: [0, 1.04, 0], b: [0, 1.34, 0], ra: 0.12, rb: 0.135, squash: [1.1, 1, 0.8] },
  { a: [-0.13, 1.42, -0.01], b: [0.13, 1.42, -0.01], ra: 0.068, rb: 0.068 },
  { a: [0, 1.44, -0.01], b: [0, 1.57, 0], ra: 0.062, rb: 0.053 },
  { a: [0, 1.66, 0.01], b: [0, 1.66, 0.01], ra: 0.105, rb: 0.105, squash: [0.8, 1, 0.95] },
];

const SIDE: readonly Limb[] = [
  { a: [0.17, 1.43, 0], b: [0.45, 1.43, 0], ra: 0.06, rb: 0.041 },
  { a: [0.45, 1.43, 0], b: [0.53, 1.43, 0], ra: 0.041, rb: 0.045 },
  { a: [0.53, 1.43, 0], b: [0.7, 1.43, 0], ra: 0.045, rb: 0.03 },
  { a: [0.092, 0.93, 0], b: [0.095, 0.53, 0.005], ra: 0.095, rb: 0.052 },
  { a: [0.095, 0.53, 0.005], b: [0.1, 0.09, -0.01], ra: 0.051, rb: 0.034 },
  { a: [0.1, 0.4, -0.02], b: [0.1, 0.3, -0.022], ra: 0.044, rb: 0.038 },
  { a: [0.1, 0.045, -0.03], b: [0.105, 0.04, 0.11], ra: 0.042, rb: 0.036 },
  { a: [0.105, 0.04, 0.11], b: [0.105, 0.035, 0.17], ra: 0.036, rb: 0.028, squash: [1.3, 0.9, 1] },
];

const HAND: readonly Limb[] = [
  { a: [0.68, 1.43, 0], b: [0.72, 1.43, 0], ra: 0.027, rb: 0.026, squash: [1, 0.8, 1] },
  ...[0.026, 0.007, -0.012, -0.03].map(
    (z): Limb => ({ a: [0.72, 1.43, 0.6 * z], b: [0.785, 1.43, z], ra: 0.017, rb: 0.0125 }),
  ),
  ...FINGERS.map(
    ([, head, way, part, radius]): Limb => ({
      ...{ a: head, b: along(head, way, 3 * part) },
      ...{ ra: radius, rb: 0.85 * radius },
    }),
  ),
];

function surface(limbs: readonly Limb[], blend: number, vertices: number): Mesh {
  const { min, max } = boundsOf(limbs.flatMap(({ a, b }) => [...a, ...b]));
  const margin = 2 * Math.max(...limbs.map(({ ra, rb }) => Math.max(ra, rb)));
  for (let c = 0; c < 3; c++) {
    min[c] -= margin;
    max[c] += margin;
  }
  return polygonize(smoothUnion(limbs.map(limbFunction), blend), { min, max }, vertices);
}

function together(meshes: readonly Mesh[]): Mesh {
  const positions: number[] = [];
  const triangles: number[] = [];
  for (const mesh of meshes) {
    const first = positions.length / 3;
    for (const i of mesh.triangles) triangles.push(first + i);
    for (const x of mesh.positions) positions.push(x);
  }
  return {
    positions: Float32Array.from(positions),
    triangles: Uint32Array.from(triangles),
    space: { up: 'y', metresPerUnit: 1 },
  };
}

/** A character without clips. */
export async function character(name: string, { vertices, girth, hands }: Build): Promise<SkinnedModel> {
  const wide = (limb: Limb): Limb => ({ ...limb, ra: girth * limb.ra, rb: girth * limb.rb });
  const both = (limbs: readonly Limb[]): Limb[] => [...limbs, ...limbs.map(mirrored)];
  const left = surface(HAND, 0.008, Math.round((hands * vertices) / 2));
  const right: Mesh = {
    positions: left.positions.map((x, c) => (c % 3 === 0 ? -x : x)),
    triangles: left.triangles.map((_, c, all) => all[c % 3 === 0 ? c : c % 3 === 1 ? c + 1 : c - 1]),
  };
  const body = surface([...TORSO.map(wide), ...both(SIDE.map(wide))], 0.04, Math.round((1 - hands) * vertices));
  const mesh = { ...together([body, left, right]), name };
  const skeleton = skeletonOf(characterBones());
  const { weights } = await bind(mesh, skeleton, {});
  return { name, mesh, skeleton, weights: trimInfluences(weights, 4).weights, clips: [], operator: 'lbs' };
}

/** Clips at most so many frames long. */
const FRAMES = 120;

/** Captured clips on a rig, thinned; none where the data are absent. */
export async function capturedClips(skeleton: Skeleton, files: readonly string[], map: NameMap = {}): Promise<Clip[]> {
  const clips: Clip[] = [];
  for (const file of files) {
    const path = realData(`bvh/${file}.bvh`);
    if (!path) continue;
    const asset = await readAsset(nodeFiles, [path]);
    for (const motion of motionsOf('bench', { ...emptyAsset('bvh', 0), motions: asset.motions })) {
      for (const clip of playOn('bench', { skeleton }, motion, map, [])) {
        const stride = Math.ceil(clipFrameCount(clip) / FRAMES);
        const kept = Array.from(clip.times.keys()).filter((k) => k % stride === 0);
        clips.push({ ...framesOf(clip, kept), name: file });
      }
    }
  }
  return clips;
}
