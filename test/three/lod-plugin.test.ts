import { type BufferGeometry, type Group, type Mesh, type SkinnedMesh, Vector3 } from 'three';
import { type GLTF, GLTFLoader } from 'three/examples/jsm/loaders/GLTFLoader.js';
import { describe, expect, it } from 'vitest';
import { LodLoaderPlugin, type LodMesh, SkinnedCrowd } from '../../adapters/three/index.ts';
import { fileForPlayers } from '../../bench/engines/player.ts';
import { RIG_FILES } from '../../bench/engines/rig-files.ts';
import { openGlb } from '../../bench/engines/verbs.ts';
import { leveledGltf } from '../../src/io/edit-levels.ts';
import { writeModelGlb } from '../../src/io/write-glb.ts';
import { joined } from '../../src/model/bytes.ts';
import { binOf, glbOf, jsonOf, morphedTube } from '../io/gltf/fixtures.ts';
import { poseAt } from '../three-pose.ts';

const MAX = 0.004;

/** A file in which every skinned mesh has itself as two further levels. */
async function leveled(given: Uint8Array): Promise<Uint8Array> {
  const { models, source } = await openGlb(given);
  const nodes = models.map(({ mesh, weights, morphs, mixWeights, origin }) => ({
    node: origin!.node,
    place: origin!.place,
    bones: origin!.bones,
    levels: [1, 2].map((l) => ({
      surface: { mesh, weights, morphs, mixWeights },
      facts: { rms: l * 0.001, max: l * MAX, onePixelDistance: 5 * l, worstPose: { name: 'walk', time: 0 } },
    })),
    coverage: [0.5, 0.25, 0],
  }));
  return joined((await leveledGltf(source!, nodes)).parts);
}

async function load(glb: Uint8Array): Promise<GLTF & { lods: LodMesh[] }> {
  const loader = new GLTFLoader();
  loader.register((parser) => new LodLoaderPlugin(parser));
  const gltf = await loader.parseAsync(fileForPlayers(glb).slice().buffer as ArrayBuffer, '');
  return { ...gltf, lods: (gltf.userData.lods ?? []) as LodMesh[] };
}

/** Corners of all triangles of the meshes below, in the world. */
function cornersOf(root: Group): Vector3[] {
  const out: Vector3[] = [];
  root.traverse((object) => {
    const mesh = object as Mesh;
    if (!mesh.isMesh) return;
    const { index, attributes } = mesh.geometry;
    for (let c = 0; c < (index ?? attributes.position).count; c++) {
      out.push(mesh.getVertexPosition(index ? index.getX(c) : c, new Vector3()).applyMatrix4(mesh.matrixWorld));
    }
  });
  return out;
}

/** How far some corners of one are from the nearest of the other, in parts of the whole. */
function apart(a: Vector3[], b: Vector3[]): number {
  const size = Math.max(...a.map((point) => point.distanceTo(a[0])));
  const some = a.filter((_, c) => c % 7 === 0);
  const distances = some.map((point) =>
    b.reduce((least, other) => Math.min(least, point.distanceToSquared(other)), Infinity),
  );
  return Math.sqrt(Math.max(...distances)) / size;
}

/** Corners of all triangles as a crowd's shader has them, for its pose number p. */
function crowdCorners(crowd: SkinnedCrowd, p: number): Vector3[] {
  return (crowd.children as SkinnedMesh<BufferGeometry>[]).flatMap((mesh) => {
    const { position, skinIndex, skinWeight } = mesh.geometry.attributes;
    const data = mesh.skeleton.boneTexture!.image.data as Float32Array;
    const stride = 4 * data[data.length - 4];
    const index = mesh.geometry.index!;
    return Array.from({ length: index.count }, (_, c) => {
      const i = index.getX(c);
      const point = new Vector3();
      for (let s = 0; s < 4; s++) {
        const m = stride * p + 12 * skinIndex.getComponent(i, s);
        const row = (r: number): number =>
          data[m + 4 * r] * position.getX(i) +
          data[m + 4 * r + 1] * position.getY(i) +
          data[m + 4 * r + 2] * position.getZ(i) +
          data[m + 4 * r + 3];
        point.addScaledVector(new Vector3(row(0), row(1), row(2)), skinWeight.getComponent(i, s));
      }
      return point;
    });
  });
}

