import { describe, expect, it } from 'vitest';
import { edgeWeights } from '../../src/decompose/translations/edge-weights.ts';
import { BoneBlend } from '../../src/learn/bone-blend.ts';
import { clusterBones } from '../../src/learn/bones/cluster-bones.ts';
import { bonesFor, fitBones, type LearnSoFar } from '../../src/learn/bones/fit-bones.ts';
import { rigBones } from '../../src/learn/bones/rig-bones.ts';
import { collectExamples, type Examples } from '../../src/learn/examples.ts';
import { learn } from '../../src/learn/learn.ts';
import { meshEdges } from '../../src/mesh/adjacency.ts';
import { diagonalOf } from '../../src/mesh/bounds.ts';
import type { Mesh } from '../../src/model/mesh.ts';
import { memorySequence } from '../../src/model/sequence.ts';
import { type SkinnedModel, type SkinWeights, validateWeights } from '../../src/model/skinned-model.ts';
import { bendingTube, rms } from './bending-tube.ts';
import { weightsOf } from './weights-of.ts';

const angles = Array.from({ length: 7 }, (_, k) => 0.4 * k);

/** What bones (E·B·12) leave over of the examples. */
function floor({ rest, poses }: Examples, skin: SkinWeights, transforms: Float64Array): number {
  const size = transforms.length / poses.length;
  const blend = new BoneBlend(skin, size / 12);
  const v = rest.positions;
  const all = poses.map((_, k) => {
    blend.set(transforms.subarray(k * size, (k + 1) * size));
    const out = new Float32Array(v.length);
    for (let i = 0; i < v.length; i += 3) {
      blend.at(i / 3);
      const m = blend.motion;
      for (let r = 0; r < 3; r++) {
        out[i + r] = m[4 * r] * v[i] + m[4 * r + 1] * v[i + 1] + m[4 * r + 2] * v[i + 2] + m[4 * r + 3];
      }
    }
    return out;
  });
  return Math.hypot(...all.map((pose, k) => rms(pose, poses[k])));
}

describe('fitBones', () => {
  it('hands out bones that get better, and ends as if nobody had looked', async () => {
    const examples = await collectExamples([bendingTube(angles)], 0);
    const seen: LearnSoFar[] = [];
    const watched = await fitBones(examples, 6, { onSoFar: (look) => seen.push(look()) });
    const { weights, transforms } = await fitBones(examples, 6);
    expect(watched).toEqual({ weights, transforms });
    expect(seen).toHaveLength(3);
    expect(seen[2].rmsePercent).toBeLessThan(seen[0].rmsePercent);
    expect(seen[2]).toMatchObject({ bones: 6, frames: examples.frames, weights });
    expect(seen[2].transforms).toEqual(Float32Array.from(transforms));
    const left = floor(examples, weights, transforms) / Math.sqrt(angles.length);
    expect(seen[2].rmsePercent).toBeCloseTo((100 * left) / diagonalOf(examples.rest.positions), 3);
  });

  it('explains the examples better than clusters alone, by rigid motions', async () => {
    const examples = await collectExamples([bendingTube(angles)], 0);
    const bones = await clusterBones(examples, 6);
    const alone = floor(examples, await weightsOf(examples, bones), bones.transforms);
    const { transforms, weights } = await fitBones(examples, 6);
    validateWeights(weights, examples.rest.positions.length / 3, 6);
    expect(floor(examples, weights, transforms)).toBeLessThan(0.8 * alone);
    for (let o = 0; o < transforms.length; o += 4)
      expect(Math.hypot(...transforms.subarray(o, o + 3))).toBeCloseTo(1, 9);
  });

  it('finds the bones of given weights again', async () => {
    const examples = await collectExamples([bendingTube(angles)], 0);
    const { transforms, weights } = await fitBones(examples, 6);
    const again = await bonesFor(examples, weights);
    expect(floor(examples, weights, again)).toBeLessThan(1.1 * floor(examples, weights, transforms));
  });

  it('does not turn a bone that one vertex follows', async () => {
    const examples = await collectExamples([bendingTube(angles)], 0);
    const joints = new Uint16Array(examples.rest.positions.length / 3);
    joints[5] = 1;
    const transforms = await bonesFor(examples, {
      influences: 1,
      joints,
      weights: new Float32Array(joints.length).fill(1),
    });
    examples.poses.forEach((pose, k) => {
      const lone = transforms.subarray(24 * k + 12, 24 * k + 24);
      for (let r = 0; r < 3; r++) {
        expect([...lone.subarray(4 * r, 4 * r + 3)]).toEqual([r === 0 ? 1 : 0, r === 1 ? 1 : 0, r === 2 ? 1 : 0]);
        expect(examples.rest.positions[15 + r] + lone[4 * r + 3]).toBeCloseTo(pose[15 + r], 5);
      }
    });
  });
});

