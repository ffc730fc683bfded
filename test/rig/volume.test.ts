import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../src/math/rng.ts';
import { type Mesh, vertexCount } from '../../src/model/mesh.ts';
import type { SkinWeights } from '../../src/model/skinned-model.ts';
import { bind } from '../../src/rig/bind/bind.ts';
import type { BindOptions } from '../../src/rig/bind/bind-options.ts';
import { icosphere, rotationOf, grid as sheet, transformed } from '../mesh/shapes.ts';
import { jointsAt, TUBE, TWO, together, tube, type Vector, weightOf, weightsOf } from './bind-shapes.ts';

const VOLUME: Partial<BindOptions> = { method: 'volume', resolution: 48 };
const UNTURNED = rotationOf([1, 0, 0], 0);
const ball = (size: number, at: Vector): Mesh => transformed(icosphere(1), UNTURNED, size, at);
const vertices = (mesh: Mesh): number[] => Array.from({ length: vertexCount(mesh) }, (_, i) => i);

/** The largest difference of any weight. */
function difference(a: SkinWeights, b: SkinWeights, bones: number, n: number): number {
  let most = 0;
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < bones; j++) most = Math.max(most, Math.abs(weightOf(a, i, j) - weightOf(b, i, j)));
  }
  return most;
}

/** Two legs side by side below a block of hips. */
const legs = together(
  tube(-4, -0.2, 0.5, 17, 12, 0.6),
  tube(-4, -0.2, 0.5, 17, 12, -0.6),
  transformed(ball(1, [0, 0, 0]), UNTURNED, 1.3, [0.6, 0, 0]),
);
const LEGS = jointsAt([
  ['hips', undefined, [0.6, 0, 0]],
  ['thigh.L', 'hips', [-0.1, 0.6, 0]],
  ['shin.L', 'thigh.L', [-2, 0.6, 0]],
  ['shin.L_end', 'shin.L', [-3.9, 0.6, 0]],
  ['thigh.R', 'hips', [-0.1, -0.6, 0]],
  ['shin.R', 'thigh.R', [-2, -0.6, 0]],
  ['shin.R_end', 'shin.R', [-3.9, -0.6, 0]],
]);

