import { readFileSync } from 'node:fs';
import type { AnimationClip, Mesh as ThreeMesh } from 'three';
import { describe, expect, it } from 'vitest';
import { type FileAccess, memorySource } from '../../src/io/files.ts';
import { readGltf } from '../../src/io/read-gltf.ts';
import { writeModelGlb, writeSequenceGlb } from '../../src/io/write-glb.ts';
import { diagonalOf } from '../../src/mesh/bounds.ts';
import { expandToSplit } from '../../src/mesh/seams.ts';
import { type Mesh, splitVertexCount } from '../../src/model/mesh.ts';
import { validateSequence } from '../../src/model/sequence.ts';
import { clipFrame, clipMorphWeights } from '../../src/model/skeleton.ts';
import { noteText } from '../../src/report/note-text.ts';
import { morphWeightsAt, poseAt } from '../../src/skin/poses.ts';
import { largestDistance, naiveLbs } from '../io/gltf/fixtures.ts';
import { skin } from '../skin/skin.ts';
import { loadInThree, type ThreeScene, threeVertices, withoutTextures } from '../three-scene.ts';
import { expectValidGlb } from '../validate-glb.ts';
import { realData } from './data.ts';

const { path: folder, absent, why } = realData('gltf/');

const noFiles = {} as FileAccess;
const TOLERANCE = 1e-4;

const split = (mesh: Mesh, positions: Float32Array): Float32Array =>
  mesh.seams ? expandToSplit(positions, 3, mesh.seams) : positions;

/** The three.js meshes of the node that the thing of this name was read from, by the loader's own naming. */
function meshesOf(three: ThreeScene, name: string, vertices: number): ThreeMesh[] {
  const clean = name.replace(/[.\s]/g, (c) => (c === '.' ? '' : '_'));
  const isNamed = (text: string) => new RegExp(`^${clean}(_\\d+)*$`).test(text);
  const groups = new Map<unknown, ThreeMesh[]>();
  for (const mesh of three.meshes) {
    if (!isNamed(mesh.name) && !isNamed(mesh.parent?.name ?? '')) continue;
    const key = mesh.parent?.type === 'Group' && mesh.parent !== three.scene ? mesh.parent : mesh;
    groups.set(key, [...(groups.get(key) ?? []), mesh]);
  }
  const count = (meshes: ThreeMesh[]) => meshes.reduce((sum, m) => sum + m.geometry.attributes.position.count, 0);
  const found = [...groups.values()].find((meshes) => count(meshes) === vertices);
  if (!found) throw new Error(`three.js has no mesh ${name} of ${vertices} vertices`);
  return found;
}

async function load(name: string) {
  const bytes = new Uint8Array(readFileSync(`${folder}${name}.glb`));
  return {
    asset: await readGltf(memorySource(name, bytes), noFiles, `${name}.glb`),
    three: await loadInThree(withoutTextures(bytes)),
  };
}

/** By name, or by number where the file gives none. */
function threeClip(three: ThreeScene, name: string): AnimationClip {
  const clip = three.animations.find((a) => a.name === name || a.name === name.replace('animation ', 'animation_'));
  if (!clip) throw new Error(`three.js has no clip ${name}`);
  return clip;
}

const SKINNED = [
  { name: 'CesiumMan', models: 1, bones: 21, clips: 1 },
  { name: 'Fox', models: 1, bones: 25, clips: 3 },
  { name: 'RiggedFigure', models: 1, bones: 21, clips: 1 },
  { name: 'RiggedSimple', models: 1, bones: 4, clips: 1 },
  { name: 'RobotExpressive', models: 14, bones: 5, clips: 14 },
];

describe.skipIf(absent)(`skinned GLBs posed by us and by three.js${why}`, () => {
  it.each(SKINNED)(
    '$name: the same positions at every key of every clip, and between',
    async ({ name, models, bones, clips }) => {
      const { asset, three } = await load(name);
      expect(asset.models.length).toBe(models);
      expect(asset.models[0].skeleton.names.length).toBe(bones);
      expect(new Set(asset.models.flatMap((model) => model.clips.map((clip) => clip.name))).size).toBe(clips);

      let motion = 0;
      for (const model of asset.models) {
        const diagonal = diagonalOf(model.mesh.positions);
        const vertices = model.mesh.seams?.vertexOf.length ?? model.mesh.positions.length / 3;
        const meshes = meshesOf(three, model.name, vertices);
        for (const clip of model.clips) {
          const theirs = threeClip(three, clip.name);
          for (let k = 0; k < clip.times.length; k++) {
            three.pose(theirs, clip.times[k]);
            const ours = split(model.mesh, naiveLbs(model, clipFrame(clip, k), clipMorphWeights(clip, k)));
            const error = largestDistance(ours, threeVertices(meshes)) / diagonal;
            expect(error, `${model.name}, ${clip.name}, key ${k}`).toBeLessThan(TOLERANCE);
            motion = Math.max(motion, largestDistance(ours, split(model.mesh, model.mesh.positions)) / diagonal);
            // Some of the times half-way to the next key, another share of them in every clip.
            if (k % 4 !== clip.times.length % 4 || k + 1 === clip.times.length) continue;
            const t = (clip.times[k] + clip.times[k + 1]) / 2;
            three.pose(theirs, t);
            const between = naiveLbs(model, poseAt(model.skeleton, clip, t), morphWeightsAt(clip, t));
            const errorBetween = largestDistance(split(model.mesh, between), threeVertices(meshes)) / diagonal;
            expect(errorBetween, `${model.name}, ${clip.name}, ${t} s`).toBeLessThan(TOLERANCE);
          }
        }
      }
      expect(motion, 'something moves').toBeGreaterThan(0.01);
    },
  );
});

