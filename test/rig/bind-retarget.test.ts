import { describe, expect, it } from 'vitest';
import { multiply34 } from '../../src/math/matrix34.ts';
import { quaternionFromAxisAngle } from '../../src/math/quaternion.ts';
import { forwardKinematics, skinTransforms, worldMatrices } from '../../src/math/trs.ts';
import { type Clip, LOCAL_STRIDE, type Skeleton, validateClip, validateSkeleton } from '../../src/model/skeleton.ts';
import { alignClip, alignment, alignSkeleton, overlapNote, skeletonBounds } from '../../src/rig/bind/align.ts';
import { matchBones } from '../../src/rig/bind/bone-names.ts';
import { boneSegments } from '../../src/rig/bind/bone-segments.ts';
import { retargetClip } from '../../src/rig/bind/retarget.ts';
import { FIGURE_BONES } from '../../src/rig/samples/figure-body.ts';
import { FIGURE_MOTIONS, figureClip } from '../../src/rig/samples/figure-clips.ts';
import { skeletonOf } from '../../src/rig/samples/skeleton.ts';
import { cube } from '../mesh/shapes.ts';
import { jointsAt } from './bind-shapes.ts';

const figure = { skeleton: skeletonOf(FIGURE_BONES) };
const walk = figureClip(figure.skeleton, FIGURE_MOTIONS[2], 24, 24);

const same = ({ names }: Skeleton) => Int32Array.from(names, (_, j) => j);

/** 12·B·P world matrices of a clip. */
function worldsOf(skeleton: Skeleton, clip: Clip): Float64Array {
  const b = skeleton.names.length;
  const out = new Float64Array(12 * b * clip.times.length);
  for (let k = 0; k < clip.times.length; k++) {
    forwardKinematics(out.subarray(12 * b * k, 12 * b * (k + 1)), skeleton.parents, clip.locals!, LOCAL_STRIDE * b * k);
  }
  return out;
}

const close = (a: ArrayLike<number>, b: ArrayLike<number>, tolerance: number): void => {
  expect(a.length).toBe(b.length);
  let most = 0;
  for (let c = 0; c < a.length; c++) most = Math.max(most, Math.abs(a[c] - b[c]));
  expect(most).toBeLessThan(tolerance);
};

describe('matchBones', () => {
  it('goes by names, then by plain names, and a map wins', () => {
    const targets = ['mixamorig:Hips', 'left_arm', 'Head'];
    expect([...matchBones(['hips', 'LeftArm', 'head', 'Head'], targets)]).toEqual([0, 1, 3]);
    expect([...matchBones(['hips', 'LeftArm', 'Kopf'], targets, { Kopf: 'Head', LeftArm: 'mixamorig:Hips' })]).toEqual([
      1, -1, 2,
    ]);
  });

  it('refuses a map with names that nobody has', () => {
    expect(() => matchBones(['a'], ['b'], { c: 'b' })).toThrow(expect.objectContaining({ code: 'not-found' }));
    expect(() => matchBones(['a'], ['b'], { a: 'c' })).toThrow(expect.objectContaining({ code: 'not-found' }));
  });
});

