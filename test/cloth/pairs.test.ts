import { validateBytes } from 'gltf-validator';
import { describe, expect, it } from 'vitest';
import { coarseMesh } from '../../src/cloth/coarse-mesh.ts';
import { Embedding } from '../../src/cloth/embedding.ts';
import { barycentric, Guide } from '../../src/cloth/guide.ts';
import { PairFigures } from '../../src/cloth/pair-figures.ts';
import { type ClothPair, type PairOptions, simulatePair } from '../../src/cloth/pairs.ts';
import { PairsWriter, readPairs } from '../../src/cloth/pairs-folder.ts';
import { geodesicSphere } from '../../src/cloth/shapes.ts';
import { seededRandom } from '../../src/math/rng.ts';
import type { Vector } from '../../src/math/vector.ts';
import { boundsOf } from '../../src/mesh/bounds.ts';
import { pairScene, sceneMotion } from '../../src/pair-scenes.ts';
import { memoryFiles, memoryFolder } from '../io/support.ts';
import { expectRefusal } from '../refusal.ts';
import { ballMotion, curtain } from './ball.ts';
import { moved } from './body.ts';
import { expectNear } from './near.ts';

const QUICK: PairOptions = { coarseVertices: 30, settle: 0.1 };
const swing = (reach: number, frames = 10): Vector[] =>
  Array.from({ length: frames }, (_, k) => [0, 0, reach * Math.sin((2 * Math.PI * k) / frames)]);
const breeze = (speed: number) => ({ velocity: [speed, 0, speed] as const, turbulence: 0.4, eddy: 0.5, seed: 1 });

describe('simulatePair', () => {
  it('simulates coarse and fine cloth of one motion, on the same frames as the body', async () => {
    const garment = curtain(200);
    const body = ballMotion(swing(0.3));
    const { pair, report } = await simulatePair(garment, body, { ...QUICK, again: true });
    expect(pair.fine.rest).toBe(garment.mesh);
    expect(pair.fine.times).toEqual(body.sequence.times);
    expect(pair.coarse.times).toEqual(body.sequence.times);
    expect(pair.repeat?.frameCount).toBe(10);
    const [coarse, fine] = [await pair.coarse.readFrame(9), await pair.fine.readFrame(9)];
    expect(coarse.length).toBe(pair.coarse.rest.positions.length);
    // The fine cloth stays on the coarse one.
    const base = new Float64Array(fine.length);
    barycentric(new Embedding(pair.coarse.rest, pair.fine.rest), coarse, base);
    expect(Math.max(...base.map((x, c) => Math.abs(x - fine[c])))).toBeLessThan(0.1);
    // Pins of both are in the same place: those of the fine cloth in between are held, too.
    expect(pair.pinned?.fine).toEqual(garment.pinned);
    expect(report.figures.detailCorrelation).toBeGreaterThan(0.2);
    expect(report.figures.repeatabilityPercent).toBeGreaterThan(30);
    expect(report.figures.repeatabilityPercent).toBeLessThan(100);
  });

  it('gives the same frames twice, and with the coarse mesh given', async () => {
    const garment = { ...curtain(120), wind: breeze(3) };
    const options = { ...QUICK, seconds: 0.3 };
    const [a, b] = [await simulatePair(garment, undefined, options), await simulatePair(garment, undefined, options)];
    const coarse = await coarseMesh(garment.mesh, garment.pinned, 30);
    const c = await simulatePair(garment, undefined, { ...options, given: { coarse } });
    const last = await a.pair.fine.readFrame(8);
    expect(await b.pair.fine.readFrame(8)).toEqual(last);
    expect(await c.pair.fine.readFrame(8)).toEqual(last);
    expect(c.report.given).toEqual(['coarse']);
    // Without a body pins stay where they are.
    for (const i of garment.pinned) {
      for (let c = 3 * i; c < 3 * i + 3; c++) expect(last[c]).toBe(garment.mesh.positions[c]);
    }
  });

  it.each([
    ['twice the motion', swing(0.8), undefined],
    ['ten times the wind', swing(0), breeze(30)],
    ['a body that teleports', swing(0.3).map(([x, y, z], k): Vector => (k === 5 ? [3, y, z] : [x, y, z])), undefined],
  ] as const)('nothing flies off: %s', async (_, path, wind) => {
    const garment = { ...curtain(120), wind };
    const { pair, report } = await simulatePair(garment, ballMotion(path), QUICK);
    for (const sequence of [pair.coarse, pair.fine]) {
      const pins = sequence === pair.fine ? pair.pinned!.fine : pair.pinned!.coarse;
      for (let k = 0; k < sequence.frameCount; k++) {
        const frame = await sequence.readFrame(k);
        const middle = [0, 1, 2].map((c) => pins.reduce((sum, i) => sum + frame[3 * i + c], 0) / pins.length);
        expect(Math.max(...frame.map((x, c) => Math.abs(x - middle[c % 3])))).toBeLessThan(1.5); // NaN is not
      }
    }
    expect(report.figures.penetrationMillimetres).toBeLessThan(1);
  });

  it('holds in time steps of a second', async () => {
    const body = ballMotion(swing(0.3, 3));
    body.sequence.times = Float64Array.from([0, 1, 2]);
    const { pair } = await simulatePair(curtain(100), body, { ...QUICK, settle: 0 });
    const frame = await pair.fine.readFrame(2);
    expect(frame.every((x) => Math.abs(x) < 1.5)).toBe(true);
  });

  it('refuses meshes that do not belong together, and pins outside', async () => {
    const { mesh, pinned } = curtain(100);
    const body = ballMotion(swing(0, 2));
    const far = { ...mesh, positions: mesh.positions.map((x) => x + 1) };
    const given = { coarse: { mesh: far, pinned } };
    await expectRefusal(simulatePair({ mesh, pinned }, body, { given }), 'bad-input');
    await expectRefusal(simulatePair({ mesh, pinned: Uint32Array.of(5000) }, body), 'bad-input');
    await expectRefusal(simulatePair({ mesh, pinned }, body, { signal: AbortSignal.abort() }), 'cancelled');
  });

  it('notes garments of another size', async () => {
    const { mesh, pinned } = curtain(60);
    const large = { ...mesh, positions: mesh.positions.map((x) => 100 * x) };
    const { report } = await simulatePair({ mesh: large, pinned }, undefined, { ...QUICK, seconds: 0.1 });
    expect(report.notes.map(({ code }) => code)).toEqual(['cloth-size']);
  });

  it('notes vertices that start inside the body', async () => {
    const inside = curtain(100);
    for (let c = 2; c < inside.mesh.positions.length; c += 3) inside.mesh.positions[c] = 0.15;
    const { report } = await simulatePair(inside, ballMotion(swing(0, 2)), QUICK);
    expect(report.notes.map(({ code }) => code)).toEqual(['cloth-starts-inside']);
  });
});

