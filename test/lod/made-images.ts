import { baseComplex, gridIndex, sampleNumbers, samplesPerPatch } from '../../src/lod/images/base-complex.ts';
import { type PatchLevel, packLevel, quantisation } from '../../src/lod/images/pack.ts';
import { seededRandom } from '../../src/math/rng.ts';
import { type GeometryImages, patchesOfLevel, stepsOf } from '../../src/model/geometry-images.ts';
import type { Mesh } from '../../src/model/mesh.ts';

/**
 * Images over the triangles of a mesh whose patches bulge; every level is moved by some noise, as fitted levels are. Skinned
 * by three bones at random. `depths` fall from patch to patch when `levels` is a list.
 */
export function madeImages(
  mesh: Mesh,
  levels: number,
  { skin = false, uvs = false, noise = 0.02, seed = 1 } = {},
): GeometryImages {
  const random = seededRandom(seed);
  const corners = mesh.triangles.slice();
  const base = baseComplex(corners);
  const patches = corners.length / 3;
  const depths = Uint8Array.from({ length: patches }, (_, p) => levels - 1 - Math.floor((p * levels) / (2 * patches)));
  const data = Array.from({ length: levels }, (_, level): PatchLevel => {
    const n = stepsOf(level);
    const per = samplesPerPatch(level);
    const count = patchesOfLevel({ depths }, level);
    const numbers = sampleNumbers(base, level, count);
    const positions = new Float32Array(3 * numbers.count);
    const normals = new Float32Array(3 * count * per);
    for (let p = 0; p < count; p++) {
      for (let j = 0; j <= n; j++) {
        for (let i = 0; i <= n - j; i++) {
          const at = p * per + gridIndex(n, i, j);
          for (let d = 0; d < 3; d++) {
            const x = [n - i - j, i, j].reduce(
              (sum, b, c) => sum + (b / n) * mesh.positions[3 * corners[3 * p + c] + d],
              0,
            );
            positions[3 * numbers.of[at] + d] = x;
            normals[3 * at + d] = x;
          }
          const length = Math.hypot(...normals.subarray(3 * at, 3 * at + 3)) || 1;
          for (let d = 0; d < 3; d++) normals[3 * at + d] /= length;
        }
      }
    }
    for (let c = 0; c < positions.length; c++) positions[c] += noise * (random() - 0.5);
    const out: PatchLevel = { of: numbers.of, positions, normals };
    if (uvs) out.uvs = Float32Array.from({ length: 2 * count * per }, () => 3 * random() - 1);
    if (skin) {
      out.joints = Uint16Array.from({ length: 4 * numbers.count }, (_, c) => (c % 4 === 3 ? 0 : c % 4));
      const weights = Float32Array.from({ length: 4 * numbers.count }, (_, c) => (c % 4 === 3 ? 0 : random()));
      for (let s = 0; s < weights.length; s += 4) {
        const sum = weights[s] + weights[s + 1] + weights[s + 2];
        for (let c = 0; c < 3; c++) weights[s + c] /= sum;
      }
      out.weights = weights;
    }
    return out;
  });
  const scale = quantisation(data);
  return {
    corners,
    depths,
    levels: data.map((level, d) => packLevel(d, level, scale)),
    ...scale,
    errors: Float32Array.from({ length: patches * levels }, (_, q) => 2 ** -(q % levels)),
    boxes: {
      points: Float32Array.from({ length: 12 * patches }, () => random()),
      ...(skin && {
        joints: new Uint16Array(16 * patches),
        weights: Float32Array.from({ length: 16 * patches }, (_, c) => (c % 4 === 0 ? 1 : 0)),
      }),
    },
  };
}
