import { polar3 } from '../math/svd3.ts';
import { type Mesh, triangleCount, vertexCount } from '../model/mesh.ts';
import type { RunOptions } from '../model/options.ts';
import { checkpoint } from '../model/run.ts';
import type { MeshSequence } from '../model/sequence.ts';

/**
 * How much each facet deforms, Antonopoulos 2010, §2.3.2 and §3.4.4. A triangle and its fourth vertex (2.62) span a
 * frame E = [v₂−v₁, v₃−v₁, v₄−v₁]; the deformation gradient is C = E_pose·E_rest⁻¹ (the print has it pose → rest) and
 * splits into rotation and stretch, C = R·S (2.65). Averages are over the frames, each against the rest pose (3.21).
 *
 * Departures: the scale is ‖diag(S) − I‖, which is 0 without deformation, where the printed ‖diag(S)‖ is √3. As printed,
 * scale and shear are the parts of S in the coordinate axes: turning the rest pose moves stretch from one to the other.
 * A facet without area in the rest pose has no gradient: its figures are 0.
 *
 * C maps the plane of the facet to that of the pose, and its normal to the normal there: in a basis of both planes it is a
 * 2 × 2 block and a number, and the polar decomposition of the block is known in closed form. That is two to
 * three times as fast as polar decompositions of 3 × 3 matrices, with the same result.
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
  /** 3F: unit vectors along the first edge a. */
  tangents: Float64Array;
  /** 3F: 1/|a|, and of the second edge b the part along a, and 1 over the part across. */
  edges: Float64Array;
}

/** Twice the area over the longest edge squared, below which positions in single precision say nothing about the plane. */
const FLAT = 1e-6;

/** The frames of a rest mesh's facets. */
export function facetFrames(rest: Mesh): FacetFrames {
  const count = triangleCount(rest);
  const inverse = new Float64Array(9 * count);
  const normals = new Float64Array(3 * count);
  const areas = new Float64Array(count);
  const tangents = new Float64Array(3 * count);
  const edges = new Float64Array(3 * count);
  for (let f = 0; f < count; f++) {
    const doubleArea = span(rest.positions, rest.triangles, f);
    areas[f] = doubleArea / 2;
    const longest2 = Math.max(e[0] ** 2 + e[3] ** 2 + e[6] ** 2, e[1] ** 2 + e[4] ** 2 + e[7] ** 2, opposite2());
    if (!(doubleArea > FLAT * longest2)) continue;
    // With n the unit normal and E = [a b √(2A)·n] the rows of E⁻¹ are b×n/2A, n×a/2A and n/√(2A).
    const root = Math.sqrt(doubleArea);
    const n = [e[2] / root, e[5] / root, e[8] / root];
    normals.set(n, 3 * f);
    const first = length3(e[0], e[3], e[6]);
    for (let c = 0; c < 3; c++) tangents[3 * f + c] = e[3 * c] / first;
    edges[3 * f] = 1 / first;
    edges[3 * f + 1] = (e[0] * e[1] + e[3] * e[4] + e[6] * e[7]) / first;
    edges[3 * f + 2] = first / doubleArea;
    for (let c = 0; c < 3; c++) {
      const [p, q] = [(c + 1) % 3, (c + 2) % 3];
      inverse[9 * f + c] = (e[3 * p + 1] * n[q] - e[3 * q + 1] * n[p]) / doubleArea;
      inverse[9 * f + 3 + c] = (n[p] * e[3 * q] - n[q] * e[3 * p]) / doubleArea;
      inverse[9 * f + 6 + c] = n[c] / root;
    }
  }
  return { triangles: rest.triangles, inverse, normals, areas, tangents, edges };
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

    if (doubleArea > 0) decompose(out, f, frames, doubleArea);
    else {
      // No normal to go by: the closest of many rotations.
      timesInverse(gradient, 0, frames.inverse, 9 * f);
      polar3(r, s, gradient);
      out.rotation[f] = rotationAngle(r);
      out.scale[f] = length3(s[0] - 1, s[4] - 1, s[8] - 1);
      out.shear[f] = Math.SQRT2 * length3(s[1], s[2], s[5]);
    }
    out.total[f] = out.rotation[f] + out.scale[f] + out.shear[f];
  }
  return out;
}

/**
 * Rotation, scale and shear of the facet in `e`. With t₁ along a, n the normal, t₂ = n×t₁, and q₁, q₂, m the same in the
 * pose, C = [q₁ q₂ m]·diag(M, λ)·[t₁ t₂ n]ᵀ where M is upper triangular and λ = √(area of pose / area of rest).
 */
