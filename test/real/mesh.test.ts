import { describe, expect, it } from 'vitest';
import { readObj } from '../../src/io/read-obj.ts';
import { readPc2 } from '../../src/io/read-pc2.ts';
import { measureMeshes, measureSequences } from '../../src/measure/measure.ts';
import { diagonalOf } from '../../src/mesh/bounds.ts';
import { inspectMesh } from '../../src/mesh/inspect.ts';
import type { Mesh } from '../../src/model/mesh.ts';
import type { MeshSequence } from '../../src/model/sequence.ts';
import { nodeFiles } from '../../src/platform/node/index.ts';
import { realData } from './data.ts';

const { path: data, absent, why } = realData();

async function load(path: string): Promise<Mesh> {
  const source = await nodeFiles.open(data + path);
  try {
    return await readObj(source);
  } finally {
    await source.close();
  }
}

describe.skipIf(absent)(`real meshes${why}`, () => {
  it.each([
    ['fandisk', 0],
    ['rocker-arm', 1],
    ['feline', 2],
    ['spot', 0],
  ])('%s has genus %i', async (name, genus) => {
    const facts = inspectMesh(await load(`static/${name}.obj`));
    expect(facts.components.map((part) => part.genus)).toEqual([genus]);
    expect(facts.problems).toEqual([]);
  });

  it('stanford-bunny is open', async () => {
    const facts = inspectMesh(await load('static/stanford-bunny.obj'));
    expect(facts.closed).toBe(false);
    expect(facts.boundaryEdges).toBeGreaterThan(0);
  });

  it('measures a galloping horse against one that lags by a shift of 1 % and against its rest pose', async () => {
    const rest = await load('sequences/horse-gallop/rest.obj');
    const whole = await readPc2(await nodeFiles.open(`${data}sequences/horse-gallop/frames.pc2`), rest);
    const gallop: MeshSequence = { ...whole, frameCount: 6, readFrame: (k, out) => whole.readFrame(8 * k, out) };
    const diagonal = diagonalOf(rest.positions);
    const shifted: MeshSequence = {
      ...gallop,
      async readFrame(k, out) {
        const frame = await gallop.readFrame(k, out);
        return frame.map((x, c) => (c % 3 === 0 ? x + 0.01 * diagonal : x));
      },
    };
    const result = await measureSequences(gallop, shifted);
    expect(result.rmsePercent).toBeCloseTo(1, 4);
    expect(result.maxErrorPercent).toBeCloseTo(1, 3);
    // A shift along the surface costs less than one across it.
    expect(result.surfaceDistancePercent!).toBeGreaterThan(0.2);
    expect(result.surfaceDistancePercent!).toBeLessThan(1);
    // The horse's skin stretches a little; its volume hardly changes.
    const volumes = result.perFrame.originalVolume;
    expect(Math.max(...volumes) / Math.min(...volumes)).toBeLessThan(1.15);

    const still: MeshSequence = { ...gallop, readFrame: async () => rest.positions };
    const unmoved = await measureSequences(gallop, still, { surfaceDistance: false });
    // No constant pose is closer to all frames than their average.
    expect(unmoved.distortionPercent!).toBeGreaterThan(100);
    await whole.close?.();
  });

  it('measures meshes with other vertices by their surfaces', async () => {
    const [spot, bunny] = await Promise.all(['spot', 'stanford-bunny'].map((name) => load(`static/${name}.obj`)));
    const { report, ...result } = await measureMeshes(spot, bunny);
    expect(result.rmsePercent).toBeUndefined();
    expect(result.surfaceDistancePercent!).toBeGreaterThan(10);
    expect(report.notes.length).toBe(2);
  });
});
