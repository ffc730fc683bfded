import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../src/math/rng.ts';
import type { Mesh } from '../../src/model/mesh.ts';
import type { Skeleton } from '../../src/model/skeleton.ts';
import { alignSkeleton } from '../../src/rig/bind/align.ts';
import { bind } from '../../src/rig/bind/bind.ts';
import { BIND_METHODS } from '../../src/rig/bind/bind-options.ts';
import { cube, grid, rotationOf, soup, transformed } from '../mesh/shapes.ts';
import { jointsAt, TUBE, TWO, together, weightsOf } from './bind-shapes.ts';

describe('bind survives', () => {
  const box = transformed(cube(), rotationOf([1, 0, 0], 0), 2, [-1, -1, -1]);
  const cases: [string, Mesh, Skeleton][] = [
    ['one bone', TUBE, jointsAt([['only', undefined, [0, 0, 0]]])],
    ['bones far away from any vertex', TUBE, alignSkeleton(TWO, { scale: 1, offset: [0, 900, 0] })],
    [
      'bones at one place, and bones without length',
      TUBE,
      jointsAt([
        ['a', undefined, [0, 0, 0]],
        ['b', 'a', [0, 0, 0]],
        ['c', 'b', [1, 0, 0]],
        ['d', 'b', [1, 0, 0]],
      ]),
    ],
    [
      'joints on vertices',
      box,
      jointsAt([
        ['a', undefined, [-1, -1, -1]],
        ['b', 'a', [1, 1, 1]],
      ]),
    ],
    [
      'triangles without an area',
      together(grid(4, 4), {
        positions: Float32Array.of(0, 0, 0, 1, 0, 0, 2, 0, 0),
        triangles: Uint32Array.of(0, 1, 2, 0, 0, 1),
      }),
      TWO,
    ],
    ['single vertices', { positions: Float32Array.of(1, 2, 3, 4, 5, 6), triangles: new Uint32Array() }, TWO],
    ['all vertices at one place', { positions: new Float32Array(9), triangles: Uint32Array.of(0, 1, 2) }, TWO],
    ['soup', soup(seededRandom(9), 60, 90), TWO],
    [
      'edges with many faces',
      {
        positions: Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 0, -1, 0, 0, 0, 1),
        triangles: Uint32Array.of(0, 1, 2, 0, 1, 3, 0, 1, 4),
      },
      TWO,
    ],
    [
      'microscopic meshes',
      { ...TUBE, positions: TUBE.positions.map((x) => x * 1e-6) },
      alignSkeleton(TWO, { scale: 1e-6, offset: [0, 0, 0] }),
    ],
    [
      'huge meshes',
      { ...TUBE, positions: TUBE.positions.map((x) => x * 1e9) },
      alignSkeleton(TWO, { scale: 1e9, offset: [0, 0, 0] }),
    ],
  ];
  it.each(cases)('%s', async (_, mesh, skeleton) => {
    for (const method of BIND_METHODS) await weightsOf(mesh, skeleton, { method, resolution: 24 });
  });

  it('any mesh with any skeleton (seed 21)', async () => {
    const place = fc.tuple(
      fc.integer({ min: -2, max: 2 }),
      fc.integer({ min: -2, max: 2 }),
      fc.integer({ min: -2, max: 2 }),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(place, { minLength: 1, maxLength: 5 }),
        fc.integer({ min: 1, max: 12 }),
        fc.integer({ min: 0, max: 25 }),
        fc.integer(),
        async (joints, vertices, faces, seed) => {
          const skeleton = jointsAt(joints.map((at, j) => [`${j}`, j > 0 ? `${(j * 7) % j}` : undefined, at] as const));
          const random = seededRandom(seed);
          // Half of the coordinates are whole: coinciding vertices, flat triangles, joints on vertices.
          const mesh = soup(random, vertices, faces);
          mesh.positions.forEach((x, c) => {
            if (random() < 0.5) mesh.positions[c] = Math.round(2 * x);
          });
          for (const method of BIND_METHODS) {
            await weightsOf(mesh, skeleton, { method, smoothing: seed & 1, resolution: 16 });
          }
        },
      ),
      { seed: 21, numRuns: 60 },
    );
  });

  it('bones that none of the vertices is near', async () => {
    const far = jointsAt([
      ['lower', undefined, [-4, 0, 0]],
      ['upper', 'lower', [0, 0, 0]],
      ['upper_end', 'upper', [4, 0, 0]],
      ['away', 'upper', [0, 99, 0]],
    ]);
    const weights = await weightsOf(TUBE, far);
    expect(weights.joints).not.toContain(2); // a marker
  });
});

describe('bind refuses', () => {
  const none = jointsAt([]);
  it('a skeleton without bones', async () => {
    await expect(bind(TUBE, none)).rejects.toMatchObject({ code: 'bad-input' });
    await expect(bind(TUBE, TWO, { deforms: () => false })).rejects.toMatchObject({ code: 'bad-input' });
  });
  it('a mesh without vertices', async () => {
    await expect(bind({ positions: new Float32Array(), triangles: new Uint32Array() }, TWO)).rejects.toMatchObject({
      code: 'bad-input',
    });
  });
  it('more weights than fit into memory', async () => {
    const many = jointsAt(Array.from({ length: 1000 }, (_, j) => [`${j}`, undefined, [j, 0, 0]] as const));
    const mesh = { positions: new Float32Array(3 * 70_000), triangles: new Uint32Array() };
    await expect(bind(mesh, many)).rejects.toMatchObject({ code: 'too-large' });
  });
  it('bones whose bind matrix is singular', async () => {
    await expect(bind(TUBE, { ...TWO, inverseBind: new Float32Array(36) })).rejects.toMatchObject({
      code: 'bad-input',
    });
  });
  it('options out of range, and stops when it is told to', async () => {
    await expect(bind(TUBE, TWO, { exponent: 0 })).rejects.toMatchObject({ code: 'bad-option', option: 'exponent' });
    await expect(bind(TUBE, TWO, { method: 'magic' as never })).rejects.toMatchObject({
      code: 'bad-option',
      option: 'method',
    });
    await expect(bind(TUBE, TWO, { signal: { aborted: true } as AbortSignal })).rejects.toMatchObject({
      code: 'cancelled',
    });
  });
});
