import { describe, expect, it } from 'vitest';
import { lodSurface } from '../../src/lod/lod.ts';
import type { PosedSurface, SurfaceLevel } from '../../src/lod/surface.ts';
import { seededRandom } from '../../src/math/rng.ts';
import { vertexNormals } from '../../src/mesh/normals.ts';
import { weldVertices } from '../../src/mesh/seams.ts';
import { type Mesh, validateMesh } from '../../src/model/mesh.ts';
import { validateWeights } from '../../src/model/skinned-model.ts';
import { cube, grid, icosphere, moved, rotationOf, soup } from '../mesh/shapes.ts';
import { codesOf } from '../notes.ts';
import { expectRefusal } from '../refusal.ts';
import { ATLAS, patchwork, still, tube } from './surfaces.ts';

describe('lodSurface', () => {
  it('makes valid levels of a skinned surface with seams, and the fit helps', async () => {
    const surface = tube(400);
    const { levels } = await lodSurface(surface, { triangles: [400, 200, 100], settings: FEW });
    const plain = await lodSurface(surface, { triangles: [400, 200, 100], settings: UNFITTED });
    expect(levels.map(({ figures }) => figures.triangles)).toEqual([400, 200, 100]);
    levels.forEach((level, l) => {
      validateMesh(level.mesh);
      validateWeights(level.weights!, level.mesh.positions.length / 3, 4);
      expect(level.weights!.influences).toBeLessThanOrEqual(4);
      expect(level.mesh.seams).toBeDefined();
      expect(level.mesh.uvs?.length).toBe(2 * level.figures.vertices);
      expect(level.poses.length).toBe(surface.poses.length);
      expect(level.figures.rmsPercent).toBeLessThan(0.8 * plain.levels[l].figures.rmsPercent);
    });
    expect(levels[0].figures.rmsPercent).toBeLessThan(levels[1].figures.rmsPercent);
    expect(levels[1].figures.rmsPercent).toBeLessThan(levels[2].figures.rmsPercent);
  });

  it('gives up seams where charts have more corners than a level has vertices', async () => {
    const { levels, report } = await lodSurface(patchwork(), { triangles: [100] });
    expect(report.notes).toEqual([]);
    const [{ mesh, figures }] = levels;
    validateMesh(mesh);
    expect(figures.triangles).toBe(100);
    expect(figures.rmsPercent).toBeLessThan(1.5);
    // Every triangle has its texture from one chart: from its square of the atlas, or a little beyond.
    const { triangles } = mesh.seams!;
    for (let t = 0; t < triangles.length; t += 3) {
      for (let c = 0; c < 2; c++) {
        const at = [...triangles.subarray(t, t + 3)].map((w) => ATLAS * mesh.uvs![2 * w + c]);
        expect(Math.max(...at) - Math.min(...at)).toBeLessThan(2);
      }
    }
  });

  it('leaves its input alone and gives the same bytes again', async () => {
    const surface = tube(300);
    const before = structuredClone(surface);
    const first = await lodSurface(surface, { levels: 2, settings: FEW });
    const second = await lodSurface(surface, { levels: 2, settings: FEW });
    expect(surface).toEqual(before);
    expect(first.levels).toEqual(second.levels);
  });

  it('follows a surface that is turned, scaled and moved', async () => {
    const mesh = bumpy(icosphere(3));
    const turned = moved(mesh.positions, rotationOf([1, 2, 3], 1), 10, [5, -3, 2]);
    const [a] = (await lodSurface(still(mesh), { triangles: [200] })).levels;
    const [b] = (await lodSurface(still({ ...mesh, positions: turned }), { triangles: [200] })).levels;
    expect(b.figures.triangles).toBe(a.figures.triangles);
    expect(b.figures.rmsPercent / a.figures.rmsPercent).toBeGreaterThan(0.8);
    expect(b.figures.rmsPercent / a.figures.rmsPercent).toBeLessThan(1.25);
  });

  it('makes levels by error', async () => {
    const { levels } = await lodSurface(still(bumpy(icosphere(2))), { maxError: [1, 3], settings: FEW });
    expect(levels.length).toBe(2);
    expect(levels[0].figures.maxPercent).toBeLessThanOrEqual(1);
    expect(levels[1].figures.maxPercent).toBeLessThanOrEqual(3);
    expect(levels[1].figures.triangles).toBeLessThan(levels[0].figures.triangles);
    // Twice as far off in other poses.
    const errorInMorePoses = async ({ figures }: SurfaceLevel) => 2 * figures.maxPercent;
    const [held] = (await lodSurface(still(bumpy(icosphere(1))), { maxError: [6], settings: FEW, errorInMorePoses }))
      .levels;
    expect(held.figures.maxPercent).toBeLessThanOrEqual(3);
  });

  it('fits every frame of a sequence', async () => {
    const mesh = grid(12, 12);
    const poses = [0, 1, 2, 3].map((k) =>
      mesh.positions.map((x, c) => (c % 3 === 2 ? 0.5 * k * Math.sin(mesh.positions[c - 2] / 2) : x)),
    );
    const { levels } = await lodSurface({ mesh, poses }, { triangles: [72] });
    expect(levels[0].poses.length).toBe(4);
    expect(levels[0].weights).toBeUndefined();
    expect(levels[0].figures.rmsPercent).toBeLessThan(0.5);
  });

  it('keeps flat surfaces and their borders exactly', async () => {
    const [level] = (await lodSurface(still(grid(10, 10)), { triangles: [2] })).levels;
    expect(level.figures.triangles).toBe(2);
    expect(level.figures.maxPercent).toBeLessThan(1e-3);
  });

  it('does not overshoot where colours jump', async () => {
    const sphere = icosphere(3);
    const values = Float32Array.from(sphere.positions, (_, c) => (sphere.positions[c - (c % 3)] > 0.2 ? 0.75 : 0.25));
    const mesh: Mesh = { ...sphere, attributes: { COLOR_0: { size: 3, values } } };
    const [level] = (await lodSurface(still(mesh), { triangles: [300], settings: FEW })).levels;
    const { COLOR_0: colours } = level.mesh.attributes!;
    expect(Math.min(...colours.values)).toBeCloseTo(0.25, 5);
    expect(Math.max(...colours.values)).toBeCloseTo(0.75, 5);
  });

  it('keeps groups, their materials, and what is to be kept', async () => {
    const sphere = icosphere(3);
    const half = sphere.triangles.length / 6;
    const mesh: Mesh = {
      ...sphere,
      groups: [
        { name: 'eye', start: 0, count: 60, material: 1 },
        { name: 'skin', start: 60, count: half - 60, material: 0 },
        { name: 'hair', start: half, count: half },
      ],
      materials: ['a', 'b'].map((name) => ({ name, ...PLAIN })),
    };
    const [level] = (await lodSurface(still(mesh), { triangles: [300], keptGroups: [true] })).levels;
    expect(level.mesh.groups?.map(({ name, material }) => [name, material])).toEqual([
      ['eye', 1],
      ['skin', 0],
      ['hair', undefined],
    ]);
    expect(level.mesh.groups?.[0].count).toBe(60);
    const places = new Set(Array.from({ length: sphere.positions.length / 3 }, (_, i) => placeOf(sphere, i)));
    for (const v of level.mesh.triangles.subarray(0, 180)) expect(places).toContain(placeOf(level.mesh, v));
    validateMesh(level.mesh);
  });

  it('keeps flat-shaded surfaces flat-shaded, and hard edges hard', async () => {
    const mesh = faceted(bumpy(icosphere(2), 0.2));
    const [level] = (await lodSurface(still(mesh), { triangles: [100] })).levels;
    expect(level.figures.triangles).toBe(100);
    expect(level.figures.vertices).toBeGreaterThan(1.5 * (level.mesh.positions.length / 3));
    const box = faceted(fineCube(6));
    const [cubes] = (await lodSurface(still(box), { triangles: [12] })).levels;
    expect(cubes.figures.triangles).toBe(12);
    expect(cubes.figures.maxPercent).toBeLessThan(0.01);
    expect(cubes.figures.vertices).toBe(24);
    const flat = cubes.mesh.normals!.filter((x) => Math.abs(x) > 1e-3 && Math.abs(x) < 1 - 1e-3);
    expect(flat.length).toBe(0);
  });

  it('goes as far as it can, and says so', async () => {
    const groups = [
      { name: 'kept', start: 0, count: 36 },
      { name: 'other', start: 36, count: 36 },
    ];
    const surface = still({ ...grid(6, 6), groups });
    const { levels, report } = await lodSurface(surface, { triangles: [60, 20, 1], keptGroups: [true], settings: FEW });
    expect(levels).toHaveLength(2);
    expect(levels[1].figures.triangles).toBeGreaterThan(20);
    expect(levels[1].figures.maxPercent).toBeLessThanOrEqual(10);
    expect(codesOf(report.notes)).toEqual(['level-poor']);
  });

  it('makes no level that is not coarser, and none that is of no use', async () => {
    const more = await lodSurface(still(icosphere(2)), { triangles: [1000, 100], settings: FEW });
    expect(more.levels.map(({ figures }) => figures.triangles)).toEqual([100]);
    expect(codesOf(more.report.notes)).toEqual(['level-not-coarser']);
    const poor = await lodSurface(still(icosphere(2)), { triangles: [100, 4], settings: FEW });
    expect(poor.levels.every(({ figures }) => figures.maxPercent <= 10 && figures.triangles > 4)).toBe(true);
    expect(codesOf(poor.report.notes)).toEqual(['level-poor']);
  });

  it('never has done more than there is to do', async () => {
    const steps: [number, number][] = [];
    const onProgress = (done: number, total: number): void => void steps.push([done, total]);
    await lodSurface(still(icosphere(2)), { triangles: [4], settings: FEW, onProgress });
    for (const [done, total] of steps) expect(done).toBeLessThanOrEqual(total);
    expect(Math.max(...steps.map(([done]) => done))).toBeGreaterThan(1); // finer levels than the one that was asked for
  });

  it('lets small pieces vanish, but nothing of a material', async () => {
    const ball = icosphere(3);
    const bolts = Array.from({ length: 20 }, (_, b) => {
      const at = rotationOf([0, 1, 1], b);
      return moved(icosphere(1).positions, at, 0.02, [...moved(Float32Array.of(1, 0, 0), at)] as [
        number,
        number,
        number,
      ]);
    });
    const mesh: Mesh = {
      positions: Float32Array.from([...ball.positions, ...bolts.flatMap((bolt) => [...bolt])]),
      triangles: Uint32Array.from([
        ...ball.triangles,
        ...bolts.flatMap((_, b) => [...icosphere(1).triangles].map((v) => v + ball.positions.length / 3 + 42 * b)),
      ]),
      groups: [
        { name: 'ball', start: 0, count: 1280 },
        { name: 'bolts', start: 1280, count: 19 * 80 },
        { name: 'knob', start: 1280 + 19 * 80, count: 80 },
      ],
    };
    const [fine, coarse] = (await lodSurface(still(mesh), { triangles: [1400, 60], settings: FEW })).levels;
    for (const { mesh: level } of [fine, coarse]) {
      validateMesh(level);
      expect(level.groups!.every(({ count }) => count > 0)).toBe(true);
    }
    expect(coarse.figures.triangles).toBeLessThanOrEqual(60);
    expect(coarse.figures.maxPercent).toBeLessThan(POOR_SPHERE);
    expect(coarse.mesh.groups![0].count).toBeGreaterThan(40);
  });

  it.each([1, 2, 3])('survives triangles between random points (seed %i)', async (seed) => {
    const { levels } = await lodSurface(still(soup(seededRandom(seed), 40, 120)), { triangles: [60, 20] });
    for (const { mesh } of levels) validateMesh(mesh);
  });

  it('survives a triangle, and faces without an area', async () => {
    const one = { positions: Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0), triangles: Uint32Array.of(0, 1, 2) };
    expect((await lodSurface(still(one))).levels).toEqual([]);
    const flat = grid(6, 6);
    flat.positions.fill(0);
    for (const { mesh } of (await lodSurface(still(flat), { triangles: [20] })).levels) validateMesh(mesh);
  });

  it('refuses what it cannot use', async () => {
    const surface = still(cube());
    await expectRefusal(lodSurface({ ...surface, poses: [] }), 'bad-input');
    await expectRefusal(lodSurface(surface, { triangles: [4, 8] }), 'bad-option', { option: 'triangles' });
    await expectRefusal(lodSurface(surface, { maxError: [0] }), 'bad-option', { option: 'maxError' });
    const empty: PosedSurface = still({ positions: new Float32Array(9), triangles: new Uint32Array(0) });
    await expectRefusal(lodSurface(empty), 'bad-input');
  });
});

