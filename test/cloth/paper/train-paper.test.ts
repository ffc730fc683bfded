import { describe, expect, it } from 'vitest';
import { clothModel } from '../../../src/cloth/cloth-model.ts';
import { obstacleOf } from '../../../src/cloth/obstacles.ts';
import { PaperUpsampler } from '../../../src/cloth/paper/paper-upsampler.ts';
import { trainPaper } from '../../../src/cloth/paper/train-paper.ts';
import { stageOf } from '../../../src/cloth/stage.ts';
import { parseContainer } from '../../../src/io/gltf/container.ts';
import { packData, unpackData } from '../../../src/io/gltf/packed-data.ts';
import { writeModelGlb } from '../../../src/io/write-glb.ts';
import { rotationOfVector } from '../../../src/math/rotation-vector.ts';
import type { MeshSequence } from '../../../src/model/sequence.ts';
import { type TrainedCloth, validateTrainedCloth } from '../../../src/model/trained-cloth.ts';
import { fuzzReader } from '../../io/fuzz.ts';
import { readGlb } from '../../io/gltf/fixtures.ts';
import { expectValidGlb } from '../../validate-glb.ts';
import { ballMotion, RADIUS } from '../ball.ts';
import { coarseSheet, fineSheet, steps, waves } from './waves.ts';

const MESHES = { coarse: coarseSheet, fine: fineSheet };
const PAIRS = [waves('there', steps(14, 0.3)), waves('back', steps(14, -0.25, 5))];
const SMALL = { bones: 24, clusters: 8, eigPca: 6 };
/** Trained once for all tests. */
const small = trainPaper(PAIRS, SMALL);

const frame = async (sequence: MeshSequence, k: number): Promise<Float64Array> =>
  Float64Array.from(await sequence.readFrame(k));

async function largestError(up: PaperUpsampler, pair: (typeof PAIRS)[number], k: number): Promise<number> {
  const out = new Float64Array(fineSheet.positions.length);
  up.apply(await frame(pair.coarse, k), await frame(pair.coarse, k - 1), 1 / 30, out);
  const truth = await pair.fine.readFrame(k);
  return truth.reduce((most, x, c) => Math.max(most, Math.abs(x - out[c])), 0);
}

describe('the deformation transformer', () => {
  it('has its examples back when nothing is left out', async () => {
    const all = { bones: 30, clusters: 6, rotCca: 3, eigPca: 100, examples: 100, ridge: 1e-10 };
    const { paper } = await trainPaper(PAIRS, all);
    expect(paper.kernel.rowMeans).toHaveLength(26); // every frame but the first of a motion
    const up = new PaperUpsampler(paper, MESHES);
    for (const pair of PAIRS) for (const k of [1, 6, 13]) expect(await largestError(up, pair, k)).toBeLessThan(1e-4);
  });

  it('has most of its examples back with few bases, and predicts what lies between', async () => {
    const { paper } = await small;
    const up = new PaperUpsampler(paper, MESHES);
    expect(await largestError(up, PAIRS[0], 5)).toBeLessThan(0.02);
    expect(await largestError(up, waves('between', steps(3, 0.3, 1.35)), 2)).toBeLessThan(0.03);
  });

  it('moves as the coarse cloth moves as a whole', async () => {
    const { paper } = await small;
    const up = new PaperUpsampler(paper, MESHES);
    const [before, now] = [await frame(PAIRS[1].coarse, 7), await frame(PAIRS[1].coarse, 8)];
    const r = new Float64Array(9);
    rotationOfVector(r, 0, [0.9, -1.2, 0.4], 0);
    const move = (x: Float64Array): Float64Array =>
      x.map((_, at) => {
        const o = at - (at % 3);
        const row = 3 * (at % 3);
        return r[row] * x[o] + r[row + 1] * x[o + 1] + r[row + 2] * x[o + 2] + [3, -2, 5][at % 3];
      });
    const [still, moved] = [new Float64Array(fineSheet.positions.length), new Float64Array(fineSheet.positions.length)];
    up.apply(now, before, 1 / 30, still);
    up.apply(move(now), move(before), 1 / 30, moved);
    move(still).forEach((x, c) => {
      expect(moved[c]).toBeCloseTo(x, 4);
    });
  });

  it('does not fly off when the coarse cloth does what it never did', async () => {
    const { paper } = await small;
    const up = new PaperUpsampler(paper, MESHES);
    const wild = Float64Array.from(coarseSheet.positions, (x, c) => x + 0.4 * Math.sin(100 * c));
    const out = new Float64Array(fineSheet.positions.length);
    up.apply(wild, Float64Array.from(coarseSheet.positions), 1e-3, out);
    expect(out.every((x) => Math.abs(x) < 3)).toBe(true);
  });

  it('is the same for the same pairs', async () => {
    expect((await trainPaper(PAIRS, SMALL)).paper).toEqual((await small).paper);
  });
});

