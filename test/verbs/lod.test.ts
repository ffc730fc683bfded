import type { GLTF } from '@gltf-transform/core';
import { describe, expect, it } from 'vitest';
import { openGlb } from '../../bench/engines/verbs.ts';
import type { PliantError } from '../../src/error.ts';
import type { LevelFacts } from '../../src/io/gltf/edit/levels.ts';
import { levelIds } from '../../src/io/gltf/lod-extension.ts';
import { writeMeshGlb, writeModelGlb } from '../../src/io/write-glb.ts';
import { diagonalOf } from '../../src/mesh/bounds.ts';
import { type Asset, emptyAsset } from '../../src/model/asset.ts';
import { type Mesh, triangleCount, validateMesh } from '../../src/model/mesh.ts';
import { note } from '../../src/model/note.ts';
import { memorySequence, validateSequence } from '../../src/model/sequence.ts';
import { validateModel } from '../../src/model/skinned-model.ts';
import { lod } from '../../src/verbs/lod.ts';
import { Bin, binOf, glbOf, jsonOf, readGlb } from '../io/gltf/fixtures.ts';
import { codesOf } from '../notes.ts';
import { expectRefusal } from '../refusal.ts';
import { smallSample } from '../rig/linearize-rigs.ts';
import { newIssues } from '../validate-glb.ts';

const tube = await smallSample('tube', 300, 8);

/** A grid of side × side squares, bulging, at x. */
function grid(side: number, x = 0, name = 'grid'): Mesh {
  const at = (i: number, j: number) => i * (side + 1) + j;
  const cells = Array.from({ length: side * side }, (_, c) => [Math.floor(c / side), c % side]);
  return {
    name,
    positions: Float32Array.from(
      Array.from({ length: (side + 1) ** 2 }, (_, v) => {
        const [i, j] = [Math.floor(v / (side + 1)) / side, (v % (side + 1)) / side];
        return [x + i, 0.3 * Math.sin(3 * i) * Math.cos(2 * j), j];
      }).flat(),
    ),
    triangles: Uint32Array.from(
      cells.flatMap(([i, j]) => [
        ...[at(i, j), at(i, j + 1), at(i + 1, j)],
        ...[at(i + 1, j), at(i, j + 1), at(i + 1, j + 1)],
      ]),
    ),
  };
}

const PLAIN = { metallic: 0, roughness: 0.5, doubleSided: false };
const ALL = [{ name: 'whole lid', start: 0, count: 72, material: 0 }];

const triangle = (points: readonly number[]): Mesh => ({
  positions: Float32Array.from(points),
  triangles: Uint32Array.of(0, 1, 2),
});

/** The coverages of each mesh with levels. */
const coveragesOf = (file: Uint8Array): number[][] =>
  jsonOf(file).nodes!.flatMap(({ extras }) =>
    extras?.MSFT_screencoverage ? [extras.MSFT_screencoverage as number[]] : [],
  );

