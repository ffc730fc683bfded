import { describe, expect, it } from 'vitest';
import { binOf, jsonOf } from '../../bench/engines/glb-file.ts';
import { openGlb } from '../../bench/engines/verbs.ts';
import { packedParts } from '../../src/io/edit-gltf.ts';
import { SMALL_MODEL_GLB } from '../../src/io/glb/options.ts';
import { poseAt } from '../../src/skin/poses.ts';
import { linearize } from '../../src/verbs/linearize.ts';
import { mix } from '../../src/verbs/mix.ts';
import { type Content, clipNames } from '../../studio/src/core/content/content.ts';
import { Doc } from '../../studio/src/core/doc.ts';
import { changeTexts } from '../../studio/src/core/rig/change-texts.ts';
import { restoreDoc, saveDoc } from '../../studio/src/core/session/session.ts';
import { buffersOf } from '../../studio/src/worker/crossing.ts';
import { loadSession } from '../../studio/src/worker/load-session.ts';
import { openJob } from '../../studio/src/worker/open-jobs.ts';
import { rigFile } from '../../studio/src/worker/rig-file.ts';
import { writeSession } from '../../studio/src/worker/session-file.ts';
import { verbJob } from '../../studio/src/worker/verb-job.ts';
import { rigNamed, splitClips } from './own-file.ts';

const run = { signal: new AbortController().signal, onProgress: () => {} };

/** What the page has of files, of which the first is opened. */
async function openedFrom(parts: Record<string, Uint8Array | string>): Promise<Content> {
  const given = Object.entries(parts).map(([path, bytes]): [string, File] => [
    path,
    new File([bytes as Uint8Array<ArrayBuffer>], path),
  ]);
  const { files, ...content } = await openJob({ files: given, paths: [given[0][0]] }, run);
  return { ...structuredClone(content), files };
}

const opened = (glb: Uint8Array): Promise<Content> => openedFrom({ 'rig.glb': glb });

/** The same as bytes. */
async function written(...given: Parameters<typeof rigFile>) {
  const { file, ...found } = await rigFile(...given);
  return { ...found, bytes: new Uint8Array(await file.arrayBuffer()) };
}

const packed = async (glb: Uint8Array) => {
  const parts = (await packedParts((await openGlb(glb)).source!)) as Uint8Array<ArrayBuffer>[];
  return new Uint8Array(await new Blob(parts).arrayBuffer());
};

const RIGS = [
  'armature of scale 0.01',
  'two skins on shared joints',
  'unknown extensions that name nodes',
  'six uv sets and every texture',
];

describe('rigs of the studio are written by editing the opened file', () => {
  it.each(RIGS)('with the bytes of the command line: %s', async (name) => {
    const glb = rigNamed(name);
    const content = await opened(glb);
    const { models } = content;
    const asset = await openGlb(glb);
    expect((await written(models, {}, content)).bytes).toEqual(await packed(glb));

    const options = { blendBones: 2, trainingFrames: 4, measure: false };
    const blended = await verbJob<'linearize'>(linearize)({ asset: { models }, options }, run);
    const linear = await written(structuredClone(blended.models), {}, content);
    expect(linear.bytes).toEqual(new Uint8Array((await linearize(asset, { ...options, glb: {} })).file!));
    expect(linear.changes!.every(({ weights, joints }) => weights && joints > 0)).toBe(true);

    const mixed = await verbJob<'mix'>(mix)({ asset: { models }, options: { poses: 3 } }, run);
    const { bytes, changes } = await written(structuredClone(mixed.models), {}, content);
    expect(bytes).toEqual(new Uint8Array((await mix(asset, { poses: 3, glb: {} })).file!));
    expect(changes!.map(({ weights, joints }) => [weights, joints])).toEqual(models.map(() => [false, 0]));
  });

  it('or as a new file, with notes on what that leaves out', async () => {
    const content = await opened(rigNamed('unknown extensions that name nodes'));
    const { changes, notes } = await written(content.models, SMALL_MODEL_GLB, content);
    expect(changes).toBeUndefined();
    expect(notes.map(({ code }) => code)).toContain('rebuilt');
  });

  it('also after a session, which holds the file', async () => {
    const content = await opened(rigNamed('two skins on shared joints'));
    const session = { active: 0, docs: [saveDoc('rig', new Doc(content))] };
    const { docs } = await loadSession({ file: await writeSession(session, run), name: 'rig.pliant' }, run);
    const restored = restoreDoc(docs[0]).content;
    expect(restored.files!.map(([path]) => path)).toEqual(['rig.glb']);
    const [before, after] = await Promise.all([content, restored].map((of) => written(of.models, {}, of)));
    expect(after).toEqual(before);
  });

  it('with the files beside it, and no others', async () => {
    const glb = rigNamed('armature of scale 0.01');
    const json = jsonOf(glb);
    json.buffers![0].uri = './rig.bin';
    const content = await openedFrom({ 'rig.gltf': JSON.stringify(json), 'other.bin': glb, 'rig.bin': binOf(glb) });
    expect(content.files!.map(([path]) => path)).toEqual(['rig.gltf', 'rig.bin']);
    const { bytes } = await written(content.models, {}, content);
    expect((await openGlb(bytes)).models[0].mesh.positions).toEqual(content.models[0].mesh.positions);
  });

  it('without clips that play at once, which are offered as one', async () => {
    const glb = splitClips();
    const content = await opened(glb);
    expect([content.clipsTogether, clipNames(content)]).toEqual(['hips+rest', ['hips', 'rest', 'hips+rest']]);
    const { bytes } = await written(content.models, {}, content);
    expect(bytes).toEqual(await packed(glb));
    const [{ clips, skeleton }] = content.models;
    const at = (clip: number) => poseAt(skeleton, clips[clip], 0.5);
    expect(at(2)).not.toEqual(at(0));
    expect(at(2)).not.toEqual(at(1));
  });

  it('without sending the file between page and workers', async () => {
    const glb = rigNamed('six uv sets and every texture');
    const { files: _, ...content } = await opened(glb);
    expect(buffersOf(content).some(({ byteLength }) => byteLength >= glb.length)).toBe(false);
  });
});

it('changes are listed by kind', () => {
  const same = { weights: false, mixWeights: false, joints: 0 };
  expect(changeTexts([{ name: 'Body', ...same }])).toHaveLength(1);
  const linear = { ...same, weights: true, joints: 3, root: 'Armature' };
  const told = changeTexts([
    { name: 'Body', ...linear },
    { name: 'Visor', ...linear },
  ]);
  expect(told[0]).toContain('Body, Visor');
  expect(told[1]).toMatch(/\b6\b.*Armature/);
});
