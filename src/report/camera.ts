import { cross3, dot3, type Vector, vectorOf } from '../math/vector.ts';
import { boundsOf } from '../mesh/bounds.ts';
import type { Space } from '../model/mesh.ts';

/** Where pictures are taken from: three-quarter views with a mild perspective. */

/** An orthonormal frame: right and up in the picture, and towards the eye. */
export interface View {
  right: Vector;
  up: Vector;
  towards: Vector;
}

/** World → picture. */
export interface Camera {
  width: number;
  height: number;
  view: View;
  /** out (3) = x and y in pixels, y down, and the nearness of point i: larger is nearer, linear over the picture. */
  project(out: Float64Array, positions: ArrayLike<number>, i: number): void;
}

/** Degrees around the axis that is up, from the front, and above the horizon. The first are preferred among equals. */
const AZIMUTHS = [30, -30, 60, -60, 150, -150, 120, -120];
const ELEVATIONS = [18, 50];
/** Which way is front, where an axis is up: +z as in glTF; −y where z is up, as modellers have it. */
const FRONT: Record<Space['up'], Vector> = { x: [0, 0, 1], y: [0, 0, 1], z: [0, -1, 0] };
const UP: Record<Space['up'], Vector> = { x: [1, 0, 0], y: [0, 1, 0], z: [0, 0, 1] };

/** Distance of the eye from the middle, in radii of what it sees. */
const EYE = 5;
/** Share of the picture that is left free at each side. */
const MARGIN = 0.04;

const sum = (...terms: readonly (readonly [number, Vector])[]): Vector =>
  vectorOf((c) => terms.reduce((total, [factor, v]) => total + factor * v[c], 0));

/** The directions a picture may be taken from. */
export function threeQuarterViews(up: Space['up'] = 'y'): View[] {
  const [vertical, front] = [UP[up], FRONT[up]];
  const side = cross3(vertical, front);
  return ELEVATIONS.flatMap((elevation) =>
    AZIMUTHS.map((azimuth) => {
      const [a, e] = [(azimuth * Math.PI) / 180, (elevation * Math.PI) / 180];
      const level = sum([Math.cos(a), front], [Math.sin(a), side]);
      const towards = sum([Math.cos(e), level], [Math.sin(e), vertical]);
      return { right: cross3(vertical, level), up: sum([Math.cos(e), vertical], [-Math.sin(e), level]), towards };
    }),
  );
}

/** A view is better than an earlier one only when it shows this much more. */
const CLEARLY = 1.02;

/**
 * Of the views the one that shows most of a surface: the largest projected area of faces that look towards the eye. A
 * sheet is seen from its broad side, a long body from the flank.
 */
export function bestView(views: readonly View[], positions: ArrayLike<number>, triangles: Uint32Array): View {
  const areas = new Float64Array(views.length);
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = [3 * triangles[t], 3 * triangles[t + 1], 3 * triangles[t + 2]];
    const edge = (to: number): Vector => vectorOf((x) => positions[to + x] - positions[a + x]);
    const normal = cross3(edge(b), edge(c));
    for (let v = 0; v < views.length; v++) areas[v] += Math.max(0, dot3(normal, views[v].towards));
  }
  let best = 0;
  for (let v = 1; v < views.length; v++) if (areas[v] > CLEARLY * areas[best]) best = v;
  return views[best];
}

/** A camera that looks along a view and sees all of the given points (3N each), as large as the picture allows. */
export function cameraFor(view: View, seen: readonly ArrayLike<number>[], width: number, height: number): Camera {
  const boxes = seen.map(boundsOf);
  const low = [0, 1, 2].map((c) => Math.min(...boxes.map(({ min }) => min[c])));
  const high = [0, 1, 2].map((c) => Math.max(...boxes.map(({ max }) => max[c])));
  const centre = vectorOf((c) => (low[c] + high[c]) / 2);
  const radius = Math.hypot(...high.map((h, c) => h - low[c])) / 2 || 1;
  const distance = EYE * radius;

  /** Picture plane through the centre, before it is scaled to pixels. */
  const onPlane = (out: Float64Array, positions: ArrayLike<number>, i: number): void => {
    const p: Vector = [
      positions[3 * i] - centre[0],
      positions[3 * i + 1] - centre[1],
      positions[3 * i + 2] - centre[2],
    ];
    const nearness = distance / (distance - dot3(p, view.towards));
    out[0] = nearness * dot3(p, view.right);
    out[1] = nearness * dot3(p, view.up);
    out[2] = nearness;
  };
  const q = new Float64Array(3);
  let [left, right, bottom, top] = [Infinity, -Infinity, Infinity, -Infinity];
  for (const positions of seen) {
    for (let i = 0; 3 * i < positions.length; i++) {
      onPlane(q, positions, i);
      left = Math.min(left, q[0]);
      right = Math.max(right, q[0]);
      bottom = Math.min(bottom, q[1]);
      top = Math.max(top, q[1]);
    }
  }
  const room = 1 - 2 * MARGIN;
  const scale = Math.min((room * width) / (right - left || radius), (room * height) / (top - bottom || radius));
  return {
    width,
    height,
    view,
    project(out, positions, i) {
      onPlane(out, positions, i);
      out[0] = width / 2 + scale * (out[0] - (left + right) / 2);
      out[1] = height / 2 - scale * (out[1] - (bottom + top) / 2);
    },
  };
}
