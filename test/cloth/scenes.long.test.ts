import { describe, expect, it } from 'vitest';
import { clothBody } from '../../src/cloth/body.ts';
import { colliderDistance } from '../../src/cloth/colliders.ts';
import { CLOTH_SCENE_NAMES } from '../../src/cloth/scene.ts';
import { clothScene } from '../../src/cloth/scenes.ts';
import { geodesicSphere } from '../../src/cloth/shapes.ts';
import { CLOTH_OPTIONS, simulateCloth } from '../../src/cloth/simulate.ts';
import { clothSolver } from '../../src/cloth/solver.ts';
import { windAt } from '../../src/cloth/wind.ts';
import { signedVolume } from '../../src/measure/area.ts';
import { inspectMesh } from '../../src/mesh/inspect.ts';
import { validateMesh } from '../../src/model/mesh.ts';
import { defaultsOf } from '../../src/model/options.ts';
import { type MeshSequence, validateSequence } from '../../src/model/sequence.ts';
import { expectRefusal, refusal } from '../refusal.ts';
import { COTTON, squareScene } from './body.ts';

async function bytesOf(sequence: MeshSequence): Promise<Buffer> {
  const frames: Buffer[] = [];
  for (let k = 0; k < sequence.frameCount; k++) {
    const { buffer, byteOffset, byteLength } = await sequence.readFrame(k);
    frames.push(Buffer.from(buffer, byteOffset, byteLength));
  }
  return Buffer.concat(frames);
}

describe.each(CLOTH_SCENE_NAMES)('%s', (name) => {
  const vertices = name === 'collapse' ? 900 : 300;
  const frames = name === 'collapse' ? 20 : 30;

  it('is valid, starts at rest, holds its strain, its pins and its distance from obstacles', async () => {
    const scene = clothScene(name, vertices, 1);
    const { sequence, report } = await simulateCloth(scene, { frames });
    await validateSequence(sequence);
    expect(sequence.frameCount).toBe(frames);
    expect(await sequence.readFrame(0)).toEqual(scene.mesh.positions);
    expect(report.figures.meanEdgeStrainPercent).toBeLessThan(3);
    expect(report.figures.maxEdgeStretchPercent).toBeLessThan(15);
    expect(report.figures.penetrationMillimetres).toBe(0);

    const normal = new Float64Array(3);
    const last = await sequence.readFrame(frames - 1);
    for (const collider of scene.colliders) {
      for (let o = 0; o < last.length; o += 3) {
        const d = colliderDistance(collider, last[o], last[o + 1], last[o + 2], normal);
        expect(d).toBeGreaterThan(0);
      }
    }
    for (const i of scene.pinned) {
      expect(last.slice(3 * i, 3 * i + 3)).toEqual(scene.mesh.positions.slice(3 * i, 3 * i + 3));
    }
    // It did move: half of the vertices by more than 5 cm.
    const far = last.filter((x, c) => Math.abs(x - scene.mesh.positions[c]) > 0.05);
    expect(far.length).toBeGreaterThan(last.length / 6);
  });

  it('gives the same bytes again', async () => {
    const run = async () => bytesOf((await simulateCloth(clothScene(name, vertices, 1), { frames: 8 })).sequence);
    expect((await run()).equals(await run())).toBe(true);
  });

  it.each([900, 2000])('has about %i vertices when asked, with uvs and normals, in one sound piece', (wanted) => {
    const { mesh } = clothScene(name, wanted, 1);
    validateMesh(mesh);
    const facts = inspectMesh(mesh);
    expect(Math.abs(facts.vertices / wanted - 1)).toBeLessThan(0.2);
    expect(facts.problems).toEqual([]);
    expect(facts.components).toHaveLength(1);
    const sheet = name === 'flag' || name === 'tablecloth';
    expect(facts.components[0].eulerCharacteristic).toBe(sheet ? 1 : 2);
    expect(facts.closed).toBe(!sheet);
    expect(mesh.uvs).toBeDefined();
    for (let o = 0; o < mesh.normals!.length; o += 3) {
      expect(Math.hypot(mesh.normals![o], mesh.normals![o + 1], mesh.normals![o + 2])).toBeCloseTo(1, 5);
    }
  });

  // The camel needs too many vertices for the quick lane; the long one has it.
  const calm = name === 'collapse' ? [] : [name];
  it.each(calm)('%s stays calm for five times as long', () => {
    const scene = clothScene(name, 150, 1);
    const solver = clothSolver(scene, { frameTime: 1 / 24, sweeps: 1 });
    let fastest = 0;
    let speed = 0;
    for (let k = 0; k < 350; k++) {
      const before = solver.body.x.slice();
      solver.frame();
      speed = 24 * solver.body.x.reduce((most, x, c) => Math.max(most, Math.abs(x - before[c])), 0);
      fastest = Math.max(fastest, speed);
    }
    expect(fastest).toBeLessThan(15); // m/s
    if (name !== 'flag') expect(speed).toBeLessThan(0.3); // all but the flag come to rest
  });
});

