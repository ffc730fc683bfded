import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { randomNormal, seededRandom } from '../../src/math/rng.ts';
import { signedVolume, surfaceArea } from '../../src/measure/area.ts';
import { sumMotion } from '../../src/measure/distortion.ts';
import { MEASURE_OPTIONS, measureMeshes, measureSequences } from '../../src/measure/measure.ts';
import { meanSurfaceDistance } from '../../src/measure/surface-distance.ts';
import type { Mesh } from '../../src/model/mesh.ts';
import { note } from '../../src/model/note.ts';
import { type MeshSequence, memorySequence } from '../../src/model/sequence.ts';
import { cube, grid, icosphere, moved, rotationOf, torus, transformed } from '../mesh/shapes.ts';
import { codesOf } from '../notes.ts';
import { expectRefusal } from '../refusal.ts';

/** A triangle with legs 3 and 4 in the plane z = 0: diagonal 5, area 6. */
const triangle: Mesh = {
  positions: new Float32Array([0, 0, 0, 3, 0, 0, 0, 4, 0]),
  triangles: new Uint32Array([0, 1, 2]),
};
const lifted = (...heights: number[]): Float32Array =>
  triangle.positions.map((x, c) => (c % 3 === 2 ? heights[Math.floor(c / 3) % heights.length] : x));
const sequenceOf = (frames: Float32Array[], rest = triangle, name = 'test'): MeshSequence =>
  memorySequence(name, rest, frames);

