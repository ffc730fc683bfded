import { weldVertices } from '../src/doors/mesh.ts';
import type { SkinnedModel } from '../src/index.ts';
import { seededRandom } from '../src/math/rng.ts';
import { type BoneSketch, clipOf, skeletonOf } from '../src/rig/samples/skeleton.ts';

/** A machine of many hard parts, each on a joint of its own: six arms of plates, rods and bolts, none of which touch. */

const ARMS = 6;
const PARTS_PER_ARM = 14;
/** How far a bevel cuts into a part, relative to its radius, and in how many steps. */
const BEVEL = 0.15;
const BEVEL_STEPS = 2;
const FRAMES = 48;

type Point = readonly [number, number, number];

export function machineOfParts(): SkinnedModel {
  const random = seededRandom(11);
  const bones: BoneSketch[] = [];
  const corners: { positions: number[]; normals: number[]; joints: number[] } = {
    positions: [],
    normals: [],
    joints: [],
  };
  const addPart = (head: Point, tail: Point, front: Point, radius: number, sides: number, parent?: string): string => {
    const name = `part ${bones.length}`;
    addBevelled(corners, bones.length, head, tail, radius, sides);
    bones.push({ name, head, tail, front, ...(parent !== undefined && { parent }) });
    return name;
  };
  const body = addPart([0, -0.4, 0], [0, 0.4, 0], [0, 0, 1], 0.4, 24);
  for (let arm = 0; arm < ARMS; arm++) {
    const turn = (2 * Math.PI * arm) / ARMS;
    const out = (r: number, y: number): Point => [r * Math.cos(turn), y, r * Math.sin(turn)];
    let [parent, reached] = [body, 0.45];
    for (let q = 0; q < PARTS_PER_ARM; q++) {
      const isBolt = q % 3 === 2;
      const length = (isBolt ? 0.03 : 0.12) + 0.1 * random() * (isBolt ? 0.3 : 1);
      const radius = isBolt ? 0.015 + 0.01 * random() : 0.04 + 0.05 * random();
      const y = isBolt ? 0.12 : 0;
      const sides = [4, 16, 8, 24, 6][(arm + q) % 5];
      const [head, tail] = isBolt
        ? [out(reached - 0.08, y), out(reached - 0.08, y + length)]
        : [out(reached, y), out(reached + length, y)];
      const name = addPart(head, tail, isBolt ? out(1, 0) : [0, 1, 0], radius, sides, parent);
      if (isBolt) continue; // it stands on the part before
      parent = name;
      reached += length + 0.02;
    }
  }
  const skeleton = skeletonOf(bones);
  const clip = clipOf(skeleton, 'reach', FRAMES, 24, (time, name) => {
    const b = Number(name.slice(5));
    return b === 0 ? [] : [14 * Math.sin(3 * time + b), 8 * Math.sin(2 * time + 2 * b)];
  });
  const n = corners.joints.length;
  const { mesh, vertexOf } = weldVertices({
    name: 'machine',
    positions: Float32Array.from(corners.positions),
    normals: Float32Array.from(corners.normals),
    triangles: Uint32Array.from({ length: n }, (_, c) => c),
    space: { up: 'y', metresPerUnit: 1 },
  });
  const joints = new Uint16Array(mesh.positions.length / 3);
  for (let c = 0; c < n; c++) joints[vertexOf[c]] = corners.joints[c];
  const weights = { influences: 1, joints, weights: new Float32Array(joints.length).fill(1) };
  return { name: 'machine', mesh, weights, skeleton, clips: [clip], operator: 'lbs' };
}

/** A prism of so many sides from head to tail with bevels at both ends; eight sides or more are shaded as round. */
function addBevelled(
  out: { positions: number[]; normals: number[]; joints: number[] },
  joint: number,
  head: Point,
  tail: Point,
  radius: number,
  sides: number,
): void {
  const along = [0, 1, 2].map((c) => tail[c] - head[c]);
  const length = Math.hypot(...along);
  const y = along.map((x) => x / length);
  const other = Math.abs(y[1]) < 0.5 ? [0, 1, 0] : [1, 0, 0];
  const cross = (a: readonly number[], b: readonly number[]): number[] =>
    [0, 1, 2].map((c) => a[(c + 1) % 3] * b[(c + 2) % 3] - a[(c + 2) % 3] * b[(c + 1) % 3]);
  const sideways = cross(y, other);
  const x = sideways.map((each) => each / Math.hypot(...sideways));
  const z = cross(x, y);

  // The outline from the middle of one end to that of the other: distance from the axis, height.
  const cut = Math.min(BEVEL * radius, length / 3);
  const quarter = Array.from({ length: BEVEL_STEPS + 1 }, (_, s) => (Math.PI / 2) * (s / BEVEL_STEPS));
  const bevel = quarter.map((a): [number, number] => [radius - cut + cut * Math.sin(a), cut - cut * Math.cos(a)]);
  const outline = [[0, 0], ...bevel, ...bevel.map(([r, h]) => [r, length - h]).reverse(), [0, length]];
  const isRound = sides >= 8;
  const place = (axis: readonly number[], r: number, h: number, angle: number): number[] =>
    [0, 1, 2].map((c) => axis[c] + h * y[c] + r * (Math.cos(angle) * x[c] + Math.sin(angle) * z[c]));
  for (let s = 0; s + 1 < outline.length; s++) {
    const [[r0, h0], [r1, h1]] = [outline[s], outline[s + 1]];
    const slope = Math.hypot(r1 - r0, h1 - h0);
    for (let q = 0; q < sides; q++) {
      const [from, to] = [q, q + 1].map((each) => (2 * Math.PI * each) / sides);
      const corner = (r: number, h: number, angle: number): void => {
        out.positions.push(...place(head, r, h, angle % (2 * Math.PI)));
        const shown = isRound ? angle : (from + to) / 2;
        out.normals.push(...place([0, 0, 0], (h1 - h0) / slope, (r0 - r1) / slope, shown % (2 * Math.PI)));
        out.joints.push(joint);
      };
      if (r0 > 0) [corner(r0, h0, from), corner(r1, h1, to), corner(r0, h0, to)];
      if (r1 > 0) [corner(r0, h0, from), corner(r1, h1, from), corner(r1, h1, to)];
    }
  }
}
