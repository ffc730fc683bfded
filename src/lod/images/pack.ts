import { boundsOf } from '../../mesh/bounds.ts';
import { type ImageLevel, stepsOf, texelOf, tileLayout } from '../../model/geometry-images.ts';
import { samplesPerPatch } from './base-complex.ts';

/** What a level of patches is made of before it becomes images. S samples counted once, P × samples per patch T. */
export interface PatchLevel {
  /** P·T: sample of a patch → one of S. */
  of: Uint32Array;
  /** 3S. */
  positions: ArrayLike<number>;
  /** 3·P·T: unit normals as each patch sees them. */
  normals: ArrayLike<number>;
  /** 2·P·T, as each patch sees them; v up. */
  uvs?: ArrayLike<number>;
  /** 4S. */
  joints?: ArrayLike<number>;
  weights?: ArrayLike<number>;
}

/** How stored numbers become coordinates: one step for all axes, in numbers that single precision holds. */
export function quantisation(levels: readonly Pick<PatchLevel, 'positions' | 'uvs'>[]): {
  origin: [number, number, number];
  step: number;
  uvs?: { origin: [number, number]; step: [number, number] };
} {
  const min = [Infinity, Infinity, Infinity];
  const max = [-Infinity, -Infinity, -Infinity];
  for (const { positions } of levels) {
    const bounds = boundsOf(positions);
    for (let d = 0; d < 3; d++) {
      min[d] = Math.min(min[d], bounds.min[d]);
      max[d] = Math.max(max[d], bounds.max[d]);
    }
  }
  const size = Math.max(max[0] - min[0], max[1] - min[1], max[2] - min[2]);
  const out = {
    origin: min.map(Math.fround) as [number, number, number],
    step: Math.fround(size / (LARGEST - 1)) || 1,
  };
  if (!levels[0].uvs) return out;
  const low = [Infinity, Infinity];
  const high = [-Infinity, -Infinity];
  for (const { uvs } of levels) {
    for (let c = 0; c < uvs!.length; c++) {
      low[c % 2] = Math.min(low[c % 2], uvs![c]);
      high[c % 2] = Math.max(high[c % 2], uvs![c]);
    }
  }
  const step = [0, 1].map((c) => Math.fround((high[c] - low[c]) / (LARGEST - 1)) || 1);
  return { ...out, uvs: { origin: low.map(Math.fround) as [number, number], step: step as [number, number] } };
}

const LARGEST = 65535;

/** The images of a level. Patches must be in the order of `GeometryImages`, and only those that the level has. */
export function packLevel(level: number, data: PatchLevel, scale: ReturnType<typeof quantisation>): ImageLevel {
  const n = stepsOf(level);
  const per = samplesPerPatch(level);
  const patches = data.of.length / per;
  const layout = tileLayout(level, patches);
  const texels = layout.width * layout.height;
  const out: ImageLevel = {
    ...layout,
    positions: new Uint16Array(3 * texels),
    normals: new Uint16Array(2 * texels),
    ...(data.uvs && { uvs: new Uint16Array(2 * texels) }),
    ...(data.joints && { joints: new Uint16Array(4 * texels), weights: new Uint16Array(4 * texels) }),
  };
  const whole = new Uint16Array(4);
  for (let p = 0, at = 0; p < patches; p++) {
    for (let j = 0; j <= n; j++) {
      for (let i = 0; i <= n - j; i++, at++) {
        const t = texelOf(out, level, p, i, j);
        const s = data.of[at];
        for (let d = 0; d < 3; d++) {
          out.positions[3 * t + d] = quantised(data.positions[3 * s + d], scale.origin[d], scale.step);
        }
        octahedral(out.normals, 2 * t, data.normals[3 * at], data.normals[3 * at + 1], data.normals[3 * at + 2]);
        for (let d = 0; data.uvs && d < 2; d++) {
          out.uvs![2 * t + d] = quantised(data.uvs[2 * at + d], scale.uvs!.origin[d], scale.uvs!.step[d]);
        }
        if (!data.joints) continue;
        wholeWeights(whole, data.weights!, 4 * s);
        for (let c = 0; c < 4; c++) {
          out.weights![4 * t + c] = whole[c];
          // What has no weight is joint 0, so that equal vertices have equal bytes.
          out.joints![4 * t + c] = whole[c] > 0 ? data.joints[4 * s + c] : 0;
        }
      }
    }
  }
  return out;
}

const quantised = (x: number, origin: number, step: number): number =>
  Math.max(0, Math.min(LARGEST, Math.round((x - origin) / step)));

/** Four weights as whole numbers of 65535 in sum: what rounding leaves goes to the largest. */
function wholeWeights(out: Uint16Array, weights: ArrayLike<number>, o: number): void {
  let sum = 0;
  for (let c = 0; c < 4; c++) sum += weights[o + c];
  let left = LARGEST;
  let largest = 0;
  for (let c = 0; c < 4; c++) {
    out[c] = sum > 0 ? Math.floor((LARGEST * weights[o + c]) / sum) : 0;
    left -= out[c];
    if (out[c] > out[largest]) largest = c;
  }
  out[largest] += left;
}

/** A unit vector as two numbers 0 … 65535 on an unfolded octahedron (Cigolle et al. 2014). */
function octahedral(out: Uint16Array, o: number, x: number, y: number, z: number): void {
  const sum = Math.abs(x) + Math.abs(y) + Math.abs(z) || 1;
  let u = x / sum;
  let v = y / sum;
  if (z < 0) [u, v] = [(1 - Math.abs(v)) * (u < 0 ? -1 : 1), (1 - Math.abs(u)) * (v < 0 ? -1 : 1)];
  out[o] = Math.round((u * 0.5 + 0.5) * LARGEST);
  out[o + 1] = Math.round((v * 0.5 + 0.5) * LARGEST);
}

/** The way back, into `out` at `o`. */
export function fromOctahedral(out: Float32Array, o: number, a: number, b: number): void {
  const u = (2 * a) / LARGEST - 1;
  const v = (2 * b) / LARGEST - 1;
  const z = 1 - Math.abs(u) - Math.abs(v);
  const fold = Math.max(-z, 0);
  const x = u + (u >= 0 ? -fold : fold);
  const y = v + (v >= 0 ? -fold : fold);
  const length = Math.sqrt(x * x + y * y + z * z);
  out[o] = x / length;
  out[o + 1] = y / length;
  out[o + 2] = z / length;
}
