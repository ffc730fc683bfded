import { describe, expect, it } from 'vitest';
import { RUN_CLOTH_OPTIONS, type RunClothOptions } from '../../src/cloth/options.ts';
import { runCloth } from '../../src/cloth/run.ts';
import type { Garment } from '../../src/cloth/worn.ts';
import type { Vector } from '../../src/math/vector.ts';
import { expectRefusal } from '../refusal.ts';
import { ballMotion, curtain } from './ball.ts';

/** The ball swings through the curtain and back. */
const swing = (reach: number, frames = 20): Vector[] =>
  Array.from({ length: frames }, (_, k) => [0, 0, reach * Math.sin((2 * Math.PI * k) / frames)]);

const garment = (wind?: Garment['wind']): Garment => ({ ...curtain(300), wind });
const breeze = (speed: number) => ({ velocity: [speed, 0, speed] as const, turbulence: 0.4, eddy: 0.5, seed: 1 });

const QUICK: Partial<RunClothOptions> = { coarseVertices: 60, settle: 0.2 };

/** Nothing is farther from the middle of the pins than the curtain is long, nothing is inside the ball. */
async function expectCalm({ sequence, report }: Awaited<ReturnType<typeof runCloth>>): Promise<void> {
  const { pinned } = curtain(300);
  for (let k = 0; k < sequence.frameCount; k++) {
    const frame = await sequence.readFrame(k);
    const middle = [0, 1, 2].map((c) => pinned.reduce((sum, i) => sum + frame[3 * i + c], 0) / pinned.length);
    const far = Math.max(...frame.map((x, c) => Math.abs(x - middle[c % 3])));
    expect(far).toBeLessThan(1); // NaN is not
  }
  expect(report.figures.penetrationMillimetres).toBeLessThan(1);
}

describe('runCloth', () => {
  it('hangs still on a body at rest, and gives the same frames twice', async () => {
    const still = swing(0, 12);
    const [a, b] = [
      await runCloth(garment(), ballMotion(still), QUICK),
      await runCloth(garment(), ballMotion(still), QUICK),
    ];
    const last = await a.sequence.readFrame(11);
    expect(last).toEqual(await b.sequence.readFrame(11));
    const { positions } = curtain(300).mesh;
    expect(Math.max(...last.map((x, c) => Math.abs(x - positions[c])))).toBeLessThan(0.02);
    expect(a.sequence.times).toEqual(ballMotion(still).sequence.times);
  });

  it.each([
    ['a swinging ball', swing(0.4), undefined, {}],
    ['its posed surface', swing(0.4), undefined, { collider: 'surface' }],
    ['the embedding alone', swing(0.4), undefined, { physics: 'off' }],
    ['twice the motion', swing(0.8), undefined, {}],
    ['a breeze', swing(0), breeze(3), {}],
    ['ten times the wind', swing(0), breeze(30), {}],
  ] as const)('%s', async (_, path, wind, options) => {
    const result = await runCloth(garment(wind), ballMotion(path), { ...QUICK, ...options });
    await expectCalm(result);
  });

  it.each(['capsules', 'surface'] as const)('settles after %s teleport through the cloth', async (collider) => {
    const path: Vector[] = Array.from({ length: 40 }, (_, k) =>
      k < 10 ? [0, 0, 0] : k < 14 ? [0, -0.1, 0.6] : [3, 0, 0],
    );
    // Pins would follow the ball.
    const free = { ...curtain(300), pinned: new Uint32Array(0) };
    const { sequence, report } = await runCloth(free, ballMotion(path), { ...QUICK, collider });
    const frame = await sequence.readFrame(39);
    expect(frame.every((x) => Math.abs(x) < 20)).toBe(true);
    expect(report.figures.meanEdgeStrainPercent).toBeLessThan(20);
    expect(report.notes.map(({ code }) => code)).toContain('no-pins');
  });

  it('holds in time steps of a second', async () => {
    const body = ballMotion(swing(0.4, 4));
    body.sequence.times = Float64Array.from([0, 1, 2, 3]);
    await expectCalm(await runCloth(garment(), body, { ...QUICK, settle: 0 }));
  });

  it('keeps a fast ball on its side of the cloth', async () => {
    // A metre in two frames, through the curtain: sampled at the frames only it would be in front, then behind.
    const path: Vector[] = [
      [0, 0, -0.2],
      [0, 0, -0.2],
      [0, 0, 0.3],
      [0, 0, 0.8],
      [0, 0, 0.8],
    ];
    const { sequence } = await runCloth(garment(), ballMotion(path), QUICK);
    const frame = await sequence.readFrame(3);
    const ahead = frame.filter((z, c) => c % 3 === 2 && Math.hypot(frame[c - 2], frame[c - 1]) < 0.1 && z > 0.9);
    expect(ahead.length).toBeGreaterThan(0);
  });

  it('notes vertices that start inside the body, and lets them be', async () => {
    const inside = curtain(300);
    for (let c = 2; c < inside.mesh.positions.length; c += 3) inside.mesh.positions[c] = 0.15;
    const { report } = await runCloth(inside, ballMotion(swing(0, 4)), QUICK);
    const found = report.notes.find(({ code }) => code === 'cloth-starts-inside');
    expect(found?.data).toMatchObject({ depth: expect.closeTo(0.05, 1) });
  });

  it('refuses what is no cloth', async () => {
    const { mesh, pinned } = curtain(60);
    const run = (garment: Garment, options = {}) => runCloth(garment, ballMotion(swing(0, 2)), options);
    const points = { ...mesh, triangles: new Uint32Array(0) };
    await expectRefusal(run({ mesh: points, pinned }), 'bad-input');
    const option = 'coarseVertices';
    await expectRefusal(run({ mesh, pinned }, { [option]: RUN_CLOTH_OPTIONS[option].min - 1 }), 'bad-option', {
      option,
    });
    await expectRefusal(run({ mesh, pinned }, { signal: AbortSignal.abort() }), 'cancelled');
  });
});
