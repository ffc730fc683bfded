import { stepsOf } from '../../model/geometry-images.ts';
import { canonicalInfluences } from '../../model/influences.ts';
import type { SkinWeights } from '../../model/skinned-model.ts';
import { MOST_INFLUENCES } from '../pose.ts';
import type { FacePoint } from '../records.ts';
import { gridTriangles, sampleNumbers, samplesPerPatch, sideOf } from './base-complex.ts';
import type { Patches } from './patches.ts';

/** A level of all patches as a mesh of S vertices, before it is fitted. T samples per patch. */
export interface SampledLevel {
  level: number;
  /** P·T: sample of a patch → vertex. */
  of: Uint32Array;
  /** 3·P·4^level: the triangles, patch by patch. */
  triangles: Uint32Array;
  /** S each: the face of the surface that a vertex was sampled from, and the weights of its first two corners. */
  face: Uint32Array;
  u: Float64Array;
  v: Float64Array;
  /** 3S, at rest. */
  positions: Float64Array;
  /** Of a surface with a skin: four influences. */
  weights?: SkinWeights;
}

/** Grids on all patches, carried to the surface. */
export function samplePatches(patches: Patches, level: number): SampledLevel {
  const { surface, base, level: faces, records } = patches;
  const count = faces.faces.length;
  const n = stepsOf(level);
  const { count: vertices, of } = sampleNumbers(base, level);
  const out: SampledLevel = {
    level,
    of,
    triangles: patchTriangles(of, level, count),
    face: new Uint32Array(vertices),
    u: new Float64Array(vertices),
    v: new Float64Array(vertices),
    positions: new Float64Array(3 * vertices),
  };
  const done = new Uint8Array(vertices);
  const at: FacePoint = { face: 0, u: 0, v: 0, w: 0 };
  const { triangles, positions } = surface.mesh;
  for (let p = 0, q = 0; p < count; p++) {
    for (let j = 0; j <= n; j++) {
      for (let i = 0; i <= n - j; i++, q++) {
        const s = of[q];
        if (done[s]) continue;
        done[s] = 1;
        records.carry(faces.last, faces.faces[p], (n - i - j) / n, i / n, j / n, at);
        out.face[s] = at.face;
        out.u[s] = at.u;
        out.v[s] = at.v;
        for (let d = 0; d < 3; d++) {
          let x = 0;
          for (let c = 0; c < 3; c++) {
            const weight = c === 0 ? at.u : c === 1 ? at.v : 1 - at.u - at.v;
            x += weight * positions[3 * triangles[3 * at.face + c] + d];
          }
          out.positions[3 * s + d] = x;
        }
      }
    }
  }
  // Corners are vertices of the surface, and stay so to the bit.
  for (let p = 0; p < base.vertexCount; p++) {
    for (let d = 0; d < 3; d++) out.positions[3 * p + d] = positions[3 * faces.vertexOf[p] + d];
  }
  if (surface.skin) out.weights = sampledWeights(surface.skin.weights, triangles, out);
  return out;
}

/** The triangles of a level in the numbers of its vertices. */
function patchTriangles(of: Uint32Array, level: number, patches: number): Uint32Array {
  const grid = gridTriangles(level);
  const per = samplesPerPatch(level);
  const out = new Uint32Array(grid.length * patches);
  for (let p = 0; p < patches; p++) {
    for (let c = 0; c < grid.length; c++) out[p * grid.length + c] = of[p * per + grid[c]];
  }
  return out;
}

/** Weights between those of a face's corners, the four largest. */
function sampledWeights(
  skin: SkinWeights,
  triangles: Uint32Array,
  { face, u, v }: Pick<SampledLevel, 'face' | 'u' | 'v'>,
): SkinWeights {
  const k = skin.influences;
  const out: SkinWeights = {
    influences: MOST_INFLUENCES,
    joints: new Uint16Array(MOST_INFLUENCES * face.length),
    weights: new Float32Array(MOST_INFLUENCES * face.length),
  };
  const joints = new Uint16Array(3 * k);
  const weights = new Float64Array(3 * k);
  for (let s = 0; s < face.length; s++) {
    let count = 0;
    for (let c = 0; c < 3; c++) {
      const share = c === 0 ? u[s] : c === 1 ? v[s] : 1 - u[s] - v[s];
      const i = triangles[3 * face[s] + c];
      for (let q = k * i; q < k * (i + 1); q++) {
        joints[count] = skin.joints[q];
        weights[count++] = Math.max(0, share * skin.weights[q]);
      }
    }
    const used = Math.min(canonicalInfluences(joints, weights, count), MOST_INFLUENCES);
    let sum = 0;
    for (let q = 0; q < used; q++) sum += weights[q];
    for (let q = 0; q < used; q++) {
      out.joints[MOST_INFLUENCES * s + q] = joints[q];
      out.weights[MOST_INFLUENCES * s + q] = weights[q] / sum;
    }
  }
  return out;
}

/** Values on sides are taken this far inside the patch: on the line itself they would be of either side of it. */
const INWARDS = 1e-3;

/** Values of split vertices (`size` each) as every patch sees them, size·P·T. */
export function sampleValues(patches: Patches, level: number, values: ArrayLike<number>, size: number): Float32Array {
  const { surface, level: faces, records } = patches;
  const corners = surface.mesh.seams?.triangles ?? surface.mesh.triangles;
  const n = stepsOf(level);
  const per = samplesPerPatch(level);
  const out = new Float32Array(size * per * faces.faces.length);
  const at: FacePoint = { face: 0, u: 0, v: 0, w: 0 };
  for (let p = 0, q = 0; p < faces.faces.length; p++) {
    for (let j = 0; j <= n; j++) {
      for (let i = 0; i <= n - j; i++, q++) {
        const side = sideOf(n, i, j);
        if (side >= 3) {
          // A corner has the values of its wedge.
          const split = faces.splitOf[faces.corners[3 * p + side - 3]];
          for (let d = 0; d < size; d++) out[size * q + d] = values[size * split + d];
          continue;
        }
        const inwards = side < 0 ? 0 : INWARDS;
        const weight = (b: number): number => (1 - inwards) * b + inwards / 3;
        records.carry(faces.last, faces.faces[p], weight((n - i - j) / n), weight(i / n), weight(j / n), at);
        for (let d = 0; d < size; d++) {
          const [a, b, c] = [corners[3 * at.face], corners[3 * at.face + 1], corners[3 * at.face + 2]];
          out[size * q + d] =
            at.u * values[size * a + d] + at.v * values[size * b + d] + (1 - at.u - at.v) * values[size * c + d];
        }
      }
    }
  }
  return out;
}
