import { describe, expect, it, vi } from 'vitest';
import { Embedding } from '../../src/cloth/embedding.ts';
import { capeGarment } from '../../src/cloth/garments.ts';
import { LiveCloth, type LiveClothOptions } from '../../src/cloth/live.ts';
import { runCloth } from '../../src/cloth/run.ts';
import { trainUpsampler } from '../../src/cloth/upsampler/train.ts';
import { Upsampler } from '../../src/cloth/upsampler/upsampler.ts';
import type { Wind } from '../../src/cloth/wind.ts';
import type { Vector } from '../../src/math/vector.ts';
import type { Mesh } from '../../src/model/mesh.ts';
import type { SkinnedModel } from '../../src/model/skinned-model.ts';
import { CLOTH_PHYSICS, type TrainedCloth } from '../../src/model/trained-cloth.ts';
import { sampleFigure } from '../../src/rig/samples/figure.ts';
import { posedSequence } from '../../src/skin/posed-sequence.ts';
import { Skinner } from '../../src/skin/skinner.ts';
import { expectRefusal } from '../refusal.ts';
import { ballMotion, curtain, RADIUS } from './ball.ts';
import { squeezedPair, wavy } from './squeezed-pair.ts';

const FRAMES = 20;
const QUICK = {
  coarseVertices: 60,
  settle: 0.2,
  given: { capsules: [{ bone: 0, a: [0, 0, 0], b: [0, 0, 0], radius: RADIUS }] },
} as const satisfies LiveClothOptions;
const garment = curtain(300);
const breeze = (speed: number): Wind => ({ velocity: [speed, 0, speed], turbulence: 0.4, eddy: 0.5, seed: 1 });

/** A ball as a rig of one bone. */
function ball(): SkinnedModel {
  const { rest } = ballMotion([[0, 0, 0]]).sequence;
  const n = rest.positions.length / 3;
  return {
    name: 'ball',
    mesh: rest,
    weights: { influences: 1, joints: new Uint16Array(n), weights: new Float32Array(n).fill(1) },
    skeleton: {
      names: ['ball'],
      parents: Int32Array.of(-1),
      restLocals: Float32Array.of(0, 0, 0, 0, 0, 0, 1, 1, 1, 1),
      inverseBind: at([0, 0, 0]),
    },
    clips: [],
    operator: 'lbs',
  };
}

const at = ([x, y, z]: Vector): Float32Array => Float32Array.of(1, 0, 0, x, 0, 1, 0, y, 0, 0, 1, z);
const swing = (reach: number): Vector[] =>
  Array.from({ length: FRAMES }, (_, k) => [0, 0, reach * Math.sin((2 * Math.PI * k) / FRAMES)]);

/** Nothing is farther from the middle of the pins than the curtain is long, nothing is in the ball at `center`. */
function expectCalm({ positions, normals }: LiveCloth, center: Vector): void {
  const { pinned } = garment;
  const middle = [0, 1, 2].map((c) => pinned.reduce((sum, i) => sum + positions[3 * i + c], 0) / pinned.length);
  expect(Math.max(...positions.map((x, c) => Math.abs(x - middle[c % 3])))).toBeLessThan(1); // NaN is not
  expect(normals.every((n) => Math.abs(n) <= 1 + 1e-6)).toBe(true);
  for (let o = 0; o < positions.length; o += 3) {
    if (pinned.includes(o / 3)) continue;
    const r = Math.hypot(...[0, 1, 2].map((c) => positions[o + c] - center[c]));
    expect(r).toBeGreaterThan(RADIUS - 0.01);
  }
}