it('edges stretch as the examples do', async () => {
  // One bone that turns by 180° about z while the mesh grows by half: rotations alone cannot say so, weights of 1.5 can.
  const tube = bendingTube([0]);
  const grown = tube.rest.positions.map((x) => 1.5 * x);
  const turned = grown.map((x, c) => (c % 3 === 2 ? x : -x));
  const examples = await collectExamples([memorySequence('tube', tube.rest, [grown, turned])], 0);
  const { positions, triangles } = examples.rest;
  const rigid = Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, -1, 0, 0, 0, 0, -1, 0, 0, 0, 0, 1, 0);
  const skin = await weightsOf(examples, await clusterBones(examples, 1));
  const edges = meshEdges(triangles, positions.length / 3);
  const { influences, weights } = await edgeWeights(examples, { count: 1, transforms: rigid }, skin, edges);
  for (let e = 0; e < edges.vertices.length / 2; e++) expect(weights[e * influences]).toBeCloseTo(1.5, 3);
});

describe('rigBones', () => {
  /** Two triangles in one place, moved by different bones, stored in an order of the rig's own, slightly rounded. */
  const rest: Mesh = {
    positions: Float32Array.from([0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, -1, 0, 0, 0, -1, 0]),
    triangles: Uint32Array.from([0, 1, 2, 3, 4, 5]),
  };
  const order = [5, 3, 1, 0, 4, 2];
  const bones = [4, 4, 4, 7, 7, 7];
  const rig = {
    name: 'rig',
    mesh: {
      positions: Float32Array.from(
        order.flatMap((i) => [...rest.positions.subarray(3 * i, 3 * i + 3)].map((x) => x + 1e-5)),
      ),
      triangles: rest.triangles.map((i) => order.indexOf(i)),
    },
    weights: {
      influences: 2,
      joints: Uint16Array.from(order.flatMap((i) => [bones[i], 0])),
      weights: Float32Array.from(order.flatMap(() => [1, 0])),
    },
    skeleton: { names: ['a', 'b', 'c', 'd', 'jaw', 'f', 'g', 'brow'] },
  } as unknown as SkinnedModel;

  it('follow the vertices, and leave out bones that nothing follows', () => {
    const {
      weights: { joints, weights },
      names,
    } = rigBones(rig, rest);
    expect(names).toEqual(['jaw', 'brow']);
    expect([...joints]).toEqual([0, 0, 0, 0, 0, 0, 1, 0, 1, 0, 1, 0]);
    expect([...weights]).toEqual(Array(6).fill([1, 0]).flat());
  });

  it('are refused of another mesh', () => {
    const moved = { ...rest, positions: rest.positions.map((x, c) => (c === 4 ? x + 0.1 : x)) };
    expect(() => rigBones(rig, moved)).toThrow(expect.objectContaining({ code: 'bad-input' }));
    expect(() => rigBones(rig, bendingTube([0]).rest)).toThrow(expect.objectContaining({ code: 'bad-input' }));
  });

  it('make a predictor, with transforms that learn finds', async () => {
    const tube = bendingTube(angles);
    const { predictor } = await learn([tube], { bones: 5, points: 3 });
    const skeleton = { names: ['root', 'arm', 'arm', '', 'arm'] };
    const model = { name: 'fitted', mesh: tube.rest, weights: predictor.weights, skeleton } as SkinnedModel;
    const bones = rigBones(model, tube.rest);
    const again = await learn([tube], { points: 3, given: { bones } });
    const { points, names } = again.predictor;
    const { influences, joints } = bones.weights;
    points.forEach((i, l) => {
      expect(names![l]).toMatch(new RegExp(`^${bones.names[joints[i * influences]] || 'point'}`));
    });
    expect(new Set(names).size).toBe(3);
    expect(again.predictor.centroids.length).toBe(predictor.centroids.length);
    expect(again.report.given).toEqual(['bones']);
  });
});