const placeOf = ({ positions }: Mesh, i: number): string =>
  positions
    .subarray(3 * i, 3 * i + 3)
    .map(Math.fround)
    .join();
/** Points enough for small surfaces. */
const FEW = { leastSamples: 3000, mostSamples: 3000 };
const UNFITTED = { ...FEW, nearestFits: 0, rounds: 0, damping: 1e9 };
/** % that a sphere of 40 triangles may be off by. */
const POOR_SPHERE = 8;
const PLAIN = { baseColor: [1, 1, 1, 1] as const, metallic: 0, roughness: 1, doubleSided: false };

/** The same with a normal per face. */
function faceted(mesh: Mesh): Mesh {
  const corners = Uint32Array.from(mesh.triangles.keys());
  const positions = new Float32Array(3 * corners.length);
  mesh.triangles.forEach((v, c) => {
    for (let x = 0; x < 3; x++) positions[3 * c + x] = mesh.positions[3 * v + x];
  });
  const split: Mesh = { positions, triangles: corners };
  return weldVertices({ ...split, normals: vertexNormals(split) }).mesh;
}

/** The unit cube with n × n squares on every side. */
function fineCube(n: number): Mesh {
  const { positions, triangles } = grid(n, n);
  const sides = [0, 1, 2, 3].map((q) => moved(positions, rotationOf([0, 1, 0], (q * Math.PI) / 2)));
  const lids = [1, -1].map((q) => moved(positions, rotationOf([1, 0, 0], (q * Math.PI) / 2)));
  const all = [...sides, ...lids].map((side, s) => {
    // About the middle, one step outwards.
    const out = Array.from(side);
    const axis = s < 4 ? [Math.sin((s * Math.PI) / 2), 0, Math.cos((s * Math.PI) / 2)] : [0, s === 4 ? -1 : 1, 0];
    const turned = moved(
      Float32Array.of(n / 2, n / 2, 0),
      s < 4 ? rotationOf([0, 1, 0], (s * Math.PI) / 2) : rotationOf([1, 0, 0], ((s === 4 ? 1 : -1) * Math.PI) / 2),
    );
    return out.map((x, c) => Math.round((x - turned[c % 3] + axis[c % 3] * (n / 2)) * 2) / 2);
  });
  const count = positions.length / 3;
  const faces = all.flatMap((_, s) => Array.from(triangles, (v) => v + s * count));
  return { positions: Float32Array.from(all.flat()), triangles: Uint32Array.from(faces) };
}

/** A sphere with waves on it. */
function bumpy(mesh: Mesh, height = 0.05): Mesh {
  const positions = mesh.positions.map((x, c) => {
    const i = c - (c % 3);
    const wave = Math.sin(4 * mesh.positions[i]) + Math.sin(5 * mesh.positions[i + 1] + mesh.positions[i + 2]);
    return x * (1 + height * wave);
  });
  return { ...mesh, positions };
}