describe('retargetClip', () => {
  it('leaves a clip of the same skeleton as it is', () => {
    const { clip, scale } = retargetClip(figure.skeleton, walk, figure.skeleton, same(figure.skeleton));
    validateClip(clip, figure.skeleton.names.length);
    expect(scale).toBeCloseTo(1, 12);
    const [start, played] = [worldsOf(figure.skeleton, walk), worldsOf(figure.skeleton, clip)];
    close(played, start, 1e-5);
    // Captured clips have an origin of their own: the ground, under where the rig stands.
    const captured = worldsOf(
      figure.skeleton,
      retargetClip(figure.skeleton, walk, figure.skeleton, same(figure.skeleton), true).clip,
    );
    const rest = worldMatrices(figure.skeleton.parents, figure.skeleton.restLocals);
    close([captured[3], captured[11]], [rest[3], rest[11]], 1e-6);
  });

  it('moves the hips below a node that stays, or that moves, and every joint that leaves its place', () => {
    const rig = jointsAt([
      ['root', undefined, [0, 0, 0]],
      ['hips', 'root', [0, 10, 1]],
      ['jaw', 'hips', [0, 15, 2]],
      ['foot', 'hips', [1, 1, 0]],
      ['toes', 'foot', [1, -0.5, 2]],
    ]);
    const [b, frames] = [rig.names.length, 4];
    for (const walks of [0, 1]) {
      const locals = new Float32Array(LOCAL_STRIDE * b * frames);
      for (let k = 0; k < frames; k++) {
        const at = LOCAL_STRIDE * b * k;
        locals.set(rig.restLocals, at);
        locals[at + 2] += 3 * walks * k;
        for (const j of [1, 2]) {
          const o = at + LOCAL_STRIDE * j;
          for (let c = 0; c < 3; c++) locals[o + c] += 0.3 * (c + 1) * (k + 1);
          quaternionFromAxisAngle(locals, o + 3, 0, 0.6, 0.8, 0.2 * k);
        }
      }
      const times = Float64Array.from({ length: frames }, (_, k) => k);
      const clip = { name: 'jump', times, locals, transforms: skinTransforms(rig.parents, rig.inverseBind, locals) };
      const { clip: played } = retargetClip(rig, clip, rig, same(rig));
      close(played.transforms, clip.transforms, 1e-5);
      // Half the size: half the ways.
      const half = alignSkeleton(rig, { scale: 0.5, offset: [0, 0, 0] });
      const ways = (skeleton: Skeleton, of: Clip) =>
        worldsOf(skeleton, of).map((x, c, all) => (c % 4 === 3 ? x - all[c % (12 * b)] : 0));
      const halved = retargetClip(rig, clip, half, same(rig)).clip;
      close(
        ways(half, halved),
        ways(rig, clip).map((x) => x / 2),
        1e-5,
      );
    }
  });

  it('does not care how the frames of bones lie', () => {
    // Every frame turned by its own rotation: the same bones, other axes.
    const { skeleton } = figure;
    const b = skeleton.names.length;
    const worlds = new Float64Array(12 * b);
    forwardKinematics(worlds, skeleton.parents, skeleton.restLocals);
    const turned = jointsAt(
      skeleton.names.map((name, j) => {
        const parent = skeleton.parents[j];
        const place = [worlds[12 * j + 3], worlds[12 * j + 7], worlds[12 * j + 11]] as const;
        return [name, parent < 0 ? undefined : skeleton.names[parent], place] as const;
      }),
    );
    const { clip } = retargetClip(skeleton, walk, turned, same(skeleton));
    const { clip: back } = retargetClip(skeleton, walk, skeleton, same(skeleton));
    // Rest mesh → pose is the same map, whatever the frames.
    close(clip.transforms, back.transforms, 2e-5);
  });

  it('scales the way of the root with the height of the legs, and keeps small characters on the ground', () => {
    const half = alignSkeleton(figure.skeleton, { scale: 0.5, offset: [0, 0, 0] });
    const { clip, scale } = retargetClip(figure.skeleton, walk, half, same(half));
    expect(scale).toBeCloseTo(0.5, 6);
    const { clip: whole } = retargetClip(figure.skeleton, walk, figure.skeleton, same(half));
    const [a, b] = [worldsOf(half, clip), worldsOf(figure.skeleton, whole)];
    for (let c = 3; c < a.length; c += 4) expect(a[c]).toBeCloseTo(b[c] / 2, 5);
  });

  it('lifts a rest pose with its hips at the origin to the ground', () => {
    const captured = jointsAt([
      ['hips', undefined, [0, 0, 0]],
      ['foot', 'hips', [0, -10, 0]],
    ]);
    const rig = jointsAt([
      ['hips', undefined, [5, 1, 5]],
      ['foot', 'hips', [5, 0, 5]],
    ]);
    const locals = Float32Array.from([
      ...[7, 10, 7],
      0,
      0,
      0,
      1,
      1,
      1,
      1,
      0,
      -10,
      0,
      0,
      0,
      0,
      1,
      1,
      1,
      1,
      ...[17, 12, 7],
      0,
      0,
      0,
      1,
      1,
      1,
      1,
      0,
      -10,
      0,
      0,
      0,
      0,
      1,
      1,
      1,
      1,
    ]);
    const clip: Clip = {
      name: 'jump',
      times: Float64Array.of(0, 1),
      locals,
      transforms: skinTransforms(captured.parents, captured.inverseBind, locals),
    };
    const { clip: played } = retargetClip(captured, clip, rig, Int32Array.of(0, 1));
    close(played.locals!.subarray(0, 3), [5, 1, 5], 1e-6);
    close(played.locals!.subarray(20, 23), [6, 1.2, 5], 1e-6);
  });

  it('brings arms that hang into the pose of arms that are spread, hands with them, and leaves feet on the ground', () => {
    const person = (hand: readonly [number, number, number], toes: readonly [number, number, number]) =>
      jointsAt([
        ['hips', undefined, [0, 10, 0]],
        ['arm', 'hips', [1, 15, 0]],
        ['hand', 'arm', hand],
        ['thumb', 'hand', [hand[0], hand[1], hand[2] + 0.5]],
        ['leg', 'hips', [1, 9, 0]],
        ['foot', 'leg', [1, 1, 0]],
        ['toes', 'foot', toes],
      ]);
    const spread = person([6, 15, 0], [1, 0, 1]);
    const hanging = person([1, 10, 0], [1, 0.5, 2]);
    const still: Clip = {
      name: 'rest',
      times: Float64Array.of(0),
      locals: spread.restLocals,
      transforms: skinTransforms(spread.parents, spread.inverseBind, spread.restLocals),
    };
    const { clip } = retargetClip(spread, still, hanging, same(hanging));
    const worlds = worldsOf(hanging, clip);
    const along = (a: number, b: number) => [3, 7, 11].map((c) => worlds[12 * b + c] - worlds[12 * a + c]);
    close(along(1, 2), [5, 0, 0], 1e-5);
    close(along(2, 3), [0, 0, 0.5], 1e-5); // the turn is about the axis from front to back
    close(along(5, 6), [0, -0.5, 2], 1e-5);
  });

  it('lets bones without a source follow their parents, and refuses a clip that moves nothing', () => {
    const only = same(figure.skeleton).map((j) => (figure.skeleton.names[j].startsWith('thigh') ? j : -1));
    const { clip } = retargetClip(figure.skeleton, walk, figure.skeleton, only);
    const shin = figure.skeleton.names.indexOf('shin.L');
    close(
      clip.locals!.subarray(LOCAL_STRIDE * shin, LOCAL_STRIDE * (shin + 1)),
      figure.skeleton.restLocals.subarray(LOCAL_STRIDE * shin, LOCAL_STRIDE * (shin + 1)),
      1e-7,
    );
    expect(() => retargetClip(figure.skeleton, walk, figure.skeleton, only.fill(-1))).toThrow(
      expect.objectContaining({ code: 'bad-input' }),
    );
  });
});

