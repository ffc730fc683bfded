import { polar3 } from '../math/svd3.ts';
import { type Mesh, triangleCount, vertexCount } from '../model/mesh.ts';
import type { RunOptions } from '../model/options.ts';
import { checkpoint } from '../model/run.ts';
import type { MeshSequence } from '../model/sequence.ts';

/**
 * How much each facet deforms, document 000 §2.3.2 and §3.4.4. A triangle and its fourth vertex (2.62) span a frame
 * E = [v₂−v₁, v₃−v₁, v₄−v₁]; the deformation gradient is C = E_pose·E_rest⁻¹ (the print has it pose → rest) and splits into
 * rotation and stretch, C = R·S (2.65). Averages are over the frames, each against the rest pose (3.21).
 *
 * Departures: the scale is ‖diag(S) − I‖, which is 0 without deformation, where the printed ‖diag(S)‖ is √3. As printed,
 * scale and shear are the parts of S in the coordinate axes: turning the rest pose moves stretch from one to the other.
 * A facet without area in the rest pose has no gradient: its figures are 0.
 */
export interface FacetDeformation {
  /** F: angle of R, radians (3.18). */
  rotation: Float32Array;
  /** F: ‖diag(S) − I‖ (3.19). */
  scale: Float32Array;
  /** F: ‖S − diag(S)‖ (3.19). */
  shear: Float32Array;
  /** F: their sum (3.20). */
  total: Float32Array;
  /** F: angle between the normals of rest and pose, radians (2.59). */
  dihedral: Float32Array;
  /** F: |area in the pose / area at rest − 1| (2.58). */
  area: Float32Array;
}

/** What every frame is compared with; computed once. */
export interface FacetFrames {
  triangles: Uint32Array;
  /** 9F, row-major: E_rest⁻¹, zero for facets without area. */
  inverse: Float64Array;
  /** 3F: unit normals, zero for facets without area. */
  normals: Float64Array;
  /** F. */
  areas: Float64Array;
}

/** Twice the area over the longest edge squared, below which positions in single precision say nothing about the plane. */
const FLAT = 1e-6;

export function facetFrames(rest: Mesh): FacetFrames {
  const count = triangleCount(rest);
  const inverse = new Float64Array(9 * count);
  const normals = new Float64Array(3 * count);
  const areas = new Float64Array(count);
  for (let f = 0; f < count; f++) {
    const doubleArea = span(rest.positions, rest.triangles, f);
    areas[f] = doubleArea / 2;
    const longest2 = Math.max(e[0] ** 2 + e[3] ** 2 + e[6] ** 2, e[1] ** 2 + e[4] ** 2 + e[7] ** 2, opposite2());
    if (!(doubleArea > FLAT * longest2)) continue;
    // With n the unit normal and E = [a b √(2A)·n] the rows of E⁻¹ are b×n/2A, n×a/2A and n/√(2A).
    const root = Math.sqrt(doubleArea);
    const n = [e[2] / root, e[5] / root, e[8] / root];
    normals.set(n, 3 * f);
    for (let c = 0; c < 3; c++) {
      const [p, q] = [(c + 1) % 3, (c + 2) % 3];
      inverse[9 * f + c] = (e[3 * p + 1] * n[q] - e[3 * q + 1] * n[p]) / doubleArea;
      inverse[9 * f + 3 + c] = (n[p] * e[3 * q] - n[q] * e[3 * p]) / doubleArea;
      inverse[9 * f + 6 + c] = n[c] / root;
    }
  }
  return { triangles: rest.triangles, inverse, normals, areas };
}

/** out (9F, row-major per facet) = the deformation gradients of one pose (3N positions). */
export function deformationGradients(frames: FacetFrames, positions: ArrayLike<number>, out: Float64Array): void {
  for (let f = 0; f < frames.areas.length; f++) {
    span(positions, frames.triangles, f);
    timesInverse(out, 9 * f, frames.inverse, 9 * f);
  }
}

export function emptyFacetDeformation(facetCount: number): FacetDeformation {
  const zeros = () => new Float32Array(facetCount);
  return { rotation: zeros(), scale: zeros(), shear: zeros(), total: zeros(), dihedral: zeros(), area: zeros() };
}

