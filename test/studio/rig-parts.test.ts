import { beforeAll, describe, expect, it } from 'vitest';
import type { Mesh } from '../../src/model/mesh.ts';
import { boneCount, LOCAL_STRIDE, MATRIX_STRIDE, type Skeleton } from '../../src/model/skeleton.ts';
import type { SkinnedModel } from '../../src/model/skinned-model.ts';
import { makeSample } from '../../src/samples.ts';
import { Doc } from '../../studio/src/core/doc.ts';
import { inspectedJoints, inspectedModels } from '../../studio/src/core/inspect/inspected.ts';
import { Painter } from '../../studio/src/core/paint/painter.ts';
import { verticesOfJoints } from '../../studio/src/core/paint/skin-paints.ts';
import { encloses } from '../../studio/src/core/rig/encloses.ts';
import { boneOf, jointTree } from '../../studio/src/core/rig/joint-tree.ts';
import { RigWork } from '../../studio/src/core/rig/rig-work.ts';
import { bendJob } from '../../studio/src/worker/bend-job.ts';
import { grid, icosphere } from '../mesh/shapes.ts';

/** Some bones of a skeleton, as another part of the same file has them: an object of its own. */
function bonesOf({ names, parents, restLocals, inverseBind }: Skeleton, kept: readonly number[]): Skeleton {
  const rows = (from: Float32Array, stride: number) =>
    Float32Array.from(kept.flatMap((j) => [...from.subarray(stride * j, stride * (j + 1))]));
  return {
    names: kept.map((j) => names[j]),
    parents: Int32Array.from(kept, (j) => kept.indexOf(parents[j])),
    restLocals: rows(restLocals, LOCAL_STRIDE),
    inverseBind: rows(inverseBind, MATRIX_STRIDE),
  };
}

/** A model whose last bone is a blend bone of its first two. */
const blended = (model: SkinnedModel): SkinnedModel => ({
  ...model,
  blendBones: {
    operator: 'dqs',
    antipodality: true,
    bones: [
      { bone: model.skeleton.parents.length - 1, masters: Uint16Array.of(0, 1), weights: Float32Array.of(0.5, 0.5) },
    ],
  },
});

const nothing = {
  name: 'parts',
  format: 'test',
  bytes: 0,
  meshes: [],
  sequences: [],
  motions: [],
  predictors: [],
  objects: [],
  notes: [],
};

