import { describe, expect, it } from 'vitest';
import { makeSample } from '../../src/samples.ts';
import { boneFacts, clipFacts, fileFacts, surfaceFacts } from '../../studio/src/core/content/facts.ts';
import { firstJoint } from '../../studio/src/core/rig/joint-tree.ts';

const none = { meshes: [], sequences: [], models: [], motions: [], predictors: [], objects: [], notes: [] };

/** A sheet of 3 × 4, in a file of millimetres. */
const sheet = {
  positions: Float32Array.of(0, 0, 0, 3, 0, 0, 3, 4, 0, 0, 4, 0),
  triangles: Uint32Array.of(0, 1, 2, 0, 2, 3),
  space: { up: 'z', metresPerUnit: 0.001 },
} as const;

describe('facts about a file', () => {
  it('describe a motion, with its length, size and unit', () => {
    const sequences = [
      { name: 'a', rest: sheet, times: Float64Array.of(0, 0.5, 1), frames: new Float32Array(36) },
      { name: 'b', rest: sheet, times: Float64Array.of(0, 0.5, 1), frames: new Float32Array(36) },
    ];
    const content = { ...none, name: 'a.glb', format: 'glTF', bytes: 1200, sequences };
    expect([...fileFacts(content), ...surfaceFacts(content), ...boneFacts(content), ...clipFacts(content)]).toEqual([
      ['Format', 'glTF'],
      ['File size', '1.2 kB'],
      ['Axes, unit', 'z up, 1 unit = 0.001 m'],
      ['Motion', '3 frames, 2 per second, 1 s'],
      ['Parts', '2'],
      ['Vertices', '8'],
      ['Faces', '4 triangles'],
      ['Size at rest', '3 × 4 × 0 mm'],
      ['Diagonal', '5 mm'],
    ]);
  });

  it('describe a rig, clip by clip', async () => {
    const { model } = await makeSample('tube', { resolution: 60, frames: 8 });
    const content = { ...none, name: 'tube', format: 'sample', bytes: 0, models: [model!] };
    expect(boneFacts(content)).toEqual([
      ['Bones', String(model!.skeleton.parents.length)],
      ['Bones per vertex', 'at most 4'],
    ]);
    expect(clipFacts(content).map(([name]) => name)).toEqual(model!.clips.map(({ name }) => name));
    expect(clipFacts(content)[0][1]).toMatch(/^8 frames, [\d.]+ s$/);
    expect(fileFacts(content).map(([name]) => name)).not.toContain('In memory');
  });

  it('select a first joint only if joints have parents', async () => {
    const { model } = await makeSample('tube', { resolution: 60, frames: 2 });
    const { skeleton } = model!;
    const first = firstJoint([model!]);
    expect(skeleton.parents[first!]).toBeGreaterThanOrEqual(0);
    const free = { ...model!, skeleton: { ...skeleton, parents: skeleton.parents.map(() => -1) } };
    expect(firstJoint([free])).toBeUndefined();
    expect(firstJoint([])).toBeUndefined();
  });
});