describe('collisions in two levels', () => {
  it('leave no vertex in the body, and move only what is near it', async () => {
    const { paper } = await small;
    // A ball that comes up from far below into the middle of the sheet.
    const body = ballMotion([
      [0.5, -2, -0.5],
      [0.5, -0.1, -0.5],
    ]);
    const start = { positions: body.sequence.rest.positions, transforms: body.rig!.clip.transforms.slice(0, 12) };
    const obstacle = obstacleOf(body, start, 'capsules');
    const stage = stageOf(fineSheet, new Uint32Array(0), start, obstacle, 0.006);
    const up = new PaperUpsampler(paper, MESHES, stage);
    const plain = new PaperUpsampler(paper, MESHES);
    const flat = Float64Array.from(coarseSheet.positions);
    const [free, met] = [new Float64Array(fineSheet.positions.length), new Float64Array(fineSheet.positions.length)];
    plain.apply(flat, flat, 1 / 30, free);
    up.apply(flat, flat, 1 / 30, met);
    expect(met).toEqual(free);

    obstacle.next({ positions: await body.sequence.readFrame(1), transforms: body.rig!.clip.transforms.slice(12) });
    obstacle.moveTo(1);
    up.apply(flat, flat, 1 / 30, met);
    const distances = new Float64Array(met.length / 3).fill(Infinity);
    obstacle.distances(met, distances);
    expect(Math.min(...distances)).toBeGreaterThan(0.006 - 1e-9);
    const [apart] = [free.map((x, c) => Math.abs(met[c] - x))];
    expect(Math.max(...apart)).toBeGreaterThan(0.02);
    for (let i = 0; i < met.length; i += 3) {
      if (Math.hypot(free[i] - 0.5, free[i + 1] + 0.1, free[i + 2] + 0.5) < 3 * RADIUS) continue;
      for (let c = i; c < i + 3; c++) expect(apart[c]).toBeLessThan(1e-12);
    }
  });
});

describe('pairs that do not fit', () => {
  it.each([
    ['no pairs', []],
    ['one frame', [waves('one', [0])]],
    ['other frame counts', [{ ...PAIRS[0], fine: waves('short', [0, 1]).fine }]],
    ['other meshes', [PAIRS[0], { ...PAIRS[1], coarse: PAIRS[1].fine }]],
    ['a cloth that never moves', [waves('still', [1, 1, 1, 1])]],
  ])('%s', async (_, pairs) => {
    await expect(trainPaper(pairs)).rejects.toMatchObject({ code: 'bad-input' });
  });

  it('pins as anchors that are not there', async () => {
    await expect(trainPaper(PAIRS, { anchors: 'pins' })).rejects.toMatchObject({ code: 'bad-option' });
  });
});

describe('in a GLB', () => {
  const trained = async (): Promise<TrainedCloth> => ({
    name: 'sheet',
    ...MESHES,
    pinned: { coarse: Uint32Array.of(0), fine: Uint32Array.of(0) },
    thickness: 0.006,
    method: 'paper',
    physics: 'off',
    paper: (await small).paper,
  });

  it('survives bit for bit, and the file is valid', async () => {
    const cloth = await trained();
    const { bytes } = await writeModelGlb(clothModel(cloth), { cloth });
    const { json } = parseContainer(bytes) as { json: { extensions: Record<string, { accessor: number }> } };
    await expectValidGlb(bytes, [`/accessors/${json.extensions.PLIANT_cloth.accessor}`]);
    const { cloths } = await readGlb(bytes);
    expect(cloths![0].paper).toEqual(cloth.paper);
  });

  it('that is damaged is refused or can be run', async () => {
    const use = async (bytes: Uint8Array) => {
      const [read] = (await readGlb(bytes)).cloths ?? [];
      if (!read?.paper) return;
      const pose = Float64Array.from(read.coarse.positions);
      new PaperUpsampler(read.paper, read).apply(pose, pose, 1 / 30, new Float64Array(read.fine.positions.length));
    };
    const cloth = await trained();
    const { bytes } = await writeModelGlb(clothModel(cloth), { cloth });
    expect((await fuzzReader('paper', [bytes], use, 60, 5)).refused).toBeGreaterThan(5);
    const packed = async (data: Uint8Array) => validateTrainedCloth(unpackData(data), 'readGltf');
    expect((await fuzzReader('packed paper', [packData(cloth)], packed, 100, 6)).refused).toBeGreaterThan(5);
  });

  it.each([
    ['nothing', undefined],
    ['fewer weights', { weights: { influences: 1, joints: new Uint16Array(3), weights: new Float32Array(3) } }],
    ['a missing kernel', { kernel: undefined }],
    ['no anchors', { anchors: new Uint32Array(0) }],
    ['a short operator', { operator: new Float32Array(7) }],
    ['an anchor that is no vertex', { anchors: Uint32Array.of(1e6) }],
    ['no translations', { translations: undefined }],
    ['other clusters', { clusterOf: new Uint16Array(3) }],
    ['a number that is none', { mean: new Float32Array(72).fill(Number.NaN) }],
  ])('is refused with %s', async (_, change) => {
    const cloth = await trained();
    const damaged = { ...cloth, paper: change && { ...cloth.paper, ...change } };
    expect(() => validateTrainedCloth(damaged)).toThrow(expect.objectContaining({ code: 'bad-input' }));
  });
});