describe('lod', () => {
  it('adds levels to the file of a rig, and tells what they are worth', async () => {
    const { bytes: given } = await writeModelGlb(tube);
    const { levels, file, report } = await lod(await openGlb(given), { levels: 3, poses: 6, glb: {} });
    const { detail } = report;
    expect(levels).toHaveLength(4);
    for (const { models } of levels) validateModel(models[0]);
    expect(detail.levels.map(({ triangles }) => triangles)).toEqual(
      levels.slice(1).map(({ models }) => triangleCount(models[0].mesh)),
    );
    for (const [l, level] of detail.levels.entries()) {
      const finer = detail.levels[l - 1] ?? { ...detail.original, rmsPercent: 0 };
      expect(level.triangles).toBeLessThan(finer.triangles);
      expect(level.rmsPercent).toBeGreaterThan(finer.rmsPercent);
      expect(level.maxPercent).toBeGreaterThanOrEqual(level.rmsPercent);
      expect(level.bytes).toBeGreaterThan(0);
    }
    expect(detail.parts).toHaveLength(1);
    expect(detail.poses).toEqual({ fitted: 6, held: 8 });
    const json = jsonOf(file!);
    const owner = json.nodes!.findIndex((_, node) => levelIds(json, node).length > 0);
    expect(levelIds(json, owner)).toHaveLength(3);
    const { MSFT_screencoverage: coverage } = json.nodes![owner].extras as { MSFT_screencoverage: number[] };
    expect(coverage).toHaveLength(4);
    expect(coverage.every((x, l) => l === 0 || x <= coverage[l - 1])).toBe(true);
    expect(coverage[3]).toBe(0);
    const facts = levelIds(json, owner).map((id) => (json.nodes![id].extras as { pliantLod: LevelFacts }).pliantLod);
    expect(facts.map(({ worstPose }) => worstPose)).toEqual(detail.levels.map(({ worstPose }) => worstPose));
    expect(await newIssues(given, file!)).toEqual([]);
  });

  it('writes a file per level, with the same skeleton and clips', async () => {
    const { bytes: given } = await writeModelGlb(tube);
    const { files, file } = await lod(await openGlb(given), {
      triangles: [300, 100],
      separate: true,
      poses: 4,
      glb: {},
    });
    expect(file).toBeUndefined();
    const triangles: number[] = [];
    for (const each of files!) {
      expect(await newIssues(given, each)).toEqual([]);
      const { models } = await openGlb(each);
      triangles.push(triangleCount(models[0].mesh));
      expect(models[0].clips.map(({ name }) => name)).toEqual(tube.clips.map(({ name }) => name));
    }
    expect(triangles).toEqual([300, 100]);
  });

  it('leaves nothing of the levels that a file had, but their empty nodes', async () => {
    const { bytes: given } = await writeMeshGlb([grid(20)]);
    const levels = async (file: Uint8Array, count: number) =>
      (await lod(await openGlb(file), { levels: count, glb: {} })).file!;
    const five = await levels(given, 5);
    const slack = 1500; // of JSON: nodes and meshes keep their places
    const fewer = await levels(five, 1);
    expect(fewer.length).toBeLessThan((await levels(given, 1)).length + slack);
    const { files } = await lod(await openGlb(five), { triangles: [400], separate: true, glb: {} });
    const [alone] = files!;
    expect(alone.length).toBeLessThan(given.length + slack);
    expect(five.length).toBeGreaterThan(given.length + 2 * slack);
    const json = jsonOf(alone);
    expect(json.nodes!.some(({ extensions }) => extensions?.MSFT_lod)).toBe(false);
    expect(JSON.stringify(json)).not.toContain('MSFT_screencoverage');
    for (const file of [fewer, alone]) {
      const issues = await newIssues(five, file);
      expect(issues.filter((issue) => !/^(NODE_EMPTY|UNUSED_OBJECT)/.test(issue))).toEqual([]);
    }
  });

  it('keeps the blend shapes and clips of a mesh without bones', async () => {
    const { positions, triangles } = grid(12);
    const bin = new Bin();
    const shape = (height: (x: number) => number) =>
      bin.add(
        'VEC3',
        Float32Array.from(positions, (_, c) => (c % 3 === 1 ? height(positions[c - 1]) : 0)),
      );
    const input = bin.add('SCALAR', Float32Array.of(0, 0.5, 1));
    const clip = (name: string, ...weights: number[]) => ({
      name,
      samplers: [{ input, output: bin.add('SCALAR', Float32Array.from(weights)) }],
      channels: [{ sampler: 0, target: { node: 0, path: 'weights' } }],
    });
    const attributes = { POSITION: bin.add('VEC3', positions) };
    const targets = [shape((x) => x * x), shape((x) => Math.sin(5 * x))].map((POSITION) => ({ POSITION }));
    const animations = [clip('smile', 0, 0, 1, 0, 0, 0), clip('frown', 0, 0, 0.2, 1, 0, 0)];
    const primitives = [{ attributes, targets, indices: bin.add('SCALAR', triangles) }];
    const given = bin.glb({ nodes: [{ name: 'face', mesh: 0 }], meshes: [{ primitives }], animations });
    const asset = await readGlb(given, {}, 'face.glb', { blendShapes: true });
    const { file, levels, report } = await lod(asset, { triangles: [100], poses: 6, glb: {} });
    expect(levels[1].models[0].morphs).toHaveLength(2);
    expect(report.clips.map(({ name }) => name)).toEqual(['smile', 'frown']);
    expect(report.detail.levels[0].rmsPercent).toBeLessThan(1);
    expect(jsonOf(file!).animations!.every(({ channels }) => channels.length === 2)).toBe(true);
    expect(await newIssues(given, file!)).toEqual([]);
  });

  it('makes a GLB of meshes and rigs that were in none', async () => {
    const { file, levels, report } = await lod(grid(8), { levels: 2, glb: {} });
    validateMesh(levels[2].meshes[0]);
    expect(report.detail.poses).toEqual({ fitted: 1, held: 0 });
    expect((await openGlb(file!)).meshes.map(triangleCount)).toEqual([128]);
    const rig = await lod(tube, { triangles: [200], poses: 3, glb: {} });
    expect((await openGlb(rig.file!)).models[0].clips).toHaveLength(tube.clips.length);
  });

  it('shares triangles among many parts by what they are worth', async () => {
    const meshes = Array.from({ length: 94 }, (_, m) => grid(m === 0 ? 12 : 2, 2 * m, `part ${m}`));
    const { bytes } = await writeMeshGlb(meshes);
    const { report, file } = await lod(await openGlb(bytes), { triangles: [500], glb: { compress: 'meshopt' } });
    expect(report.detail.parts).toHaveLength(94);
    expect(report.detail.levels[0].triangles).toBeLessThanOrEqual(500);
    expect((await openGlb(file!)).meshes).toHaveLength(94);
  });

  it('makes levels of sequences, every frame of them', async () => {
    const rest = grid(10);
    const frames = Array.from({ length: 5 }, (_, k) =>
      rest.positions.map((x, c) => (c % 3 === 1 ? x + 0.1 * Math.sin(k + 4 * rest.positions[c - 1]) : x)),
    );
    const { levels, report } = await lod(memorySequence('cloth', rest, frames), { triangles: [100, 40] });
    for (const { sequences } of levels) await validateSequence(sequences[0]);
    expect(levels.every(({ sequences }) => sequences[0].frameCount === 5)).toBe(true);
    for (const [l, most] of [200, 100, 40].entries()) {
      expect(triangleCount(levels[l].sequences[0].rest)).toBeLessThanOrEqual(most);
    }
    expect(report.detail.levels[0].worstPose.name).toBe('cloth');
  });

  it('counts a sequence that stays as it was', async () => {
    const one = triangle([5, 0, 0, 6, 0, 0, 5, 0, 1]);
    const sequences = [grid(10), one].map((mesh, s) => memorySequence(`${s}`, mesh, [mesh.positions, mesh.positions]));
    const { levels, report } = await lod({ ...emptyAsset('test', 0), sequences }, { levels: 2 });
    const counts = levels.slice(1).map((level) => level.sequences.map(({ rest }) => triangleCount(rest)));
    expect(counts).toEqual([
      [100, 1],
      [50, 1],
    ]);
    expect(report.detail.levels.map(({ triangles }) => triangles)).toEqual([101, 51]);
    const { levels: figures } = report.detail.parts[1];
    expect(figures.map(({ triangles, vertices, maxPercent }) => [triangles, vertices, maxPercent])).toEqual([
      [1, 3, 0],
      [1, 3, 0],
    ]);
  });

  it('says where nothing can be left out', async () => {
    const { levels, report, file } = await lod(triangle([0, 0, 0, 1, 0, 0, 0, 1, 0]), { glb: {} });
    expect(levels).toHaveLength(1);
    expect(codesOf(report.notes)).toContain('no-levels');
    expect((await openGlb(file!)).meshes).toHaveLength(1);
  });

  it('gives the last level that can be reached', async () => {
    const { bytes } = await writeMeshGlb([grid(4), grid(4, 2), grid(4, 4)]);
    const { report } = await lod(await openGlb(bytes), { triangles: [40, 2] });
    expect(codesOf(report.notes)).toContain('level-not-reached');
    expect(report.detail.levels.length).toBeGreaterThan(0);
  });

  it('bears faces without area', async () => {
    const good = grid(6);
    const bad = { ...good, triangles: Uint32Array.from([...good.triangles, 0, 0, 1, 3, 4, 4, 0, 1, 2]) };
    const { levels, report } = await lod(bad, { triangles: [30] });
    for (const { meshes } of levels) validateMesh(meshes[0]);
    expect(triangleCount(levels.at(-1)!.meshes[0])).toBeLessThanOrEqual(30);
    expect(report.notes).toContainEqual(note('faces-without-area', { faces: 3, of: 75 }));
  });

  it('refuses what has no faces, or none with an area, and names the file', async () => {
    const refused = (asset: Asset, values: readonly (string | number)[]) =>
      expectRefusal(lod({ ...asset, name: 'prop.obj' }), 'bad-input', { file: 'prop.obj', values });
    const assetOf = (mesh: Mesh): Asset => ({ ...emptyAsset('test', 0), meshes: [mesh] });
    await refused(assetOf({ positions: new Float32Array(9), triangles: new Uint32Array(0), name: 'dots' }), [
      3,
      'dots',
    ]);
    await refused(assetOf(triangle([0, 0, 0, 1, 0, 0, 3, 0, 0])), ['area', 1]);
    const line = triangle([0, 0, 0, 1, 1, 1, 2, 2, 2]);
    const frames = [line.positions, line.positions.map((x) => 2 * x)];
    await refused({ ...emptyAsset('test', 0), sequences: [memorySequence('wire', line, frames)] }, ['area', 1]);
    const dots = memorySequence('dots', { ...line, triangles: new Uint32Array(0) }, frames);
    await refused({ ...emptyAsset('test', 0), sequences: [dots] }, [3]);
  });

  it('measures things that pop in when they can be seen', async () => {
    const { skeleton } = tube;
    const restLocals = skeleton.restLocals.slice();
    for (const [j, parent] of skeleton.parents.entries()) if (parent < 0) restLocals.fill(0, 10 * j + 7, 10 * j + 10);
    const hidden = { ...tube, skeleton: { ...skeleton, restLocals } };
    const { levels, report, poses } = await lod(hidden, { triangles: [300], poses: 4 });
    expect(codesOf(report.notes)).toContain('measured-in');
    expect(poses[0].name).not.toBe('default pose');
    validateModel(levels[1].models[0]);
    const { rmsPercent, maxPercent } = report.detail.levels[0];
    expect(rmsPercent).toBeGreaterThan(0);
    expect(maxPercent).toBeLessThan(3);

    const rest = grid(8);
    const frames = [0, 0.5, 1].map((scale) => rest.positions.map((x) => scale * x));
    const cloth = await lod(memorySequence('cloth', rest, frames), { triangles: [40] });
    expect(codesOf(cloth.report.notes)).toContain('measured-in');
    expect(cloth.report.detail.levels[0].maxPercent).toBeLessThan(5);
    const [sequence] = cloth.levels[1].sequences;
    const sizes = await Promise.all([0, 1, 2].map(async (k) => diagonalOf(await sequence.readFrame(k))));
    for (const [k, scale] of [0, 0.5, 1].entries()) {
      expect(sizes[k] / diagonalOf(rest.positions)).toBeCloseTo(scale, 1);
    }
  });

  it('measures a part of one bone that pops in when it can be seen', async () => {
    const { positions, triangles } = grid(12);
    const bin = new Bin();
    const attributes = { POSITION: bin.add('VEC3', positions) };
    const primitives = [{ attributes, indices: bin.add('SCALAR', triangles) }];
    const input = bin.add('SCALAR', Float32Array.of(0, 1));
    const animation = (...scales: number[]) => ({
      samplers: [{ input, output: bin.add('VEC3', Float32Array.from(scales)) }],
      channels: [{ sampler: 0, target: { node: 1, path: 'scale' } }],
    });
    const given = bin.glb({
      nodes: [
        { name: 'ground', mesh: 0 },
        { name: 'sword', mesh: 0, translation: [3, 0, 0], scale: [1e-3, 1e-3, 1e-3] },
      ],
      meshes: [{ primitives }],
      animations: [animation(1e-3, 1e-3, 1e-3, 1, 1, 1)],
    });
    const { report, file } = await lod(await openGlb(given), { triangles: [200], poses: 4, glb: {} });
    const [ground, sword] = report.detail.parts.map(({ levels: [level] }) => level.maxPercent);
    expect(sword / ground).toBeGreaterThan(0.3);
    const sizes = coveragesOf(file!).map(([first]) => first);
    expect(sizes[1] / sizes[0]).toBeGreaterThan(0.8);
    expect(sizes[1] / sizes[0]).toBeLessThan(1.01);
  });

  it('changes levels where a rig is scaled as where it is not', async () => {
    const { bytes } = await writeModelGlb(tube);
    const json = jsonOf(bytes);
    const roots = json.scenes![0].nodes!;
    json.scenes![0].nodes = [json.nodes!.push({ name: 'centimetres', scale: [100, 100, 100], children: roots }) - 1];
    const [one, scaled] = await Promise.all(
      [bytes, glbOf(json, binOf(bytes))].map(async (glb) => {
        const { file } = await lod(await openGlb(glb), { triangles: [300], poses: 3, glb: {} });
        return coveragesOf(file!)[0][0];
      }),
    );
    expect(scaled / one).toBeCloseTo(1, 2);
  });

  it('says what distances are in where a model is as large as a house', async () => {
    const large = (scale: number) => ({ ...grid(6), positions: grid(6).positions.map((x) => scale * x) });
    const notesOf = async (scale: number) => codesOf((await lod(large(scale), { triangles: [40] })).report.notes);
    expect(await notesOf(100)).toContain('large-for-metres');
    expect(await notesOf(10)).not.toContain('large-for-metres');
    const { rest, frames } = { rest: large(100), frames: [large(100).positions, large(90).positions] };
    const { report } = await lod(memorySequence('cloth', rest, frames), { triangles: [40] });
    expect(codesOf(report.notes)).toContain('large-for-metres');
  });

  it('leaves groups that are named as they are, and knows which there are', async () => {
    const mesh = {
      ...grid(6),
      groups: [
        { name: 'face', start: 0, count: 24 },
        { name: 'rest', start: 24, count: 48 },
      ],
    };
    const { levels } = await lod(mesh, { triangles: [40], keep: ['face'] });
    expect(levels.at(-1)!.meshes[0].groups![0]).toMatchObject({ name: 'face', count: 24 });
    await expect(lod(mesh, { keep: ['nose'] })).rejects.toMatchObject({ code: 'not-found', option: 'keep' });
  });

  it('finds what to keep by the names of objects, meshes and materials', async () => {
    const paint = { ...PLAIN, name: 'paint', baseColor: [1, 0, 0, 1] as const };
    const { bytes } = await writeMeshGlb([
      { ...grid(6, 0, 'lid'), materials: [paint], groups: ALL },
      grid(6, 2, 'pot'),
    ]);
    const asset = await openGlb(bytes);
    // A node may have another name than its mesh, and a material without a look is still named in the file.
    const json = asset.source!.json as unknown as GLTF.IGLTF;
    const node = json.nodes!.find(({ mesh }) => json.meshes![mesh!].name === 'pot')!;
    node.name = 'Pot.001';
    const trianglesOf = async (...keep: string[]): Promise<number[]> => {
      const { levels } = await lod(asset, { triangles: [100], keep });
      return levels[1].meshes.map(triangleCount);
    };
    for (const name of ['lid', 'paint', 'whole lid']) expect((await trianglesOf(name))[0]).toBe(72);
    for (const name of ['pot', 'Pot.001', 'plain']) expect((await trianglesOf(name))[1]).toBe(72);
    const refused = lod(asset, { keep: ['lip'] });
    await expect(refused).rejects.toMatchObject({ code: 'not-found', option: 'keep' });
    const { candidates } = (await refused.catch((error) => error)) as PliantError;
    expect(candidates).toEqual(expect.arrayContaining(['lid', 'whole lid', 'paint', 'pot', 'Pot.001', 'plain']));
  });

  it('keeps groups of sequences, too', async () => {
    const groups = [
      { name: 'hem', start: 0, count: 24 },
      { name: 'rest', start: 24, count: 48 },
    ];
    const rest = { ...grid(6), groups };
    const cloth = memorySequence('cloth', rest, [rest.positions, rest.positions]);
    const { levels } = await lod(cloth, { triangles: [40], keep: ['hem'] });
    expect(levels[1].sequences[0].rest.groups![0].count).toBe(24);
    await expect(lod(cloth, { keep: ['nose'] })).rejects.toMatchObject({ code: 'not-found', option: 'keep' });
  });

  it('refuses targets that contradict each other or do not get coarser', async () => {
    const refused = (options: Parameters<typeof lod>[1], option: string) =>
      expect(lod(tube, options)).rejects.toMatchObject({ code: 'bad-option', option });
    await refused({ levels: 3, triangles: [100] }, 'triangles');
    await refused({ triangles: [100, 200] }, 'triangles');
    await refused({ triangles: [] }, 'triangles');
    await refused({ maxError: [1, 0.5] }, 'maxError');
    await refused({ maxError: [-1] }, 'maxError');
    await expectRefusal(lod(tube, { maxError: [1, 0.1] }), 'bad-option', { values: ['1%,0.1%', 'larger'] });
    await expectRefusal(lod(tube, { maxError: [0] }), 'bad-option', { values: ['0%', 'above 0'] });
    await expectRefusal(lod(tube, { triangles: [5, 0] }), 'bad-option', { values: ['5,0', 'at least 1'] });
    await expectRefusal(lod(tube, { triangles: [5, 50] }), 'bad-option', { values: ['5,50', 'fewer'] });
  });

  it('stops when it is cancelled', async () => {
    const signal = AbortSignal.abort();
    await expect(lod(tube, { signal })).rejects.toMatchObject({ code: 'cancelled' });
  });

  it('stops in the middle of a level that it tries', async () => {
    const stop = new AbortController();
    const steps: number[] = [];
    const onProgress = (done: number, _: number, label: string): void => {
      if (label !== 'fitting levels') return;
      steps.push(done);
      if (steps.filter((each) => each === 1).length === 3) stop.abort();
    };
    const search = lod(tube, { maxError: [0.5], poses: 3, signal: stop.signal, onProgress });
    await expect(search).rejects.toMatchObject({ code: 'cancelled' });
    expect(steps.filter((done) => done > 0)).toEqual([1, 1, 1]);
  });
});