describe('simulateCloth', () => {
  it('another seed is another wind, on the flag only', async () => {
    const run = async (name: 'flag' | 'tablecloth', seed: number) =>
      bytesOf((await simulateCloth(clothScene(name, 100, seed), { frames: 5 })).sequence);
    expect((await run('flag', 1)).equals(await run('flag', 2))).toBe(false);
    expect((await run('tablecloth', 1)).equals(await run('tablecloth', 2))).toBe(true);
  });

  it('reports progress and stops when told to', async () => {
    const seen: number[] = [];
    await simulateCloth(squareScene(50), { frames: 5, onProgress: (done, total) => seen.push(done / total) });
    expect(seen).toEqual([0.2, 0.4, 0.6, 0.8, 1]);

    const controller = new AbortController();
    setTimeout(() => controller.abort(), 5);
    const run = simulateCloth(squareScene(400), { frames: 100_000, signal: controller.signal });
    await expect(run).rejects.toMatchObject({ code: 'cancelled' });
  });

  it('falls freely in a vacuum and keeps its shape', () => {
    const thin = { ...COTTON, density: 1000 }; // so heavy that air does not matter
    const solver = clothSolver(squareScene(200, { material: thin }), { frameTime: 0.1, sweeps: 1 });
    for (let k = 0; k < 5; k++) solver.frame();
    const drop = 0.5 * 9.81 * 0.5 ** 2;
    const heights = solver.body.x.filter((_, c) => c % 3 === 1);
    // Two centimetres of 1.2 m: the first kick comes at once, half its time too early.
    for (const y of heights) expect(Math.abs(y - (1 - drop))).toBeLessThan(0.022);
    expect(Math.max(...heights) - Math.min(...heights)).toBeLessThan(1e-3);
    expect(solver.time).toBeCloseTo(0.5, 9);
  });

  it('does not depend on the order of sweeps in time: half the frame time, twice the frames', async () => {
    const at = async (framesPerSecond: number, frames: number) => {
      const { sequence } = await simulateCloth(squareScene(100), { frames, framesPerSecond });
      return sequence.readFrame(frames - 1);
    };
    const [slow, fast] = [await at(24, 7), await at(48, 13)];
    for (let c = 0; c < slow.length; c++) expect(slow[c]).toBeCloseTo(fast[c], 2);
  });

  it('looks alike at another resolution: the tablecloth hangs as low', async () => {
    const lowest = async (vertices: number) => {
      const { sequence } = await simulateCloth(clothScene('tablecloth', vertices, 1), { frames: 40 });
      const last = await sequence.readFrame(39);
      return last.reduce((low, y, c) => (c % 3 === 1 ? Math.min(low, y) : low), 1);
    };
    expect(Math.abs((await lowest(150)) - (await lowest(900)))).toBeLessThan(0.12);
  });

  it('has no stiffness against bending when none is asked for', async () => {
    const { report } = await simulateCloth(squareScene(50, { material: { ...COTTON, bending: 0 } }), { frames: 3 });
    expect(report.figures.meanEdgeStrainPercent).toBeLessThan(1);
  });

  it('one frame is the scene itself', async () => {
    const { sequence, report } = await simulateCloth(squareScene(50), { frames: 1 });
    expect(sequence.frameCount).toBe(1);
    expect(report.figures.maxEdgeStretchPercent).toBe(0);
  });

  it.each([{ frames: 0 }, { frames: 2.5 }, { framesPerSecond: 0 }, { framesPerSecond: Number.NaN }, { sweeps: 1000 }])(
    'refuses %o',
    async (options) => {
      await expectRefusal(simulateCloth(squareScene(50), options), 'bad-option', { option: Object.keys(options)[0] });
    },
  );

  it('defaults are those of the table', () => {
    expect(defaultsOf(CLOTH_OPTIONS)).toMatchObject({ frames: 70, framesPerSecond: 24 });
  });
});

