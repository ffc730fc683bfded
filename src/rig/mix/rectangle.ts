import { PliantError } from '../../error.ts';
import { quaternionFromAxisAngle } from '../../math/quaternion.ts';
import { skinTransforms } from '../../math/trs.ts';
import { largestWeights } from '../../model/influences.ts';
import type { Mesh } from '../../model/mesh.ts';
import { type Clip, LOCAL_STRIDE, MATRIX_STRIDE, type Skeleton } from '../../model/skeleton.ts';
import type { SkinnedModel } from '../../model/skinned-model.ts';

/**
 * The bending rectangle of Khemakhem 2020, §2.1 and chapter III: 10 × 2, in the plane z = 0 with its axis on y = 0, and
 * a bend about its middle (5, 0). Two ways to rig it:
 *
 * - `points`, as printed: three point bones at equal distances, 2.5, 5 and 7.5, weights by inverse distance (algorithm 1).
 *   The parent stays, the bending bone turns about its own place, the child takes the same transform.
 * - `segments`, the standard model that §4.2 misses: two bones that meet at the joint (5, 0). The second one's weight rises
 *   from 0 to 1 by a smooth step within `fallOff` of the joint.
 */
export type RectangleRig = 'points' | 'segments';

export const RECTANGLE = { width: 10, height: 2, joint: 5 } as const;
const POINTS = [2.5, 5, 7.5];

/** Resolution, weights and poses of the rectangle. */
export interface RectangleOptions {
  rig: RectangleRig;
  /** Vertices along the rectangle, and across. */
  columns: number;
  rows: number;
  /** Half the width of the band in which weights change, in units of the rectangle. Only for `segments`. */
  fallOff?: number;
  /** Radians, rising from 0: one pose each. */
  angles: readonly number[];
}

/** Khemakhem 2020: 0 to 180° in steps of 5°. In radians. */
export const bendAngles = (step = 5, most = 180): number[] =>
  Array.from({ length: Math.floor(most / step + 1e-9) + 1 }, (_, k) => (k * step * Math.PI) / 180);

/** The rectangle of Khemakhem 2020 with two bones. */
export function bendingRectangle(options: RectangleOptions): SkinnedModel {
  const { rig, columns, rows, angles } = options;
  if (!(columns >= 2 && rows >= 2)) {
    throw new PliantError('bad-option', 'bendingRectangle', `${columns} × ${rows} vertices (expected at least 2 × 2)`);
  }
  const mesh = gridMesh(columns, rows);
  const skeleton = rig === 'points' ? chain(POINTS) : chain([0, RECTANGLE.joint]);
  const bones = skeleton.names.length;
  const dense = new Float64Array((mesh.positions.length / 3) * bones);
  for (let i = 0; 3 * i < mesh.positions.length; i++) {
    const [x, y] = [mesh.positions[3 * i], mesh.positions[3 * i + 1]];
    dense.set(rig === 'points' ? inverseDistances(x, y) : smoothStep(x, options.fallOff ?? 1.25), i * bones);
  }
  return {
    name: `rectangle-${rig}`,
    mesh,
    weights: largestWeights(dense, bones, bones),
    skeleton,
    clips: [bendClip(skeleton, angles)],
    operator: 'lbs',
  };
}

/** A grid of columns × rows vertices, column by column; the two triangles of a cell share a diagonal of one direction. */
function gridMesh(columns: number, rows: number): Mesh {
  const { width, height } = RECTANGLE;
  const positions = new Float32Array(3 * columns * rows);
  for (let c = 0; c < columns; c++) {
    for (let r = 0; r < rows; r++) {
      const i = 3 * (c * rows + r);
      positions[i] = (width * c) / (columns - 1);
      positions[i + 1] = height * (r / (rows - 1) - 0.5);
    }
  }
  const triangles = new Uint32Array(6 * (columns - 1) * (rows - 1));
  let t = 0;
  for (let c = 0; c + 1 < columns; c++) {
    for (let r = 0; r + 1 < rows; r++) {
      const a = c * rows + r;
      triangles.set([a, a + rows, a + rows + 1, a, a + rows + 1, a + 1], t);
      t += 6;
    }
  }
  return { name: 'rectangle', positions, triangles };
}

/** Bones at these places on the x axis, each the parent of the next. */
function chain(places: readonly number[]): Skeleton {
  const restLocals = new Float32Array(LOCAL_STRIDE * places.length);
  const inverseBind = new Float32Array(MATRIX_STRIDE * places.length);
  places.forEach((x, j) => {
    restLocals.set([x - (j > 0 ? places[j - 1] : 0), 0, 0, 0, 0, 0, 1, 1, 1, 1], LOCAL_STRIDE * j);
    inverseBind.set([1, 0, 0, -x, 0, 1, 0, 0, 0, 0, 1, 0], MATRIX_STRIDE * j);
  });
  return {
    names: places.map((_, j) => `bone${j}`),
    parents: Int32Array.from(places, (_, j) => j - 1),
    restLocals,
    inverseBind,
  };
}

/** Bone 1 turns about z; what hangs below it follows. */
function bendClip(skeleton: Skeleton, angles: readonly number[]): Clip {
  const { restLocals, parents, inverseBind } = skeleton;
  const locals = new Float32Array(restLocals.length * angles.length);
  angles.forEach((angle, k) => {
    locals.set(restLocals, k * restLocals.length);
    quaternionFromAxisAngle(locals, k * restLocals.length + LOCAL_STRIDE + 3, 0, 0, 1, angle);
  });
  return {
    name: 'bend',
    times: Float64Array.from(angles, (_, k) => k),
    locals,
    transforms: skinTransforms(parents, inverseBind, locals),
  };
}

/** Algorithm 1, line 1. A vertex on a bone follows it alone. */
function inverseDistances(x: number, y: number): number[] {
  const distances = POINTS.map((place) => Math.hypot(x - place, y));
  const on = distances.findIndex((distance) => distance < 1e-9);
  return distances.map((distance, j) => (on < 0 ? 1 / distance : Number(j === on)));
}

function smoothStep(x: number, fallOff: number): number[] {
  const t = Math.min(1, Math.max(0, (x - RECTANGLE.joint + fallOff) / (2 * fallOff)));
  const w = t * t * (3 - 2 * t);
  return [1 - w, w];
}