describe('alignment', () => {
  const two = jointsAt([
    ['a', undefined, [100, 0, 0]],
    ['b', 'a', [100, 50, 20]],
  ]);

  it('fits the box of the skeleton into that of the mesh, centred', () => {
    const skeleton = alignSkeleton(two, alignment(two, cube()));
    validateSkeleton(skeleton);
    const { min, max } = skeletonBounds(skeleton, 'test');
    close([...min, ...max], [0.5, 0, 0.3, 0.5, 1, 0.7], 1e-5);
    const worlds = new Float64Array(24);
    forwardKinematics(worlds, skeleton.parents, skeleton.restLocals);
    for (const j of [0, 1]) {
      const product = new Float64Array(12);
      multiply34(product, 0, worlds, 12 * j, skeleton.inverseBind, 12 * j);
      close(product, [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0], 1e-5);
    }
  });

  it('moves clips along: matrices and local poses still agree', () => {
    const fit = { scale: 3, offset: [1, -2, 5] } as const;
    const skeleton = alignSkeleton(figure.skeleton, fit);
    const clip = alignClip(walk, figure.skeleton, fit);
    close(skinTransforms(skeleton.parents, skeleton.inverseBind, clip.locals!), clip.transforms, 1e-4);
    const { min, max } = skeletonBounds(figure.skeleton, 'test');
    const corners = [...min, ...max].map((x, c) => fit.scale * x + fit.offset[c % 3]);
    expect(
      overlapNote({ positions: Float32Array.from(corners), triangles: new Uint32Array() }, skeleton),
    ).toBeUndefined();
  });

  it('only moves a single joint, and does not fit into a flat mesh', () => {
    const one = jointsAt([['a', undefined, [7, 7, 7]]]);
    expect(alignment(one, cube())).toEqual({ scale: 1, offset: [-6.5, -6.5, -6.5] });
    expect(() => alignment(two, { ...cube(), positions: new Float32Array(24) })).toThrow(
      expect.objectContaining({ code: 'bad-input' }),
    );
  });

  it('notes skeletons of other sizes or places', () => {
    expect(overlapNote(cube(), two)).toMatchObject({
      code: 'skeleton-apart',
      data: { sizeRatio: expect.closeTo(31, 0), aligned: false },
    });
    expect(
      overlapNote(
        cube(),
        jointsAt([
          ['a', undefined, [2, 0, 0]],
          ['b', 'a', [2, 1, 0]],
        ]),
      ),
    ).toMatchObject({ code: 'skeleton-apart' });
  });
});

describe('boneSegments', () => {
  const ends = (skeleton: Skeleton) => {
    const { ends: all, columnOf, bones } = boneSegments(skeleton, 'test');
    return Array.from(columnOf, (column, s) => [
      skeleton.names[bones[column]],
      ...all.subarray(6 * s + 3, 6 * s + 6).map((x) => x + 0),
    ]);
  };

  it('run to every child; leaves go on straight; markers of ends are no bones', () => {
    const skeleton = jointsAt([
      ['root', undefined, [0, 0, 0]],
      ['left', 'root', [1, 0, 0]],
      ['right', 'root', [-1, 0, 0]],
      ['right_end', 'right', [-1, 4, 0]],
    ]);
    expect(ends(skeleton)).toEqual([
      ['root', 1, 0, 0],
      ['root', -1, 0, 0],
      ['left', 1.5, 0, 0],
      ['right', -1, 4, 0],
    ]);
  });

  it('take the axis that all other bones have for leaves', () => {
    // The figure's bones run along their y axes: its hands, feet and head do too.
    const { bones, columnOf, ends: all } = boneSegments(figure.skeleton, 'test');
    const toe = figure.skeleton.names.indexOf('toes.L');
    const s = columnOf.indexOf(bones.indexOf(toe));
    const along = [0, 1, 2].map((c) => all[6 * s + 3 + c] - all[6 * s + c]);
    expect(along[2] / Math.hypot(...along)).toBeGreaterThan(0.99); // forwards
  });
});