describe('a rig of several parts', () => {
  let tube: SkinnedModel;
  let all: number[];
  /** Hangs on the same nodes, without the last. */
  let sleeve: SkinnedModel;
  /** Has other nodes, as many. */
  let stranger: SkinnedModel;
  beforeAll(async () => {
    tube = (await makeSample('tube', { resolution: 100, frames: 2 })).model!;
    all = [...tube.skeleton.parents.keys()];
    sleeve = { ...tube, skeleton: bonesOf(tube.skeleton, all.slice(0, -1)), clips: [] };
    const own = bonesOf(tube.skeleton, all);
    stranger = { ...tube, skeleton: { ...own, names: own.names.map((name) => `other ${name}`) }, clips: [] };
  });

  it('turns shared joints, and no others', () => {
    const rig = new RigWork([tube, tube, sleeve, stranger]);
    const turns = new Map([
      [1, [10, 0, 0]],
      [all.length - 1, [0, 20, 0]],
    ] as const);
    expect(rig.turnsOf(0, turns)).toEqual(turns);
    expect(rig.turnsOf(1, turns)).toEqual(turns);
    expect([...rig.turnsOf(2, turns)]).toEqual([[1, [10, 0, 0]]]);
    expect(rig.turnsOf(3, turns).size).toBe(0);
    // Whatever part comes first, every joint can be turned.
    const other = new RigWork([stranger, sleeve, tube]);
    const last = boneCount(stranger.skeleton) + all.length - 1;
    expect(other.canTurn(last)).toBe(true);
    expect(other.canTurn(last + 1)).toBe(false);
    expect([0, 1, 2].map((part) => other.boneOf(part, last))).toEqual([-1, -1, all.length - 1]);
  });

  it('identifies joints across parts by name, pose and parents', () => {
    const [few, own, moved] = [bonesOf(tube.skeleton, all.slice(0, 2)), tube.skeleton, bonesOf(tube.skeleton, all)];
    moved.restLocals[LOCAL_STRIDE] += 1;
    const tree = jointTree([few, own, moved, own]);
    expect([few, own].map((skeleton) => [...tree.jointsOf.get(skeleton)!])).toEqual([all.slice(0, 2), all]);
    // All that hangs on a joint that is another is another.
    expect([...tree.jointsOf.get(moved)!]).toEqual(all.map((j) => (j === 0 ? 0 : all.length + j - 1)));
    expect([boneOf(tree, few, 1), boneOf(tree, few, 2), boneOf(tree, moved, 1)]).toEqual([1, -1, -1]);
    expect([...tree.parents.subarray(0, all.length)]).toEqual([...own.parents]);
  });

  it('keeps bones of one skeleton apart even if they look the same', () => {
    const twins = { ...bonesOf(tube.skeleton, [0, 0, 0]), names: ['', '', ''], parents: Int32Array.of(-1, -1, -1) };
    const tree = jointTree([twins, structuredClone(twins)]);
    expect(tree.names).toEqual(['joint 0', 'joint 1', 'joint 2']);
    expect([...tree.jointsOf.values()].map((joints) => [...joints])).toEqual([
      [0, 1, 2],
      [0, 1, 2],
    ]);
  });

  it('has one list of joints, with vertices of all parts', () => {
    const doc = new Doc({ ...nothing, models: [tube, { ...sleeve }] });
    const tree = inspectedJoints(doc);
    expect(tree.names).toEqual(tube.skeleton.names);
    const alone = verticesOfJoints([tube], jointTree([tube.skeleton]));
    const counts = verticesOfJoints(inspectedModels(doc), tree);
    all.slice(0, -1).forEach((j) => {
      expect(counts[j]).toBe(2 * alone[j]);
    });
    doc.showInfluence(1);
    const painter = new Painter(doc);
    const [one, other] = doc.models.value.map((model, part) =>
      painter.colours({ part, model, positions: () => model.mesh.positions }, 0),
    );
    expect(one).toEqual(other);
    // A part that does not hang on the joint follows it by nothing.
    const foreign = new Doc({ ...nothing, models: [tube, stranger] });
    foreign.showInfluence(1);
    const { positions } = stranger.mesh;
    const none = new Painter(foreign).colours(
      { part: 1, model: foreign.models.value[1], positions: () => positions },
      0,
    )!;
    expect(new Set(none.filter((_, c) => c % 4 === 3))).toEqual(new Set([0]));
  });

  it('bends only at the joint', async () => {
    const run = { signal: new AbortController().signal, onProgress: () => {} };
    const bend = (joints: number[]) =>
      bendJob({ joints, axis: 0, angles: [90], shown: [{ operator: 'lbs', models: [tube, stranger] }] }, run);
    const [one, both, none] = [await bend([2, -1]), await bend([2, 2]), await bend([-1, -1])];
    const lost = ({ curves, rest }: typeof one) => curves[0].area[0] - rest.area;
    expect(Math.abs(lost(none))).toBeLessThan(1e-4 * none.rest.area);
    expect(lost(both)).toBeCloseTo(2 * lost(one), 4);
  });

  it('has blend bones per part: the same index elsewhere is a joint', () => {
    const last = all.length - 1;
    const rig = new RigWork([stranger, blended(tube), blended(sleeve)]);
    expect(rig.blendBones.value.map(({ part, blend }) => [part, blend.bone])).toEqual([
      [1, last],
      [2, last - 1],
    ]);
    // The joints of the stranger come first.
    expect(rig.blendBoneAt(all.length + last)).toBe(0);
    expect(rig.blendBoneAt(all.length + last - 2)).toBe(-1);
    expect(rig.canTurn(last)).toBe(true);
    expect(new RigWork([blended(tube), stranger]).canTurn(last)).toBe(false);
  });

  it('paints the weights of a blend bone on its part only', () => {
    const models = [blended(tube), blended({ ...stranger })];
    const doc = new Doc({ ...nothing, models });
    doc.showBlendBone(1);
    const painter = new Painter(doc);
    const [first, second] = models.map((model, part) =>
      painter.colours({ part, model, positions: () => model.mesh.positions }, 0),
    );
    const values = (colours: Float32Array | undefined) => new Set(colours?.filter((_, c) => c % 4 === 3));
    expect([...values(first)]).toEqual([0]);
    expect(values(second).size).toBeGreaterThan(1);
  });
});

describe('a volume', () => {
  it('is that of closed meshes that are not flat', () => {
    const ball = icosphere(1);
    const flat: Mesh = { ...ball, positions: ball.positions.map((x, c) => (c % 3 === 2 ? 0 : x)) };
    expect(encloses([ball])).toBe(true);
    expect(encloses([ball, grid(3, 3)])).toBe(false);
    expect(encloses([grid(3, 3)])).toBe(false);
    expect(encloses([flat])).toBe(false);
  });

  it('is that of the tube', async () => {
    const { model } = await makeSample('tube', { resolution: 100, frames: 2 });
    expect(encloses([model!.mesh])).toBe(true);
  });
});