describe('bind by heat in the solid', () => {
  it('keeps parallel limbs apart: the left leg has nothing of the right', async () => {
    const weights = await weightsOf(legs, LEGS, { ...VOLUME, resolution: 64 });
    const left = vertices(legs).filter((i) => legs.positions[3 * i + 1] > 0.11 && legs.positions[3 * i] < -1);
    expect(left.length).toBeGreaterThan(100);
    const leak = left.map((i) => [legs.positions[3 * i], weightOf(weights, i, 4) + weightOf(weights, i, 5)]);
    // What crosses the hips is gone after one width of the leg; what crosses the gap is nothing.
    expect(Math.max(...leak.map(([, w]) => w))).toBeLessThan(0.01);
    expect(Math.max(...leak.map(([x, w]) => (x < -2 ? w : 0)))).toBeLessThan(1e-4);
  });

  it('keeps limbs apart that all but touch, within a voxel or a few', async () => {
    // Names say nothing of sides here.
    const bones = jointsAt([
      ['hips', undefined, [0.6, 0, 0]],
      ['one', 'hips', [-0.1, 0.5, 0]],
      ['one_end', 'one', [-3.9, 0.5, 0]],
      ['two', 'hips', [-0.1, -0.5, 0]],
      ['two_end', 'two', [-3.9, -0.5, 0]],
    ]);
    for (const gap of [0.01, 0.05, 0.12, 0.2]) {
      const pair = together(
        tube(-4, -0.2, 0.5, 33, 24, 0.5 + gap / 2),
        tube(-4, -0.2, 0.5, 33, 24, -0.5 - gap / 2),
        transformed(ball(1, [0, 0, 0]), UNTURNED, 1.3, [0.6, 0, 0]),
      );
      const weights = await weightsOf(pair, bones, VOLUME);
      // Away from their ends: a layer of voxels that lies before both joins them there.
      const isBetween = (x: number): boolean => x > -3 && x < -1.5;
      const first = vertices(pair).filter((i) => pair.positions[3 * i + 1] > 0 && isBetween(pair.positions[3 * i]));
      expect(first.length).toBeGreaterThan(150);
      expect(Math.max(...first.map((i) => weightOf(weights, i, 3)))).toBeLessThan(0.01);
    }
  });

  it('takes joints in a row for a chain, also where none is the parent of another', async () => {
    const places: [string, Vector][] = [
      ['first', [-2, 0, 0]],
      ['second', [-0.7, 0, 0]],
      ['third', [0.8, 0, 0]],
    ];
    const chain = jointsAt(places.map(([name, at], j) => [name, places[j - 1]?.[0], at]));
    const flat = jointsAt(places.map(([name, at]) => [name, undefined, at]));
    const weights = await weightsOf(TUBE, flat, VOLUME);
    expect(difference(weights, await weightsOf(TUBE, chain, VOLUME), 3, vertexCount(TUBE))).toBeLessThan(1e-6);
  });

  it('lets a leaf go on from the joint above that is elsewhere', async () => {
    const twice = jointsAt([
      ['first', undefined, [-2, 0, 0]],
      ['between', 'first', [0, 0, 0]],
      ['last', 'between', [0, 0, 0]],
    ]);
    const weights = await weightsOf(TUBE, twice, VOLUME);
    const tip = vertices(TUBE).filter((i) => TUBE.positions[3 * i] > 1);
    expect(Math.min(...tip.map((i) => weightOf(weights, i, 2)))).toBeGreaterThan(0.9);
  });

  it('moves clothes with the body below them', async () => {
    const clothed = together(TUBE, tube(-2, 2, 0.6, 25, 12));
    const weights = await weightsOf(clothed, TWO, { ...VOLUME, resolution: 96 });
    const bare = await weightsOf(TUBE, TWO, { ...VOLUME, resolution: 96 });
    const at = (mesh: Mesh, found: SkinWeights, from: number, x: number): number => {
      const near = vertices(mesh).filter((i) => i >= from && Math.abs(mesh.positions[3 * i] - x) < 0.09);
      return near.reduce((sum, i) => sum + weightOf(found, i, 0), 0) / near.length;
    };
    for (const x of [-1, -0.5, 0, 0.5, 1]) {
      const cloth = at(clothed, weights, vertexCount(TUBE), x);
      expect(Math.abs(cloth - at(clothed, weights, 0, x))).toBeLessThan(0.12);
      expect(Math.abs(cloth - at(TUBE, bare, 0, x))).toBeLessThan(0.12);
    }
  });

  it('takes open surfaces for solid', async () => {
    const open = { positions: TUBE.positions, triangles: TUBE.triangles.slice(0, -6 * 12) };
    const [a, b] = [await weightsOf(open, TWO, VOLUME), await weightsOf(TUBE, TWO, VOLUME)];
    expect(difference(a, b, 2, 48 * 12)).toBeLessThan(0.02);
  });

  it('binds 94 loose parts, none of which is left out', async () => {
    const random = seededRandom(94);
    const parts = Array.from({ length: 94 }, () =>
      ball(0.05 + 0.1 * random(), [8 * random() - 4, random() - 0.5, random() - 0.5]),
    );
    const { weights, report } = await bind(together(...parts), TWO, VOLUME);
    expect(report.notes.map(({ code }) => code)).toContain('rigid-parts');
    parts.forEach((part, p) => {
      const rows = Array.from({ length: vertexCount(part) }, (_, i) => weightOf(weights, p * 42 + i, 0));
      expect(Math.min(...rows)).toBeGreaterThanOrEqual(0);
      // Parts clear of the joint follow one bone.
      const x = rows.map((_, i) => part.positions[3 * i]);
      if (Math.min(...x) > 0.7) expect(Math.max(...rows)).toBe(0);
      if (Math.max(...x) < -0.7) expect(Math.min(...rows)).toBe(1);
    });
  });

  it('lets parts bend when that is asked for', async () => {
    const button = ball(0.3, [0.35, 0, 0.55]);
    const mesh = together(TUBE, button);
    const first = vertexCount(TUBE);
    const spread = async (options: Partial<BindOptions>) => {
      const weights = await weightsOf(mesh, TWO, { ...VOLUME, ...options });
      const rows = Array.from({ length: 42 }, (_, i) => weightOf(weights, first + i, 1));
      return Math.max(...rows) - Math.min(...rows);
    };
    expect(await spread({})).toBe(0);
    expect(await spread({ rigidParts: false })).toBeGreaterThan(0.05);
  });

  it.each<[string, Mesh]>([
    ['one triangle', { positions: Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0), triangles: Uint32Array.of(0, 1, 2) }],
    ['a flat sheet', sheet(6, 6)],
    [
      'edges with many faces',
      {
        positions: Float32Array.of(-1, 0, 0, 1, 0, 0, 0, 1, 0, 0, -1, 0, 0, 0, 1),
        triangles: Uint32Array.of(0, 1, 2, 0, 1, 3, 0, 1, 4),
      },
    ],
  ])('binds %s', async (_, mesh) => {
    await weightsOf(mesh, TWO, VOLUME);
  });

  it('binds to a skeleton outside the mesh by the nearest of its bones', async () => {
    const beside = jointsAt([
      ['left', undefined, [-3.6, 0, 30]],
      ['right', 'left', [0, 0, 30]],
      ['right_end', 'right', [3.6, 0, 30]],
    ]);
    const weights = await weightsOf(TUBE, beside, { ...VOLUME, heat: 1000 });
    const [low, high] = vertices(TUBE).reduce(
      ([a, b], i) => (TUBE.positions[3 * i] < 0 ? [a + weightOf(weights, i, 0), b] : [a, b + weightOf(weights, i, 0)]),
      [0, 0],
    );
    expect(low).toBeGreaterThan(high);
  });

  it('is the same for a mesh that is moved, scaled or turned by a right angle, and near for other turns', async () => {
    const mesh = together(TUBE, ball(0.9, [1.5, 0.4, 0.3]));
    const n = vertexCount(mesh);
    const before = await weightsOf(mesh, TWO, VOLUME);
    const differenceOf = async (turn: readonly number[], scale: number, offset: Vector) => {
      const place = (x: number): Vector =>
        [0, 1, 2].map((c) => scale * turn[3 * c] * x + offset[c]) as unknown as Vector;
      const skeleton = jointsAt([
        ['lower', undefined, place(-3.6)],
        ['upper', 'lower', place(0)],
        ['upper_end', 'upper', place(3.6)],
      ]);
      return difference(before, await weightsOf(transformed(mesh, turn, scale, offset), skeleton, VOLUME), 2, n);
    };
    expect(await differenceOf(UNTURNED, 4, [64, -32, 8])).toBeLessThan(1e-4);
    expect(await differenceOf([0, -1, 0, 1, 0, 0, 0, 0, 1], 1, [0, 0, 0])).toBeLessThan(1e-4);
    expect(await differenceOf([0, 0, 1, 1, 0, 0, 0, 1, 0], 1, [0, 0, 0])).toBeLessThan(1e-4);
    expect(await differenceOf(rotationOf([1, 2, 3], 1.1), 1, [0, 0, 0])).toBeLessThan(0.25);
  });

  it('gives the same bytes every time', async () => {
    const [a, b] = [await weightsOf(legs, LEGS, VOLUME), await weightsOf(legs, LEGS, VOLUME)];
    expect(Buffer.from(a.weights.buffer).equals(Buffer.from(b.weights.buffer))).toBe(true);
    expect(Buffer.from(a.joints.buffer).equals(Buffer.from(b.joints.buffer))).toBe(true);
  });

  it('gives eyes what is around them and nothing else', async () => {
    const head = together(ball(1, [0, 0, 0]), ball(0.04, [0.3, 0.8, 0.3]), ball(0.04, [-0.3, 0.8, 0.3]));
    const skeleton = jointsAt([
      ['head', undefined, [0, 0, -0.8]],
      ['head_end', 'head', [0, 0, 0.9]],
      ['LeftEye', 'head', [0.3, 0.8, 0.3]],
      ['RightEye', 'head', [-0.3, 0.8, 0.3]],
    ]);
    const coarse = { ...VOLUME, resolution: 32 };
    const { weights, report } = await bind(head, skeleton, coarse);
    const owner = vertices(head).map((i) => [0, 2, 3].find((j) => weightOf(weights, i, j) === 1));
    expect(owner).toEqual(vertices(head).map((i) => (i < 42 ? 0 : i < 84 ? 2 : 3)));
    expect(report.notes).toContainEqual({ code: 'eyes-placed', data: { eyes: 2, parts: 2 } });
    const off = await weightsOf(head, skeleton, { ...coarse, eyes: false });
    expect(vertices(head).some((i) => i < 42 && weightOf(off, i, 2) > 0.2)).toBe(true);
  });

  it('leaves helpers above the body alone, but not hips that are called root', async () => {
    const below = (root: string) =>
      jointsAt([
        [root, undefined, [-3.9, 0, 0]],
        ['lower', root, [-3.6, 0, 0]],
        ['upper', 'lower', [0, 0, 0]],
        ['upper_end', 'upper', [3.6, 0, 0]],
      ]);
    const { weights, report } = await bind(TUBE, below('b_Root_00'), VOLUME);
    expect(report.notes).toContainEqual({ code: 'helper-bones', data: { bones: ['b_Root_00'] } });
    expect(vertices(TUBE).every((i) => weightOf(weights, i, 0) === 0)).toBe(true);
    const other = await weightsOf(TUBE, below('pelvis'), VOLUME);
    expect(vertices(TUBE).some((i) => weightOf(other, i, 0) > 0.5)).toBe(true);
    const hips = await bind(legs, { ...LEGS, names: LEGS.names.map((name) => name.replace('hips', 'root')) }, VOLUME);
    expect(vertices(legs).some((i) => weightOf(hips.weights, i, 0) > 0.9)).toBe(true);
  });

  it('stops when it is told to, also late', async () => {
    const stop = new AbortController();
    const onProgress = (_done: number, _total: number, label: string) => {
      if (label === 'diffusing heat') stop.abort();
    };
    await expect(bind(TUBE, TWO, { ...VOLUME, onProgress, signal: stop.signal })).rejects.toMatchObject({
      code: 'cancelled',
    });
  });
});