describe.skipIf(absent)(`morph targets on bones, dialled by us and by three.js${why}`, () => {
  it('RobotExpressive: the expressions of the moving head', async () => {
    const { asset, three } = await load('RobotExpressive');
    const head = asset.models.find(({ name }) => name === 'Head')!;
    expect(head.morphs!.map(({ name }) => name)).toEqual(['Angry', 'Surprised', 'Sad']);
    expect(asset.notes.filter((note) => /morph/.test(noteText(note)))).toEqual([]);
    const meshes = meshesOf(three, 'Head', splitVertexCount(head.mesh));
    const diagonal = diagonalOf(head.mesh.positions);
    const clip = head.clips.find(({ name }) => name === 'Dance')!;
    const weights = [
      [1, 0, 0],
      [0, 1, 0],
      [0.25, -0.5, 1.5],
    ];
    for (const [e, dialled] of weights.entries()) {
      const k = 3 * e;
      three.pose(threeClip(three, 'Dance'), clip.times[k]);
      for (const mesh of meshes) mesh.morphTargetInfluences = dialled;
      const morphWeights = Float32Array.from(dialled);
      const { positions } = skin(head, clipFrame(clip, k), { morphWeights, operator: 'lbs' });
      expect(largestDistance(split(head.mesh, positions), threeVertices(meshes)) / diagonal).toBeLessThan(TOLERANCE);
      const still = skin(head, clipFrame(clip, k)).positions;
      expect(largestDistance(positions, still) / diagonal).toBeGreaterThan(0.02);
    }
  });
});

const MORPHED = [
  { name: 'Horse', sequences: 1, frames: 16 },
  { name: 'MorphStressTest', sequences: 3, frames: 281 },
  { name: 'AnimatedMorphCube', sequences: 1, frames: 127 },
];

describe.skipIf(absent)(`morphed GLBs read as sequences and evaluated by three.js${why}`, () => {
  it.each(MORPHED)('$name: the same positions at every key, and between', async ({ name, sequences, frames }) => {
    const { asset, three } = await load(name);
    expect(asset.sequences.length).toBe(sequences);
    expect(asset.sequences[0].frameCount).toBe(frames);
    for (const [a, sequence] of asset.sequences.entries()) {
      await validateSequence(sequence);
      const diagonal = diagonalOf(sequence.rest.positions);
      let motion = 0;
      for (let k = 0; k < sequence.frameCount; k++) {
        three.pose(three.animations[a], sequence.times[k]);
        const ours = split(sequence.rest, await sequence.readFrame(k));
        const error = largestDistance(ours, threeVertices(three.meshes)) / diagonal;
        expect(error, `${sequence.name}, key ${k}`).toBeLessThan(TOLERANCE);
        motion = Math.max(motion, largestDistance(ours, split(sequence.rest, sequence.rest.positions)) / diagonal);
        if (k % 4 !== 1 || k + 1 === sequence.frameCount) continue;
        const next = split(sequence.rest, await sequence.readFrame(k + 1));
        const t = (sequence.times[k] + sequence.times[k + 1]) / 2;
        three.pose(three.animations[a], t);
        const between = ours.map((x, c) => (x + next[c]) / 2);
        const errorBetween = largestDistance(between, threeVertices(three.meshes)) / diagonal;
        expect(errorBetween, `${sequence.name}, ${t} s`).toBeLessThan(TOLERANCE);
      }
      expect(motion, 'something moves').toBeGreaterThan(0.01);
    }
  });
});

describe.skipIf(absent)(`real files written again${why}`, () => {
  it.each(SKINNED)('$name: valid, and the same poses when read back', async ({ name }) => {
    const { asset } = await load(name);
    const { bytes } = await writeModelGlb(asset.models, { weights: 'float' });
    await expectValidGlb(bytes);
    const again = await readGltf(memorySource(name, bytes), noFiles, `${name}.glb`);
    expect(again.models.map((model) => model.name)).toEqual(asset.models.map((model) => model.name));
    for (const [m, model] of asset.models.entries()) {
      const got = again.models[m];
      const diagonal = diagonalOf(model.mesh.positions);
      expect(got.clips.length).toBe(model.clips.length);
      for (const clip of model.clips) {
        const same = got.clips.find((other) => other.name === clip.name)!;
        expect(same.times).toEqual(clip.times);
        for (let k = 0; k < clip.times.length; k += 5) {
          const ours = split(got.mesh, naiveLbs(got, clipFrame(same, k), clipMorphWeights(same, k)));
          const expected = split(model.mesh, naiveLbs(model, clipFrame(clip, k), clipMorphWeights(clip, k)));
          const error = largestDistance(ours, expected) / diagonal;
          expect(error, `${model.name}, ${clip.name}, key ${k}`).toBeLessThan(1e-5);
        }
      }
    }
  });

  it.each(MORPHED)('$name: valid, and the same frames when read back', async ({ name }) => {
    const { asset } = await load(name);
    const [sequence] = asset.sequences;
    const { bytes } = await writeSequenceGlb(sequence);
    await expectValidGlb(bytes);
    const [got] = (await readGltf(memorySource(name, bytes), noFiles, `${name}.glb`)).sequences;
    expect(got.times).toEqual(sequence.times);
    const diagonal = diagonalOf(sequence.rest.positions);
    for (let k = 0; k < sequence.frameCount; k += 10) {
      const ours = split(got.rest, await got.readFrame(k));
      expect(largestDistance(ours, split(sequence.rest, await sequence.readFrame(k))) / diagonal).toBeLessThan(1e-6);
    }
  });
});