/** The deformation of one pose (3N positions) against the rest pose, into `out` when given. */
export function deformationOfPose(
  frames: FacetFrames,
  positions: ArrayLike<number>,
  out: FacetDeformation = emptyFacetDeformation(frames.areas.length),
): FacetDeformation {
  for (let f = 0; f < frames.areas.length; f++) {
    const doubleArea = span(positions, frames.triangles, f);
    const n = 3 * f;
    const flat = frames.normals[n] === 0 && frames.normals[n + 1] === 0 && frames.normals[n + 2] === 0;
    if (flat) {
      for (const part of Object.values(out)) part[f] = 0;
      continue;
    }
    // v₄ − v₁ is the normal times √(2A); a facet that the pose collapses to a line has none.
    const { normals } = frames;
    const sine = length3(
      normals[n + 1] * e[8] - normals[n + 2] * e[5],
      normals[n + 2] * e[2] - normals[n] * e[8],
      normals[n] * e[5] - normals[n + 1] * e[2],
    );
    out.dihedral[f] = Math.atan2(sine, normals[n] * e[2] + normals[n + 1] * e[5] + normals[n + 2] * e[8]);
    out.area[f] = Math.abs(doubleArea / 2 / frames.areas[f] - 1);

    timesInverse(gradient, 0, frames.inverse, 9 * f);
    polar3(r, s, gradient);
    out.rotation[f] = rotationAngle(r);
    out.scale[f] = length3(s[0] - 1, s[4] - 1, s[8] - 1);
    out.shear[f] = Math.SQRT2 * length3(s[1], s[2], s[5]);
    out.total[f] = out.rotation[f] + out.scale[f] + out.shear[f];
  }
  return out;
}

/** Averages over the given frames, which are read once each. Memory is bounded by the mesh. */
export async function analyseDeformation(
  sequence: MeshSequence,
  frames: readonly number[],
  run: RunOptions = {},
): Promise<FacetDeformation> {
  const facets = facetFrames(sequence.rest);
  const count = facets.areas.length;
  const pose = emptyFacetDeformation(count);
  const parts = Object.keys(pose) as (keyof FacetDeformation)[];
  const sums = parts.map(() => new Float64Array(count));
  const positions = new Float32Array(3 * vertexCount(sequence.rest));
  for (let k = 0; k < frames.length; k++) {
    await checkpoint(run, 'analyseDeformation', k, frames.length, 'deformation');
    deformationOfPose(facets, await sequence.readFrame(frames[k], positions), pose);
    parts.forEach((part, p) => {
      const [from, to] = [pose[part], sums[p]];
      for (let f = 0; f < count; f++) to[f] += from[f];
    });
  }
  const averages = emptyFacetDeformation(count);
  parts.forEach((part, p) => {
    for (let f = 0; f < count && frames.length > 0; f++) averages[part][f] = sums[p][f] / frames.length;
  });
  return averages;
}

/** Angle of a rotation (9 numbers, row-major), 0…π: (3.18) without looking for the axis. */
export function rotationAngle(m: Float64Array): number {
  const sine = length3(m[7] - m[5], m[2] - m[6], m[3] - m[1]);
  return Math.atan2(sine, m[0] + m[4] + m[8] - 1);
}

/** Math.hypot is many times slower, for the sake of extremes that do not occur here. */
const length3 = (x: number, y: number, z: number): number => Math.sqrt(x * x + y * y + z * z);

/** E of the facet at hand: columns v₂−v₁, v₃−v₁, v₄−v₁, row-major. Module state: one facet at a time, no allocation. */
const e = new Float64Array(9);
const gradient = new Float64Array(9);
const r = new Float64Array(9);
const s = new Float64Array(9);

/** Fills `e` for facet f and returns twice its area. */
function span(x: ArrayLike<number>, triangles: Uint32Array, f: number): number {
  const a = 3 * triangles[3 * f];
  const b = 3 * triangles[3 * f + 1];
  const c = 3 * triangles[3 * f + 2];
  for (let d = 0; d < 3; d++) {
    e[3 * d] = x[b + d] - x[a + d];
    e[3 * d + 1] = x[c + d] - x[a + d];
  }
  const nx = e[3] * e[7] - e[6] * e[4];
  const ny = e[6] * e[1] - e[0] * e[7];
  const nz = e[0] * e[4] - e[3] * e[1];
  const doubleArea = Math.sqrt(nx * nx + ny * ny + nz * nz);
  // (2.62): n/√|n|.
  const root = doubleArea > 0 ? 1 / Math.sqrt(doubleArea) : 0;
  e[2] = nx * root;
  e[5] = ny * root;
  e[8] = nz * root;
  return doubleArea;
}

/** Squared length of the edge opposite the first corner. */
const opposite2 = (): number => (e[1] - e[0]) ** 2 + (e[4] - e[3]) ** 2 + (e[7] - e[6]) ** 2;

/** out = E·inverse. */
function timesInverse(out: Float64Array, o: number, inverse: Float64Array, i: number): void {
  for (let row = 0; row < 9; row += 3) {
    for (let col = 0; col < 3; col++) {
      out[o + row + col] =
        e[row] * inverse[i + col] + e[row + 1] * inverse[i + 3 + col] + e[row + 2] * inverse[i + 6 + col];
    }
  }
}
