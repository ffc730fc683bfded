import { quaternionFromAxisAngle } from '../../src/math/quaternion.ts';
import { skinTransforms } from '../../src/math/trs.ts';
import { vertexNormals } from '../../src/mesh/normals.ts';
import { steadyTimes } from '../../src/model/sequence.ts';
import { type Clip, LOCAL_STRIDE } from '../../src/model/skeleton.ts';
import { type SkinnedModel, validateModel } from '../../src/model/skinned-model.ts';

/** A trunk with two arms of two bones and two legs, as closed prisms: 7 bones, some 250 vertices. */

type Point = readonly [number, number, number];

/** Name, parent, from where to where, radius. */
const LIMBS: readonly (readonly [string, number, Point, Point, number])[] = [
  ['trunk', -1, [0, 0.8, 0], [0, 1.5, 0], 0.2],
  ['arm left', 0, [0.2, 1.4, 0], [0.55, 1.4, 0], 0.08],
  ['hand left', 1, [0.5, 1.4, 0], [0.9, 1.4, 0], 0.07],
  ['arm right', 0, [-0.2, 1.4, 0], [-0.55, 1.4, 0], 0.08],
  ['hand right', 3, [-0.5, 1.4, 0], [-0.9, 1.4, 0], 0.07],
  ['leg left', 0, [0.12, 0.8, 0], [0.14, 0, 0], 0.1],
  ['leg right', 0, [-0.12, 0.8, 0], [-0.14, 0, 0], 0.1],
];

const SIDES = 6;
const RINGS = 5;
const FRAMES = 24;

const turn = (locals: Float32Array, bone: number, x: number, y: number, z: number, angle: number): void =>
  quaternionFromAxisAngle(locals, LOCAL_STRIDE * bone + 3, x, y, z, angle);

const MOTIONS: Record<string, (locals: Float32Array, phase: number) => void> = {
  wave(locals, phase) {
    turn(locals, 1, 0, 0, 1, -1.2 * Math.sin(phase));
    turn(locals, 2, 0, 1, 0, -1.2 + Math.cos(phase));
    turn(locals, 3, 0, 1, 0, 0.8 * Math.sin(2 * phase));
  },
  walk(locals, phase) {
    turn(locals, 5, 1, 0, 0, 0.7 * Math.sin(phase));
    turn(locals, 6, 1, 0, 0, -0.7 * Math.sin(phase));
    turn(locals, 1, 0, 0, 1, -1.3);
    turn(locals, 3, 0, 0, 1, 1.3);
    turn(locals, 4, 1, 0, 0, 0.5 * Math.cos(phase));
  },
};

export function smallFigure(): SkinnedModel {
  const positions: number[] = [];
  const triangles: number[] = [];
  const joints: number[] = [];
  const weights: number[] = [];
  LIMBS.forEach(([, parent, from, to, radius], bone) => {
    const first = positions.length / 3;
    const along = to.map((x, c) => x - from[c]);
    // Two directions across: limbs lie along x or y.
    const across: Point[] =
      Math.abs(along[0]) > Math.abs(along[1])
        ? [
            [0, 1, 0],
            [0, 0, 1],
          ]
        : [
            [0, 0, 1],
            [1, 0, 0],
          ];
    for (let ring = 0; ring < RINGS; ring++) {
      for (let side = 0; side < SIDES; side++) {
        const angle = (2 * Math.PI * side) / SIDES;
        for (let c = 0; c < 3; c++) {
          const out = across[0][c] * Math.cos(angle) + across[1][c] * Math.sin(angle);
          positions.push(from[c] + (along[c] * ring) / (RINGS - 1) + radius * out);
        }
        const shared = parent >= 0 && ring === 0 ? 0.4 : 0;
        joints.push(bone, shared > 0 ? parent : 0);
        weights.push(1 - shared, shared);
      }
    }
    const towards = along[0] < 0 || along[1] < 0 ? -1 : 1;
    const face = (a: number, b: number, c: number) =>
      triangles.push(first + a, first + (towards > 0 ? b : c), first + (towards > 0 ? c : b));
    for (let ring = 0; ring + 1 < RINGS; ring++) {
      for (let side = 0; side < SIDES; side++) {
        const [a, b] = [ring * SIDES + side, ring * SIDES + ((side + 1) % SIDES)];
        face(a, b, b + SIDES);
        face(a, b + SIDES, a + SIDES);
      }
    }
    const top = (RINGS - 1) * SIDES;
    for (let side = 1; side + 1 < SIDES; side++) {
      face(0, side + 1, side);
      face(top, top + side, top + side + 1);
    }
  });

  const bones = LIMBS.length;
  const parents = Int32Array.from(LIMBS, ([, parent]) => parent);
  const restLocals = new Float32Array(LOCAL_STRIDE * bones);
  const inverseBind = new Float32Array(12 * bones);
  LIMBS.forEach(([, parent, from], j) => {
    const above: Point = parent >= 0 ? LIMBS[parent][2] : [0, 0, 0];
    restLocals.set([...from.map((x, c) => x - above[c]), 0, 0, 0, 1, 1, 1, 1], LOCAL_STRIDE * j);
    inverseBind.set([1, 0, 0, -from[0], 0, 1, 0, -from[1], 0, 0, 1, -from[2]], 12 * j);
  });
  const clips = Object.entries(MOTIONS).map(([name, move]): Clip => {
    const locals = new Float32Array(FRAMES * restLocals.length);
    for (let k = 0; k < FRAMES; k++) {
      const frame = locals.subarray(k * restLocals.length, (k + 1) * restLocals.length);
      frame.set(restLocals);
      move(frame, (2 * Math.PI * k) / FRAMES);
    }
    const transforms = skinTransforms(parents, inverseBind, locals);
    return { name, times: steadyTimes(FRAMES), locals, transforms };
  });
  const mesh = { positions: Float32Array.from(positions), triangles: Uint32Array.from(triangles) };
  const model: SkinnedModel = {
    name: 'figure',
    mesh: { ...mesh, normals: vertexNormals(mesh) },
    weights: { influences: 2, joints: Uint16Array.from(joints), weights: Float32Array.from(weights) },
    skeleton: { names: LIMBS.map(([name]) => name), parents, restLocals, inverseBind },
    clips,
    operator: 'lbs',
  };
  validateModel(model);
  return model;
}
