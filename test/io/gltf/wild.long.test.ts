import { type AnimationClip, Matrix4, type SkinnedMesh, type Mesh as ThreeMesh, Vector3 } from 'three';
import { describe, expect, it } from 'vitest';
import type { Asset } from '../../../src/model/asset.ts';
import type { Mesh } from '../../../src/model/mesh.ts';
import { note } from '../../../src/model/note.ts';
import type { MeshSequence } from '../../../src/model/sequence.ts';
import { morphWeightsAt, poseAt, restClip } from '../../../src/skin/poses.ts';
import { loadInThree, type ThreeScene, threePosition } from '../../three-scene.ts';
import { binOf, glbOf, jsonOf, naiveLbs, readGlb } from './fixtures.ts';
import { Wild } from './wild.ts';
import { WILD_FILES } from './wild-files.ts';

/** What rounding to float32 leaves of a diagonal. */
const ROUNDING = 2e-5;

/** A thing of ours that a node of the file became. */
interface Shown {
  name: string;
  mesh: Mesh;
  /** 3N at a time of a clip; at rest when the clip does not move it. */
  positions(clip: string, t: number): Promise<Float32Array>;
}

function shownOf(asset: Asset): Shown[] {
  const byNode = new Map<string, MeshSequence[]>();
  for (const sequence of asset.sequences) {
    const node = sequence.rest.name!;
    byNode.set(node, [...(byNode.get(node) ?? []), sequence]);
  }
  return [
    ...asset.meshes.map((mesh) => ({ name: mesh.name!, mesh, positions: async () => mesh.positions })),
    ...asset.models.map((model) => ({
      name: model.name,
      mesh: model.mesh,
      positions: async (name: string, t: number) => {
        const clip = model.clips.find((one) => one.name === name) ?? restClip(model.skeleton, name);
        return naiveLbs(model, poseAt(model.skeleton, clip, t), morphWeightsAt(clip, t));
      },
    })),
    ...[...byNode].map(([name, sequences]) => ({
      name,
      mesh: sequences[0].rest,
      positions: async (clip: string, t: number) => {
        const sequence =
          sequences.find((one) => one.name === `${name} ${clip}`) ?? soleSequence(asset, sequences, clip);
        return sequence ? frameAt(sequence, t) : sequences[0].rest.positions;
      },
    })),
  ];
}

/** Where one clip only moves sequences, they have the names of their nodes. */
const soleSequence = (asset: Asset, sequences: MeshSequence[], clip: string): MeshSequence | undefined =>
  sequences.length === 1 && sequences[0].name === sequences[0].rest.name && morphClips(asset).includes(clip)
    ? sequences[0]
    : undefined;

const morphClips = ({ clipNames = [] }: Asset): string[] => clipNames.filter((name) => /talk|sing/.test(name));

/** Straight between frames. */
async function frameAt({ times, frameCount, readFrame }: MeshSequence, t: number): Promise<Float32Array> {
  const later = times.findIndex((time) => time > t);
  if (later <= 0) return readFrame(later === 0 ? 0 : frameCount - 1);
  const [a, b] = [await readFrame(later - 1), await readFrame(later)];
  const s = (t - times[later - 1]) / (times[later] - times[later - 1]);
  return a.map((x, c) => x + s * (b[c] - x));
}

/** The meshes of three.js that show a node: itself, or one per primitive below it. */
function meshesOf(three: ThreeScene, name: string, others: readonly string[]): ThreeMesh[] {
  const object = three.scene.getObjectByName(name)!;
  if ((object as ThreeMesh).isMesh) return [object as ThreeMesh];
  return object.children.filter((child) => (child as ThreeMesh).isMesh && !others.includes(child.name)) as ThreeMesh[];
}

/** The corners of all triangles, 9 numbers each. */
function threeCorners(meshes: readonly ThreeMesh[]): number[] {
  const point = new Vector3();
  return meshes.flatMap((mesh) => {
    const { index, attributes } = mesh.geometry;
    const corner = attributes.joints_1 ? eightInfluences(mesh as SkinnedMesh) : undefined;
    return Array.from({ length: index?.count ?? attributes.position.count }, (_, c) => {
      const vertex = index?.getX(c) ?? c;
      return (corner ? corner(vertex, point) : threePosition(mesh, vertex, point)).toArray();
    }).flat();
  });
}