describe('measureSequences', () => {
  it('gives the figures computed by hand', async () => {
    // The original rises from 0 to 2; the approximation follows, but for one vertex that is 2 too high in frame 1.
    const original = sequenceOf([lifted(0), lifted(2)]);
    const approximation = sequenceOf([lifted(0), lifted(2, 4, 2)]);
    const { report, ...result } = await measureSequences(original, approximation);
    // One error of 2 among 3 · 2 vertices: rmse √(4/6), E_RMS 100 √(4/18).
    expect(result.diagonal).toBe(5);
    expect(result.rmsePercent).toBeCloseTo((100 * Math.sqrt(4 / 6)) / 5, 12);
    expect(result.maxErrorPercent).toBeCloseTo(40, 12);
    expect([result.maxErrorFrame, result.maxErrorVertex]).toEqual([1, 1]);
    expect(result.rmsError).toBeCloseTo(100 * Math.sqrt(4 / 18), 12);
    expect(result.rmsErrorNormalised).toBeCloseTo(20 * Math.sqrt(4 / 18), 12);
    // Every vertex strays by 1 from its average in both frames: ‖A_orig − A_avg‖² = 6.
    expect(result.distortionPercent).toBeCloseTo(100 * Math.sqrt(4 / 6), 12);
    expect([...result.perFrame.rmsePercent!]).toEqual([0, expect.closeTo(20 * Math.sqrt(4 / 3), 12)]);
    expect([...result.perFrame.maxErrorPercent!]).toEqual([0, 40]);
    expect([...result.perVertex!.rmsePercent]).toEqual([0, expect.closeTo(20 * Math.SQRT2, 12), 0]);
    expect([...result.perFrame.originalArea]).toEqual([6, 6]);
    expect(result.perFrame.approximationArea[1]).toBeCloseTo(Math.hypot(3 * 4, 4 * 2) / 2, 12);
    expect(report.figures.rmsePercent).toBe(result.rmsePercent);
  });

  it('finds the surface distance computed by hand', async () => {
    // A flat square that the approximation lifts by 0.5: every vertex is 0.5 from the other surface.
    const mesh = grid(4, 3);
    const up = mesh.positions.map((x, c) => (c % 3 === 2 ? 0.5 : x));
    const rest = sequenceOf([mesh.positions, mesh.positions], mesh);
    const result = await measureSequences(rest, sequenceOf([up, mesh.positions], mesh));
    expect(result).toMatchObject({ surfaceDistance: 0.25, surfaceDistancePercent: 5 });
    expect([...result.perFrame.surfaceDistancePercent!]).toEqual([10, 0]);
  });

  it('is zero for equal sequences', async () => {
    const mesh = torus(8, 6);
    const frames = [1, 2, 3].map((seed) => {
      const random = seededRandom(seed);
      return mesh.positions.map((x) => x + 0.1 * randomNormal(random));
    });
    const result = await measureSequences(sequenceOf(frames, mesh), sequenceOf(frames, mesh));
    expect(result).toMatchObject({ rmsePercent: 0, maxErrorPercent: 0, distortionPercent: 0, rmsError: 0 });
    expect(result.surfaceDistancePercent!).toBe(0);
  });

  it('does not change when both inputs move rigidly and scale', async () => {
    const mesh = torus(9, 7);
    await fc.assert(
      fc.asyncProperty(fc.integer(), fc.double({ min: 0.5, max: 20, noNaN: true }), async (seed, scale) => {
        const random = seededRandom(seed);
        const noise = (size: number) => mesh.positions.map((x) => x + size * randomNormal(random));
        const pairs = [1, 2, 3].map(() => [noise(0.5), noise(0.5)]);
        const rotation = rotationOf([random() - 0.5, random() + 0.1, random()], 6 * random());
        const turn = (frame: Float32Array) => moved(frame, rotation, scale, [1, -2, 3]);
        const plain = await measureSequences(
          sequenceOf(
            pairs.map((pair) => pair[0]),
            mesh,
          ),
          sequenceOf(
            pairs.map((pair) => pair[1]),
            mesh,
          ),
        );
        const turnedMesh = { ...mesh, positions: turn(mesh.positions) };
        const turned = await measureSequences(
          sequenceOf(
            pairs.map((pair) => turn(pair[0])),
            turnedMesh,
          ),
          sequenceOf(
            pairs.map((pair) => turn(pair[1])),
            turnedMesh,
          ),
        );
        // A turned box has another diagonal: compare lengths through it.
        const ratio = turned.diagonal / plain.diagonal / scale;
        const same = (a: number, b: number, factor = 1) => expect((b * factor) / a).toBeCloseTo(1, 4);
        same(plain.rmsePercent!, turned.rmsePercent!, ratio);
        same(plain.maxErrorPercent!, turned.maxErrorPercent!, ratio);
        same(plain.rmsErrorNormalised!, turned.rmsErrorNormalised!, ratio);
        same(plain.surfaceDistancePercent!, turned.surfaceDistancePercent!, ratio);
        same(plain.distortionPercent!, turned.distortionPercent!);
        same(plain.rmsError! * scale, turned.rmsError!);
        for (let k = 0; k < 3; k++) {
          same(plain.perFrame.originalArea[k] * scale ** 2, turned.perFrame.originalArea[k]);
          same(plain.perFrame.originalVolume[k] * scale ** 3, turned.perFrame.originalVolume[k]);
        }
      }),
      { numRuns: 20 },
    );
  });

  it('leaves % figures exactly as they are under a shift and a scale by powers of two', async () => {
    const original = [lifted(0, 1, 2), lifted(3, 1, 0)];
    const approximation = [lifted(0, 1, 1), lifted(2, 1, 0)];
    const change = (frame: Float32Array) => frame.map((x) => 4 * x + 8);
    const rest = { ...triangle, positions: change(triangle.positions) };
    const a = await measureSequences(sequenceOf(original), sequenceOf(approximation));
    const b = await measureSequences(
      sequenceOf(original.map(change), rest),
      sequenceOf(approximation.map(change), rest),
    );
    expect(b.rmsePercent).toBe(a.rmsePercent);
    expect(b.maxErrorPercent).toBe(a.maxErrorPercent);
    expect(b.distortionPercent).toBeCloseTo(a.distortionPercent!, 12);
    expect(b.surfaceDistancePercent!).toBeCloseTo(a.surfaceDistancePercent!, 12);
  });

  it('with differing numbers of vertices measures surfaces only, and says so', async () => {
    const fine = grid(4, 3);
    const coarse = grid(2, 3);
    coarse.positions.forEach((x, c) => {
      if (c % 3 === 0) coarse.positions[c] = 2 * x;
    });
    const { report, ...result } = await measureSequences(
      sequenceOf([fine.positions], fine, 'fine'),
      sequenceOf([coarse.positions], coarse, 'coarse'),
    );
    expect(result.rmsePercent).toBeUndefined();
    expect(result.perVertex).toBeUndefined();
    expect(result.surfaceDistance!).toBe(0);
    expect(report.notes).toContainEqual(note('vertex-counts-differ', { original: 20, approximation: 12 }));
    expect(report.figures.rmsePercent).toBeUndefined();
  });

  it('says what cannot be measured', async () => {
    const still = await measureSequences(sequenceOf([lifted(0), lifted(0)]), sequenceOf([lifted(1), lifted(0)]));
    expect(still.distortionPercent).toBeUndefined();
    expect(codesOf(still.report.notes)).toContain('no-motion');
    expect(codesOf(still.report.notes)).toContain('no-volume');
    const cloud = { ...triangle, triangles: new Uint32Array() };
    const points = await measureSequences(sequenceOf([lifted(0)], cloud), sequenceOf([lifted(1)], cloud));
    expect(points.surfaceDistance).toBeUndefined();
    expect(codesOf(points.report.notes)).toContain('no-triangles');
    const off = await measureSequences(sequenceOf([lifted(0)]), sequenceOf([lifted(1)]), { surfaceDistance: false });
    expect(off.surfaceDistance).toBeUndefined();
    expect(MEASURE_OPTIONS.surfaceDistance.default).toBe(true);
    const other = { ...triangle, triangles: new Uint32Array([0, 2, 1]) };
    const turned = await measureSequences(sequenceOf([lifted(0)]), sequenceOf([lifted(0)], other));
    expect(codesOf(turned.report.notes)).toContain('vertices-unmatched');
  });

  it('refuses differing numbers of frames, no extent, NaN, and stops when told', async () => {
    const one = sequenceOf([lifted(0)], triangle, 'one');
    const two = sequenceOf([lifted(0), lifted(1)], triangle, 'two');
    await expectRefusal(measureSequences(two, one), 'bad-input', { values: [1, 'one', 2, 'two'] });
    const point = { positions: new Float32Array(9), triangles: new Uint32Array([0, 1, 2]) };
    await expectRefusal(measureSequences(sequenceOf([lifted(0)], point), one), 'bad-input', { values: [0] });
    const bad = sequenceOf([lifted(0, Number.NaN)], triangle, 'bad');
    await expectRefusal(measureSequences(one, bad), 'bad-input', { values: ['bad', 0, 1, 'NaN'] });
    const none = { positions: new Float32Array(), triangles: new Uint32Array() };
    await expectRefusal(measureMeshes(triangle, none), 'bad-input');
    const stopped = measureSequences(one, one, { signal: { aborted: true } as AbortSignal });
    await expect(stopped).rejects.toMatchObject({ code: 'cancelled' });
    const wrong = measureSequences(one, one, { surfaceDistance: 'yes' as unknown as boolean });
    await expect(wrong).rejects.toMatchObject({ code: 'bad-option' });
  });

  it('lets timers and signals have their turn, also when frames come from memory', async () => {
    const long: MeshSequence = { ...sequenceOf([lifted(0)]), frameCount: 1e6, readFrame: async () => lifted(1) };
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 1);
    const measuring = measureSequences(long, long, { signal: controller.signal });
    await expect(measuring).rejects.toMatchObject({ code: 'cancelled' });
  });

  it('reports progress to the end, and does not keep frames', async () => {
    const steps: number[] = [];
    let buffers = new Set<unknown>();
    const base = sequenceOf(Array.from({ length: 50 }, (_, k) => lifted(k)));
    const watched: MeshSequence = {
      ...base,
      readFrame(k, out) {
        buffers = buffers.add(out);
        return base.readFrame(k, out);
      },
    };
    await measureSequences(watched, watched, { onProgress: (done) => steps.push(done) });
    expect(steps).toEqual(Array.from({ length: 51 }, (_, k) => k));
    expect(buffers.size).toBe(2);
  });
});