describe('LodLoaderPlugin', () => {
  it.each(RIG_FILES)('makes levels that move as the mesh does: $name', async ({ make }) => {
    const given = make();
    const plain = await load(given);
    const { scene, animations, lods } = await load(await leveled(given));
    expect(plain.lods).toEqual([]);
    expect(lods.length).toBeGreaterThan(0);
    const clip = plain.animations[0];
    poseAt(plain.scene, clip, 0.4 * clip.duration);
    poseAt(scene, animations.find(({ name }) => name === clip.name)!, 0.4 * clip.duration);
    const expected = cornersOf(plain.scene);
    for (const level of [0, 1, 2]) {
      for (const lod of lods) lod.show(level);
      const shown = cornersOf(scene);
      expect(shown).toHaveLength(expected.length);
      expect(apart(shown, expected)).toBeLessThan(3e-4);
    }
    for (const lod of lods) {
      const scale = lod.matrixWorld.getMaxScaleOnAxis();
      expect(lod.levels.map(({ error }) => error * scale)).toEqual([0, MAX, 2 * MAX].map((e) => expect.closeTo(e, 6)));
    }
  });

  it.each(RIG_FILES)('and crowds pose them alike: $name', async ({ make }) => {
    const given = make();
    const plain = await load(given);
    const clip = plain.animations[0];
    const { scene, animations } = await load(await leveled(given));
    const clips = animations.filter(({ name }) => name === clip.name);
    const crowd = new SkinnedCrowd(scene, { clips, rate: 10 });
    expect(crowd.levelCount).toBe(3);
    const steps = Math.max(1, Math.ceil(clip.duration * 10 - 1e-6));
    const k = Math.floor(steps / 2);
    // Morphs of a crowd stay as they are.
    clip.tracks = clip.tracks.filter(({ name }) => !name.endsWith('morphTargetInfluences'));
    poseAt(plain.scene, clip, (clip.duration * k) / steps);
    const all = crowdCorners(crowd, 1 + k);
    const expected = cornersOf(plain.scene);
    expect(all).toHaveLength(3 * expected.length);
    expect(apart(all, expected)).toBeLessThan(3e-4);
    expect(apart(expected, all)).toBeLessThan(3e-4);
  });

  it('lets clips dial morphs of every level', async () => {
    const { scene, animations, lods } = await load(await leveled((await writeModelGlb(morphedTube())).bytes));
    const clip = animations.find(({ tracks }) => tracks.some(({ name }) => name.endsWith('morphTargetInfluences')))!;
    for (const { name } of clip.tracks) expect(scene.getObjectByName(name.split('.')[0])).toBeDefined();
    poseAt(scene, clip, 0.5 * clip.duration);
    const [finest, coarse] = [0, 1].map((level) => {
      for (const lod of lods) lod.show(level);
      return cornersOf(scene);
    });
    expect(Math.max(...lods[0].mesh.morphTargetInfluences!)).toBeGreaterThan(0.01);
    expect(apart(finest, coarse)).toBeLessThan(1e-5);
  });

  it('keeps lines and points that stand beside a mesh with levels', async () => {
    const glb = await leveled(RIG_FILES[0].make());
    const json = jsonOf(glb);
    const owner = json.nodes!.find(({ extensions }) => extensions?.MSFT_lod)!;
    const { primitives } = json.meshes![owner.mesh!];
    const { attributes } = primitives[0];
    const before = (await load(glb)).lods.length;
    // First, so that primitives and meshes are numbered differently.
    primitives.unshift({ attributes, mode: 1 }, { attributes, mode: 0, material: primitives[0].material });
    const { scene, lods } = await load(glbOf(json, binOf(glb)));
    expect(lods).toHaveLength(before);
    expect(new Set(lods.map(({ levels }) => levels.length))).toEqual(new Set([3]));
    for (const { levels } of lods) for (const { geometry } of levels) expect(geometry.drawRange.count).toBe(Infinity);
    const found = { lines: 0, points: 0 };
    scene.traverse((object) => {
      if ('isLine' in object) found.lines++;
      if ('isPoints' in object) found.points++;
    });
    expect(found).toEqual({ lines: 1, points: 1 });
  });

  it('reads coverages of files by others, and leaves out what is no level of a mesh', async () => {
    const glb = await leveled(RIG_FILES[0].make());
    const json = jsonOf(glb);
    for (const node of json.nodes!) if (node.extras && 'pliantLod' in node.extras) delete node.extras;
    const { lods } = await load(glbOf(json, binOf(glb)));
    const [, first, second] = lods[0].levels.map(({ error }) => error);
    expect(first).toBeGreaterThan(0);
    expect(second / first).toBeCloseTo(2); // half the coverage
    const ids = json.nodes!.flatMap(
      ({ extensions }) => (extensions?.MSFT_lod as { ids: number[] } | undefined)?.ids ?? [],
    );
    json.nodes![ids[0]].children = [json.nodes!.push({ name: 'hat' }) - 1];
    const other = await load(glbOf(json, binOf(glb)));
    expect(other.lods.length).toBeLessThan(lods.length);
    expect(other.userData.lodsLeftOut).toHaveLength(1);
  });
});