function decompose(out: FacetDeformation, f: number, frames: FacetFrames, doubleArea: number): void {
  const { tangents, normals, edges } = frames;
  const o = 3 * f;
  const first = length3(e[0], e[3], e[6]);
  const root = 1 / Math.sqrt(doubleArea);
  const m11 = first * edges[o];
  const m12 = ((e[0] * e[1] + e[3] * e[4] + e[6] * e[7]) / first - m11 * edges[o + 1]) * edges[o + 2];
  const m22 = (doubleArea / first) * edges[o + 2];
  // M = [cos −sin; sin cos]·[s11 s12; s12 s22].
  const size = Math.sqrt((m11 + m22) * (m11 + m22) + m12 * m12);
  const cos = (m11 + m22) / size;
  const sin = -m12 / size;
  const s11 = cos * m11;
  const s12 = -sin * m11;
  const s22 = cos * m22 - sin * m12;
  const s33 = Math.sqrt(doubleArea / 2 / frames.areas[f]);

  const t0 = tangents[o];
  const t1 = tangents[o + 1];
  const t2 = tangents[o + 2];
  const n0 = normals[o];
  const n1 = normals[o + 1];
  const n2 = normals[o + 2];
  const w0 = n1 * t2 - n2 * t1;
  const w1 = n2 * t0 - n0 * t2;
  const w2 = n0 * t1 - n1 * t0;
  const q0 = e[0] / first;
  const q1 = e[3] / first;
  const q2 = e[6] / first;
  const m0 = e[2] * root;
  const m1 = e[5] * root;
  const m2 = e[8] * root;
  // Where R takes t₁ and t₂; it takes n to m.
  const u0 = cos * q0 + sin * (m1 * q2 - m2 * q1);
  const u1 = cos * q1 + sin * (m2 * q0 - m0 * q2);
  const u2 = cos * q2 + sin * (m0 * q1 - m1 * q0);
  const v0 = m1 * u2 - m2 * u1;
  const v1 = m2 * u0 - m0 * u2;
  const v2 = m0 * u1 - m1 * u0;
  const trace = t0 * u0 + t1 * u1 + t2 * u2 + w0 * v0 + w1 * v1 + w2 * v2 + n0 * m0 + n1 * m1 + n2 * m2;
  const sine = length3(
    t1 * u2 - t2 * u1 + w1 * v2 - w2 * v1 + n1 * m2 - n2 * m1,
    t2 * u0 - t0 * u2 + w2 * v0 - w0 * v2 + n2 * m0 - n0 * m2,
    t0 * u1 - t1 * u0 + w0 * v1 - w1 * v0 + n0 * m1 - n1 * m0,
  );
  out.rotation[f] = Math.atan2(sine, trace - 1);
  // S = s₁₁·t₁t₁ᵀ + s₁₂·(t₁t₂ᵀ + t₂t₁ᵀ) + s₂₂·t₂t₂ᵀ + λ·nnᵀ.
  out.scale[f] = length3(
    s11 * t0 * t0 + 2 * s12 * t0 * w0 + s22 * w0 * w0 + s33 * n0 * n0 - 1,
    s11 * t1 * t1 + 2 * s12 * t1 * w1 + s22 * w1 * w1 + s33 * n1 * n1 - 1,
    s11 * t2 * t2 + 2 * s12 * t2 * w2 + s22 * w2 * w2 + s33 * n2 * n2 - 1,
  );
  out.shear[f] =
    Math.SQRT2 *
    length3(
      s11 * t0 * t1 + s12 * (t0 * w1 + w0 * t1) + s22 * w0 * w1 + s33 * n0 * n1,
      s11 * t0 * t2 + s12 * (t0 * w2 + w0 * t2) + s22 * w0 * w2 + s33 * n0 * n2,
      s11 * t1 * t2 + s12 * (t1 * w2 + w1 * t2) + s22 * w1 * w2 + s33 * n1 * n2,
    );
}

/** Averages over all frames, which are read once each. Memory is bounded by the mesh. */
export async function analyseDeformation(sequence: MeshSequence, run: RunOptions = {}): Promise<FacetDeformation> {
  const { frameCount } = sequence;
  const facets = facetFrames(sequence.rest);
  const count = facets.areas.length;
  const pose = emptyFacetDeformation(count);
  const parts = Object.keys(pose) as (keyof FacetDeformation)[];
  const sums = parts.map(() => new Float64Array(count));
  const positions = new Float32Array(3 * vertexCount(sequence.rest));
  for (let k = 0; k < frameCount; k++) {
    await checkpoint(run, 'analyseDeformation', k, frameCount, 'deformation');
    deformationOfPose(facets, await sequence.readFrame(k, positions), pose);
    parts.forEach((part, p) => {
      const [from, to] = [pose[part], sums[p]];
      for (let f = 0; f < count; f++) to[f] += from[f];
    });
  }
  const averages = emptyFacetDeformation(count);
  parts.forEach((part, p) => {
    for (let f = 0; f < count && frameCount > 0; f++) averages[part][f] = sums[p][f] / frameCount;
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