describe('measureMeshes', () => {
  it('compares meshes at rest', async () => {
    const mesh = cube();
    const wider = { ...mesh, positions: mesh.positions.map((x, c) => (c === 21 ? 2 : x)) };
    const result = await measureMeshes(mesh, wider);
    expect(result.maxErrorPercent).toBeCloseTo(100 / Math.sqrt(3), 6);
    expect(result.maxErrorVertex).toBe(7);
    expect(result.distortionPercent).toBeUndefined();
  });
});

describe('meanSurfaceDistance', () => {
  it('measures to the nearest point of a face, both ways', () => {
    // A square, and a triangle shrunk to a point above its middle.
    const square = grid(1, 1);
    const tip: Mesh = {
      positions: new Float32Array([0.5, 0.5, 1, 0.5, 0.5, 1, 0.5, 0.5, 1]),
      triangles: new Uint32Array([0, 1, 2]),
    };
    // From the tip: 1 each. From the corners: √1.5 each.
    expect(meanSurfaceDistance(square, tip)).toBeCloseTo((1 + Math.sqrt(1.5)) / 2, 12);
    expect(meanSurfaceDistance(tip, square)).toBeCloseTo((1 + Math.sqrt(1.5)) / 2, 12);
  });

  it('is near the difference of radii for two spheres', () => {
    const sphere = icosphere(3);
    const larger = transformed(icosphere(3), rotationOf([1, 1, 0], 0.3), 1.1);
    expect(meanSurfaceDistance(sphere, larger)).toBeCloseTo(0.1, 2);
  });
});