describe('pairs on disk', () => {
  it('come back as they were written', async () => {
    const scene = pairScene('drag', { vertices: 120, framesPerSecond: 10 });
    const names = ['circle', 'bounce'];
    const folder = memoryFolder('pairs/');
    const writer = new PairsWriter(folder, 'drag', scene.body?.model);
    const coarse = await coarseMesh(scene.garment.mesh, scene.garment.pinned, 20);
    const written: ClothPair[] = [];
    for (const name of names) {
      const body = sceneMotion(scene, name);
      const { pair } = await simulatePair(scene.garment, body, {
        ...{ name, again: true, given: { coarse }, settle: 0, collider: 'surface' },
      });
      written.push({ ...pair, use: 'train' });
      await writer.add(written.at(-1)!);
    }
    await writer.finish();
    const { issues } = await validateBytes(folder.contents()['pairs/body.glb']);
    expect(issues).toMatchObject({ numErrors: 0, numWarnings: 0 });
    const read = await readPairs(memoryFiles(folder.contents()), 'pairs/');
    expect(read.map(({ name, use, thickness, collider }) => [name, use, thickness, collider])).toEqual(
      names.map((n) => [n, 'train', 0.006, 'surface']),
    );
    const list = new TextDecoder().decode(folder.contents()['pairs/pairs.json']);
    const bone = written[0].body!.rig!.names[written[0].body!.rig!.capsules[0].bone];
    const bad = {
      ...folder.contents(),
      'pairs/pairs.json': list.replace(`"bone": "${bone}"`, '"bone": "no such bone"'),
    };
    await expectRefusal(readPairs(memoryFiles(bad), 'pairs/'), 'bad-file');
    for (const [p, pair] of read.entries()) {
      expect(pair.pinned).toEqual(written[p].pinned);
      for (const kind of ['coarse', 'fine', 'repeat'] as const) {
        const [a, b] = [pair[kind]!, written[p][kind]!];
        expect(a.rest.positions).toEqual(b.rest.positions);
        expect(a.rest.triangles).toEqual(b.rest.triangles);
        expect(a.frameCount).toBe(b.frameCount);
        for (let k = 0; k < a.frameCount; k++) expect(await a.readFrame(k)).toEqual(await b.readFrame(k));
      }
      expect(pair.body?.rig?.capsules).toEqual(written[p].body?.rig?.capsules);
      const [a, b] = [pair.body!.sequence, written[p].body!.sequence];
      expect(a.frameCount).toBe(b.frameCount);
      const [x, y] = [await a.readFrame(a.frameCount - 1), await b.readFrame(a.frameCount - 1)];
      expect(Math.max(...boundsOf(x).max.map((value, c) => Math.abs(value - boundsOf(y).max[c])))).toBeLessThan(1e-6);
    }
  });

  it.each([
    ['no JSON', (text: string) => text.slice(1), 'bad-file'],
    ['something else', () => '{}', 'bad-file'],
    ['a later version', (text: string) => text.replace('"version": 1', '"version": 2'), 'unsupported'],
    ['no motions', (text: string) => text.replace(/"motions": \[[\s\S]*\]/, '"motions": []'), 'bad-file'],
    ['a path that leads out', (text: string) => text.replace('still.fine.abc', '../x.abc'), 'bad-file'],
    [
      'a capsule without ends',
      (text: string) =>
        text.replace('"motions"', '"body": { "file": "body.glb", "capsules": [{ "radius": 1 }] }, "motions"'),
      'bad-file',
    ],
    ['a missing file', (text: string) => text.replace('still.fine.abc', 'gone.abc'), 'not-found'],
    [
      'a pin outside',
      (text: string) => text.replace('"pinned"', '"pinned": { "coarse": [], "fine": [9999] }, "x"'),
      'bad-input',
    ],
    ['another mesh', (text: string) => text.replace('still.fine.abc', 'still.coarse.abc'), 'bad-input'],
    ['other frames', (text: string) => text.replace('still.fine.abc', 'long.fine.abc'), 'bad-input'],
  ] as const)('are refused with %s', async (_, change, code) => {
    const folder = memoryFolder('pairs/');
    const writer = new PairsWriter(folder, 'curtain');
    for (const [name, seconds] of [
      ['still', 0.1],
      ['long', 0.2],
    ] as const) {
      await writer.add(
        (await simulatePair(curtain(40), undefined, { ...QUICK, coarseVertices: 12, name, seconds })).pair,
      );
    }
    await writer.finish();
    const contents = folder.contents();
    const list = change(new TextDecoder().decode(contents['pairs/pairs.json']));
    const files = memoryFiles({ ...contents, 'pairs/pairs.json': list });
    await expectRefusal(readPairs(files, 'pairs'), code);
    expect(files.openCount()).toBe(0);
  });
});