/** three.js skins by four bones, and makes those weights sum to 1: here all eight, by its bones. */
function eightInfluences(mesh: SkinnedMesh) {
  const { position, skinIndex, skinWeight, joints_1: more, weights_1: moreWeights } = mesh.geometry.attributes;
  const { bones, boneInverses } = mesh.skeleton;
  const matrices = bones.map((bone, j) => new Matrix4().multiplyMatrices(bone.matrixWorld, boneInverses[j]));
  return (vertex: number, out: Vector3): Vector3 => {
    const rest = new Vector3().fromBufferAttribute(position, vertex);
    const second = [0, 1, 2, 3].map((s) => moreWeights.getComponent(vertex, s));
    const first = 1 - second.reduce((a, b) => a + b);
    out.set(0, 0, 0);
    for (let s = 0; s < 4; s++) {
      const moved = (joint: number) => rest.clone().applyMatrix4(matrices[joint]);
      out.addScaledVector(moved(skinIndex.getComponent(vertex, s)), first * skinWeight.getComponent(vertex, s));
      out.addScaledVector(moved(more.getComponent(vertex, s)), second[s]);
    }
    return out;
  };
}

const ORDERS = [
  [0, 1, 2],
  [1, 2, 0],
  [2, 0, 1],
  [0, 2, 1],
  [2, 1, 0],
  [1, 0, 2],
];

/** The largest distance of corners, whichever corner a triangle starts at and whichever way it turns. */
function largestCornerDistance(ours: number[], theirs: number[]): number {
  if (ours.length !== theirs.length) return Number.POSITIVE_INFINITY;
  let largest = 0;
  for (let f = 0; f < ours.length; f += 9) {
    const distances = ORDERS.map((order) =>
      Math.max(
        ...order.map((to, from) =>
          Math.hypot(...[0, 1, 2].map((c) => ours[f + 3 * from + c] - theirs[f + 3 * to + c])),
        ),
      ),
    );
    largest = Math.max(largest, Math.min(...distances));
  }
  return largest;
}

/** Every key of every track, half-way between, before the first and after the last. */
function timesOf(clip: AnimationClip): number[] {
  const keys = [...new Set(clip.tracks.flatMap(({ times }) => [...times]))].sort((a, b) => a - b);
  return [0, ...keys, ...keys.slice(1).map((t, k) => (t + keys[k]) / 2), keys[keys.length - 1] + 0.5];
}

describe('files as exporters write them, posed by us and by three.js at every key and half-way between', () => {
  it.each(WILD_FILES)('$name', async ({ make, edit, tolerance = ROUNDING }) => {
    const wild = new Wild();
    make(wild);
    const bytes = await wild.bytes(edit);
    const asset = await readGlb(bytes);
    const three = await loadInThree(bytes);
    const shown = shownOf(asset);
    const names = shown.map(({ name }) => name);
    const meshes = shown.map(({ name }) => meshesOf(three, name, names));
    expect(meshes.flat().length, 'every mesh of the scene is read').toBe(three.meshes.length);

    let motion = 0;
    for (const clip of three.animations) {
      for (const t of timesOf(clip)) {
        three.pose(clip, t);
        for (const [s, { name, mesh, positions }] of shown.entries()) {
          const theirs = threeCorners(meshes[s]);
          const corner = (from: Float32Array) =>
            Array.from(mesh.triangles, (i) => [...from.subarray(3 * i, 3 * i + 3)]).flat();
          const ours = corner(await positions(clip.name, t));
          const size = Math.max(1, ...theirs.map(Math.abs));
          expect(largestCornerDistance(ours, theirs) / size, `${name}, ${clip.name}, ${t} s`).toBeLessThan(tolerance);
          motion = Math.max(motion, largestCornerDistance(corner(mesh.positions), theirs) / size);
        }
      }
    }
    expect(motion, 'something moves').toBeGreaterThan(0.05);
  });

  it('normals of length 0 are computed from the faces', async () => {
    const wild = new Wild();
    const mesh = wild.mesh('still');
    const [primitive] = mesh.listPrimitives();
    const normals = new Float32Array(3 * 14).fill(0);
    normals.set([0, 0, 2]);
    primitive.setAttribute('NORMAL', wild.accessor('VEC3', normals));
    wild.node('still').setMesh(mesh);
    const bytes = await wild.bytes();
    const { meshes, notes } = await readGlb(glbOf(jsonOf(bytes), binOf(bytes)));
    expect(notes).toEqual([note('normals-computed', { count: 13 }, 'still shape')]);
    const [x, y, z] = meshes[0].normals!;
    expect([x, y, z]).toEqual([0, 0, 1]);
    for (let i = 0; i < 14; i++) expect(Math.hypot(...meshes[0].normals!.subarray(3 * i, 3 * i + 3))).toBeCloseTo(1, 6);
  });
});