describe('clothBody', () => {
  it('weighs as much as its area and its hem', () => {
    const sphere = clothBody(geodesicSphere('ball', 2000, [0, 0, 0], 1), COTTON, []);
    const total = sphere.mass.reduce((sum, m) => sum + m, 0);
    expect(total / (4 * Math.PI * COTTON.density)).toBeCloseTo(1, 2);
  });

  it('refuses three triangles at an edge, a vertex without triangles and a triangle without area', () => {
    const positions = Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, -1, 0);
    const fan = { positions, triangles: Uint32Array.of(0, 1, 2, 1, 0, 3, 0, 1, 4) };
    expect(() => clothBody(fan, COTTON, [])).toThrow(refusal('bad-input', { values: ['0–1', 3] }));
    const lone = { positions, triangles: Uint32Array.of(0, 1, 2, 1, 0, 3) };
    expect(() => clothBody(lone, COTTON, [])).toThrow(refusal('bad-input', { values: [4] }));
    const flat = { positions, triangles: Uint32Array.of(0, 1, 3, 2, 0, 4) };
    expect(() => clothBody(flat, COTTON, [])).toThrow(refusal('bad-input', { values: [1] }));
  });
});

describe('pressure', () => {
  it('keeps the volume of a ball that hits the floor', async () => {
    const smallest = async (pressure?: number) => {
      const mesh = geodesicSphere('ball', 300, [0, 0.8, 0], 0.4);
      const scene = squareScene(50, { mesh, colliders: [{ kind: 'floor', height: 0 }], pressure });
      const { sequence } = await simulateCloth(scene, { frames: 20 });
      let least = 1;
      for (let k = 0; k < 20; k++) {
        const volume = signedVolume(await sequence.readFrame(k), mesh.triangles);
        least = Math.min(least, volume / signedVolume(mesh.positions, mesh.triangles));
      }
      return least;
    };
    expect(await smallest(500)).toBeGreaterThan(0.9);
    expect(await smallest()).toBeLessThan(0.8);
  });
});

describe('wind', () => {
  const wind = { velocity: [5, 0, 0] as const, turbulence: 0.3, eddy: 0.5, seed: 1 };
  const at = (time: number, x: number, y = 0.3) => {
    const out = new Float64Array(3);
    windAt(wind, time, Float64Array.of(x, y, 0.1), out);
    return out;
  };

  it('carries its eddies along', () => {
    for (const x of [0, 0.37, 2.2]) {
      const [before, after] = [at(0, x), at(0.2, x + 1)];
      for (let c = 0; c < 3; c++) expect(after[c]).toBeCloseTo(before[c], 9);
    }
  });

  it('is smooth, bounded and around the stream on average', () => {
    let sum = 0;
    for (let n = 0; n < 4000; n++) {
      const here = at(0, 0.05 * n);
      const next = at(0, 0.05 * n + 1e-4);
      sum += here[0];
      for (let c = 0; c < 3; c++) {
        expect(Math.abs(here[c] - (c === 0 ? 5 : 0))).toBeLessThanOrEqual(5 * 0.3 * 1.5);
        expect(Math.abs(here[c] - next[c])).toBeLessThan(0.01);
      }
    }
    expect(sum / 4000).toBeCloseTo(5, 0);
  });
});