describe('Guide', () => {
  it('takes back what the hats see on average, as the sum over all vertices says', async () => {
    const { mesh, pinned } = curtain(80);
    const coarse = await coarseMesh(mesh, pinned, 20);
    const embedding = new Embedding(coarse.mesh, mesh);
    const { hats, weights, count } = embedding;
    const random = seededRandom(3);
    const [from, to] = [0, 0].map(() => Float64Array.from(coarse.mesh.positions, (x) => x + 0.1 * random()));
    const x = Float64Array.from(mesh.positions, (p) => p + 0.05 * random());
    const before = x.slice();
    const guide = new Guide(embedding, from);
    guide.next(to);
    guide.pull({ x, inverseMass: new Float64Array(count).fill(1) }, 4, 10);
    const beta = (j: number, v: number) =>
      [0, 1, 2].reduce((sum, h) => sum + (hats[3 * j + h] === v ? weights[3 * j + h] : 0), 0);
    const rate = 1 - 0.47 ** (2 / 10);
    const all = Array.from({ length: count }, (_, i) => i);
    const vertices = Array.from({ length: embedding.coarseCount }, (_, v) => v);
    for (let c = 0; c < 3; c++) {
      const pose = vertices.map((v) => 0.5 * from[3 * v + c] + 0.5 * to[3 * v + c]);
      const d = all.map((j) => vertices.reduce((sum, v) => sum + beta(j, v) * pose[v], 0) - before[3 * j + c]);
      const mean = vertices.map((v) => {
        const hat = all.reduce((sum, i) => sum + beta(i, v), 0);
        return hat > 0 ? all.reduce((sum, i) => sum + beta(i, v) * d[i], 0) / hat : 0;
      });
      for (const j of all) {
        const expected = before[3 * j + c] + rate * vertices.reduce((sum, v) => sum + beta(j, v) * mean[v], 0);
        expect(x[3 * j + c]).toBeCloseTo(expected, 12);
      }
    }
  });

  it('leaves a curved garment alone that is at rest, wherever it is', async () => {
    const ball = geodesicSphere('ball', 642, [0, 0, 0], 0.3);
    const coarse = await coarseMesh(ball, new Uint32Array(0), 60);
    const place = moved(Float64Array.from(coarse.mesh.positions));
    const x = moved(Float64Array.from(ball.positions));
    const guide = new Guide(new Embedding(coarse.mesh, ball), place);
    guide.next(place);
    guide.pull({ x, inverseMass: new Float64Array(642).fill(1) }, 0, 1);
    expectNear(x, moved(Float64Array.from(ball.positions)), 1e-6);
  });
});

describe('PairFigures', () => {
  it('sees detail that turns with the cloth as the same detail', async () => {
    const { mesh, pinned } = curtain(80);
    const coarse = await coarseMesh(mesh, pinned, 20);
    const figures = new PairFigures(new Embedding(coarse.mesh, mesh));
    const random = seededRandom(5);
    const bumps = mesh.positions.map((x) => x + 0.02 * (random() - 0.5));
    const turned = (points: Float32Array, angle: number) =>
      Float64Array.from(points, (_, c) => {
        const [x, y, z] = points.subarray(c - (c % 3), c - (c % 3) + 3);
        return [x * Math.cos(angle) - y * Math.sin(angle), x * Math.sin(angle) + y * Math.cos(angle), z][c % 3];
      });
    for (let k = 0; k < 4; k++) figures.add(turned(coarse.mesh.positions, k), turned(bumps, k), turned(bumps, k));
    expect(figures.all().detailCorrelation).toBeCloseTo(1, 6);
    expect(figures.all().repeatabilityPercent).toBe(100);
  });
});