describe('LiveCloth', () => {
  it('embeds the garment as if its detail had no physics', async () => {
    const [live, plain] = await Promise.all(
      (['alone', 'off'] as const).map((physics) => LiveCloth.wear(garment, ball(), { ...QUICK, physics })),
    );
    for (const cloth of [live, plain]) {
      cloth.pose(at([0, 0, 0.1]));
      cloth.advance(1 / 30);
    }
    const embedded = new Float64Array(live.positions.length);
    live.embed(embedded);
    expect(Float32Array.from(embedded)).toEqual(plain.positions);
    expect(Float32Array.from(embedded)).not.toEqual(live.positions);
  });

  it.each(['capsules', 'surface'] as const)('stepped frame by frame is runCloth; collider %s', async (collider) => {
    const model = ball();
    // Half-way the body jumps elsewhere, and takes the cloth along.
    const transforms = swing(0.4).map(([x, y, z], k) => at(k < FRAMES / 2 ? [x, y, z] : [x + 40, y, z]));
    const times = Float64Array.from(transforms, (_, k) => k / 30);
    const clip = { name: 'swing', times, transforms: Float32Array.from(transforms.flatMap((m) => [...m])) };
    const { sequence, report } = await runCloth(
      { ...garment, wind: breeze(2) },
      {
        sequence: posedSequence({ ...model, clips: [clip] }, 0),
        rig: { capsules: QUICK.given.capsules, names: ['ball'], clip },
      },
      { ...QUICK, collider },
    );
    const live = await LiveCloth.wear({ ...garment, wind: breeze(2) }, model, {
      ...QUICK,
      collider,
      stepsPerSecond: 30,
      transforms: transforms[0],
    });
    expect(report.notes).toContainEqual({ code: 'body-jumps', data: { frames: 1, first: FRAMES / 2 } });
    expect(report.figures.maxEdgeStretchPercent).toBeLessThan(60);
    expect(live.positions).toEqual(await sequence.readFrame(0));
    for (let k = 1; k < FRAMES; k++) {
      live.pose(transforms[k]);
      expect(live.advance(1 / 30)).toBe(1);
      expect(live.positions).toEqual(await sequence.readFrame(k));
    }
  });

  it('makes the steps that time has passed for, and a few at most', async () => {
    const live = await LiveCloth.wear(garment, ball(), QUICK);
    const seconds = [0.016, 0.017, 0.008, 0.009, 0.04, 10, 0.0167, 0, -1, Number.NaN, Infinity];
    expect(seconds.map((s) => live.advance(s))).toEqual([1, 1, 0, 1, 2, 4, 1, 0, 0, 0, 0]);
    expectCalm(live, [0, 0, 0]);
  });

  it('goes on with a body in steps of its own', async () => {
    const live = await LiveCloth.wear(garment, ball(), QUICK);
    live.pose(at([0, 0, 0.1]));
    expect(live.advance(0.05)).toBe(3);
    expectCalm(live, [0, 0, 0.1]);
  });

  it.each([
    ['twice the motion', 0.8, undefined],
    ['ten times the wind', 0, breeze(30)],
    ['both', 0.8, breeze(30)],
  ] as const)('%s', async (_, reach, wind) => {
    const live = await LiveCloth.wear(garment, ball(), QUICK);
    live.wind = wind;
    for (const center of swing(reach)) {
      live.pose(at(center));
      live.advance(1 / 30);
      expectCalm(live, center);
    }
  });

  it('goes along when the body jumps or turns around', async () => {
    const live = await LiveCloth.wear(garment, ball(), QUICK);
    const before = live.positions.slice();
    live.pose(at([50, 2, -30]));
    live.advance(1 / 60);
    expect(Math.max(...live.positions.map((x, c) => Math.abs(x - before[c] - [50, 2, -30][c % 3])))).toBeLessThan(0.03);
    live.pose(Float32Array.of(-1, 0, 0, 50, 0, 1, 0, 2, 0, 0, -1, -30));
    live.advance(1 / 60);
    const turned = before.map((x, c) => (c % 3 === 1 ? x : -x) + [50, 2, -30][c % 3]);
    expect(Math.max(...live.positions.map((x, c) => Math.abs(x - turned[c])))).toBeLessThan(0.03);
  });

  it('follows a hand, and hangs as before when released', async () => {
    const live = await LiveCloth.wear(garment, ball(), QUICK);
    const before = live.positions.slice();
    const corner = [0, 1, 2].map((c) => before[c]); // vertex 0: the lower left
    const target = [corner[0] + 0.1, corner[1] + 0.2, corner[2] + 0.3] as const;
    for (let k = 0; k < 30; k++) {
      live.grab(0, ...target);
      live.advance(1 / 60);
    }
    expect(Math.hypot(...target.map((x, c) => x - live.positions[c]))).toBeLessThan(0.02);
    expectCalm(live, [0, 0, 0]);
    live.release();
    for (let k = 0; k < 180; k++) live.advance(1 / 60);
    expect(Math.max(...live.positions.map((x, c) => Math.abs(x - before[c])))).toBeLessThan(0.1);
    live.grab(0, 1e3, 1e3, 1e3); // out of reach
    for (let k = 0; k < 30; k++) live.advance(1 / 60);
    expectCalm(live, [0, 0, 0]);
  });

  it('follows a hand that lifts the hem of a cape', async () => {
    const live = await LiveCloth.wear(capeGarment(500), sampleFigure(2500, 2, 24), { coarseVertices: 60, settle: 0.5 });
    const { positions } = live;
    const low = positions.reduce((least, y, c) => (c % 3 === 1 && y < positions[least] ? c : least), 1);
    const hem = Math.floor(low / 3);
    const [x, y, z] = positions.slice(3 * hem, 3 * hem + 3);
    const target = [x, y + 0.3, z - 0.3] as const;
    for (let k = 0; k < 30; k++) {
      live.grab(hem, ...target);
      live.advance(1 / 60);
    }
    expect(Math.hypot(...target.map((t, c) => t - positions[3 * hem + c]))).toBeLessThan(0.04); // of 0.42
  });

  it('changes stiffness while it moves, and back', async () => {
    const [a, b] = [await LiveCloth.wear(garment, ball(), QUICK), await LiveCloth.wear(garment, ball(), QUICK)];
    for (const live of [a, b]) live.wind = breeze(2);
    for (const bending of [1e-6, 1, 1e-3, 0]) {
      a.bending = bending;
      a.advance(1 / 30);
      b.advance(1 / 30);
      expectCalm(a, [0, 0, 0]);
      expect(Math.max(...a.positions.map((x, c) => Math.abs(x - b.positions[c])))).toBeLessThan(0.1);
    }
    expect(a.bending).toBe(0);
  });

  it('keeps its gusts when stiffness changes', async () => {
    const [a, b] = [await LiveCloth.wear(garment, ball(), QUICK), await LiveCloth.wear(garment, ball(), QUICK)];
    for (const live of [a, b]) live.wind = { ...breeze(4), turbulence: 1 };
    const { bending } = a;
    for (let k = 0; k < 20; k++) {
      a.bending = 2 * bending;
      a.bending = bending;
      for (const live of [a, b]) live.advance(1 / 30);
    }
    expect(Math.max(...a.positions.map((x, c) => Math.abs(x - b.positions[c])))).toBeLessThan(0.005);
  });

  it('is put on anew where the body is', async () => {
    const live = await LiveCloth.wear(garment, ball(), QUICK);
    const before = live.positions.slice();
    live.wind = breeze(8);
    live.pose(at([1, 0, 0]));
    for (let k = 0; k < 20; k++) live.advance(1 / 30);
    live.wind = undefined;
    expect(live.wind).toBeUndefined();
    live.reset();
    expect(Math.max(...live.positions.map((x, c) => Math.abs(x - before[c] - (c % 3 === 0 ? 1 : 0))))).toBeLessThan(
      1e-3,
    );
  });

  describe('trained cloth', async () => {
    const pair = squeezedPair(wavy);
    const { upsampler } = await trainUpsampler([pair], { examples: 10, ridge: 0.01 });
    const { rest: coarse } = pair.coarse;
    const { rest: fine } = pair.fine;
    const held = ({ positions }: Mesh) =>
      Uint32Array.from({ length: positions.length / 3 }, (_, i) => i).filter((i) => positions[3 * i] < 1e-6);
    const trained: TrainedCloth = {
      name: 'cloth',
      coarse,
      fine,
      pinned: { coarse: held(coarse), fine: held(fine) },
      thickness: 0.01,
      method: 'learned',
      physics: 'off',
      upsampler,
    };
    /** Far away. */
    const body = ball();
    body.mesh = { ...body.mesh, positions: body.mesh.positions.map((x) => x + 20) };
    const options = { settle: 0.2, given: { capsules: [] } };

    it('has the detail that was learned', async () => {
      const live = await LiveCloth.wear(trained, body, options);
      live.advance(1 / 60);
      const embedding = new Embedding(coarse, fine);
      const expected = new Float64Array(3 * embedding.count);
      new Upsampler(upsampler, coarse, embedding).apply(live.coarsePositions, undefined, expected);
      const plain = new Float64Array(3 * embedding.count);
      embedding.apply(live.coarsePositions, plain);
      const differences = (x: Float64Array) => live.positions.map((y, c) => Math.abs(y - x[c]));
      // Pinned vertices are where the body has them.
      const free = (_: number, c: number) => !trained.pinned.fine.includes(Math.floor(c / 3));
      expect(Math.max(...differences(expected).filter(free))).toBeLessThan(1e-6);
      expect(Math.max(...differences(plain))).toBeGreaterThan(1e-3);
    });

    it.each(CLOTH_PHYSICS)('turns with the body; physics %s', async (physics) => {
      const [a, b] = [
        await LiveCloth.wear(trained, body, { ...options, physics }),
        // By a quarter about the vertical.
        await LiveCloth.wear(trained, body, {
          ...options,
          physics,
          transforms: Float32Array.of(0, 0, 1, 0, 0, 1, 0, 0, -1, 0, 0, 0),
        }),
      ];
      for (const live of [a, b]) for (let k = 0; k < 5; k++) live.advance(1 / 60);
      const turned = a.positions.map((_, c) =>
        c % 3 === 0 ? a.positions[c + 2] : c % 3 === 1 ? a.positions[c] : -a.positions[c - 2],
      );
      expect(Math.max(...b.positions.map((x, c) => Math.abs(x - turned[c])))).toBeLessThan(2e-3);
    });
  });

  it('refuses what it cannot use', async () => {
    const live = await LiveCloth.wear(garment, ball(), QUICK);
    const refused = expect.objectContaining({ code: 'bad-input', operation: 'LiveCloth' });
    expect(() => live.pose(new Float32Array(24))).toThrow(refused);
    expect(() => live.pose(at([Number.NaN, 0, 0]))).toThrow(refused);
    expect(() => live.pose(at([0, 0, 0]), new Float32Array(3))).toThrow(refused);
    expect(() => live.grab(garment.mesh.positions.length / 3, 0, 0, 0)).toThrow(refused);
    expect(() => live.grab(0, 0, Infinity, 0)).toThrow(refused);
    expect(() => {
      live.wind = breeze(Number.NaN);
    }).toThrow(refused);
    expect(() => {
      live.bending = -1;
    }).toThrow(expect.objectContaining({ code: 'bad-option' }));
    await expectRefusal(LiveCloth.wear({ ...garment, pinned: Uint32Array.of(999) }, ball()), 'bad-input');
    await expectRefusal(LiveCloth.wear(garment, ball(), { signal: AbortSignal.abort() }), 'cancelled');
  });

  it('lets go of the body when it cannot be dressed', async () => {
    const dispose = vi.spyOn(Skinner.prototype, 'dispose');
    await expectRefusal(LiveCloth.wear(garment, ball(), { signal: AbortSignal.abort() }), 'cancelled');
    expect(dispose).toHaveBeenCalledTimes(1);
    await expectRefusal(LiveCloth.wear(garment, ball(), { transforms: new Float32Array(3) }), 'bad-input');
    expect(dispose).toHaveBeenCalledTimes(2);
    dispose.mockRestore();
  });
});