describe('area and volume', () => {
  it('of a cube are 6 and 1, wherever it lies and however it turns', () => {
    const far = transformed(cube(), rotationOf([1, 2, 3], 0.7), 2, [100, -50, 20]);
    expect(surfaceArea(cube().positions, cube().triangles)).toBe(6);
    expect(signedVolume(cube().positions, cube().triangles)).toBeCloseTo(1, 12);
    expect(surfaceArea(far.positions, far.triangles)).toBeCloseTo(24, 3);
    expect(signedVolume(far.positions, far.triangles)).toBeCloseTo(8, 3);
  });

  it('of a fine sphere are 4π and 4π/3; inside out the volume is negative', () => {
    const { positions, triangles } = icosphere(5);
    expect(surfaceArea(positions, triangles) / (4 * Math.PI)).toBeCloseTo(1, 2.5);
    expect(signedVolume(positions, triangles) / ((4 * Math.PI) / 3)).toBeCloseTo(1, 2.5);
    const insideOut = triangles.slice().reverse();
    expect(signedVolume(positions, insideOut)).toBeCloseTo(-signedVolume(positions, triangles), 9);
  });

  it('are told of closed surfaces only', async () => {
    const told = async (a: Mesh, b: Mesh) => {
      const { figures, notes } = (await measureMeshes(a, b, { surfaceDistance: false })).report;
      return [figures.originalVolume, figures.approximationVolume, notes];
    };
    const volume = expect.closeTo(1, 6);
    expect(await told(cube(), cube())).toEqual([volume, volume, []]);
    const open = note('no-volume', { of: ['original', 'approximation'] });
    expect(await told(grid(3, 3), grid(3, 3))).toEqual([undefined, undefined, [open]]);
    const counts = note('vertex-counts-differ', { original: 8, approximation: 16 });
    const mixed = [counts, note('no-volume', { of: ['approximation'] })];
    expect(await told(cube(), grid(3, 3))).toEqual([volume, undefined, mixed]);
  });

  it('of open meshes are those of the cone from the mean of the vertices', () => {
    // A cube without its top (two triangles of y = 1): the cone from the mean (½, ½, ½) is 5/6 of the cube.
    const { positions, triangles } = cube();
    const top = (t: number) => [0, 1, 2].every((c) => positions[3 * triangles[t + c] + 1] === 1);
    const open = triangles.filter((_, c) => !top(c - (c % 3)));
    expect(open.length).toBe(30);
    expect(signedVolume(positions, open)).toBeCloseTo(5 / 6, 12);
    expect(signedVolume(grid(3, 2).positions, grid(3, 2).triangles)).toBeCloseTo(0, 12);
    expect(signedVolume(new Float32Array(), new Uint32Array())).toBe(0);
  });
});

describe('sumMotion', () => {
  it('equals the sum over two passes, far from the origin too', () => {
    const random = seededRandom(4);
    const frames = Array.from({ length: 40 }, () => Float32Array.from({ length: 30 }, () => 1000 + random()));
    const motion = sumMotion(10);
    for (const frame of frames) motion.add(frame);
    let expected = 0;
    for (let c = 0; c < 30; c++) {
      const average = frames.reduce((sum, frame) => sum + frame[c], 0) / 40;
      expected += frames.reduce((sum, frame) => sum + (frame[c] - average) ** 2, 0);
    }
    expect(motion.squaredSum() / expected).toBeCloseTo(1, 10);
  });
});
