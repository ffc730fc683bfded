import { SparseCholesky } from '../../math/sparse-cholesky.ts';
import type { SparseMatrix } from '../../math/sparse-matrix.ts';
import { cotangentLaplacian } from '../../mesh/laplacian.ts';
import { faceArea } from '../../mesh/triangle.ts';
import type { Mesh } from '../../model/mesh.ts';

/** A face whose height is below this share of its longest side is too thin to say by how much its area changes. */
const THIN = 1e-4;

/**
 * What all energies of a mesh share, whatever the poses and weights: its Laplacian, where the blocks of its faces go in a
 * matrix of that pattern, room for such a matrix and for its factor. These are the largest arrays of a mix.
 */
export class MixSurface {
  readonly mesh: Mesh;
  /** F: areas at rest, 0 for faces that are too thin. */
  readonly areas: Float64Array;
  /** K: the cotangent stiffness. */
  readonly stiffness: SparseMatrix;
  /** N: M, the lumped mass. A vertex without faces has a little: nothing but the prior says what its mix is. */
  readonly mass: Float64Array;
  /** 9 per face with an area: where its 3 × 3 block goes in the values of a matrix of K's pattern, row-major. */
  readonly slots: Uint32Array;
  /** Of K's pattern, for whichever energy is being solved. */
  readonly values: Float64Array;
  #factor?: SparseCholesky;

  constructor(mesh: Mesh) {
    this.mesh = mesh;
    this.areas = restAreas(mesh);
    const { stiffness, mass } = cotangentLaplacian(mesh.positions, mesh.triangles);
    const least = 1e-6 * (mass.reduce((sum, x) => sum + x, 0) / mass.length || 1);
    this.stiffness = stiffness;
    this.mass = mass.map((x) => Math.max(x, least));
    this.slots = blockSlots(stiffness, mesh.triangles, this.areas);
    this.values = new Float64Array(stiffness.values.length);
  }

  /** For matrices of K's pattern, which is analysed once. */
  get factor(): SparseCholesky {
    this.#factor ??= new SparseCholesky(this.stiffness);
    return this.#factor;
  }
}

/** F: the areas at rest, 0 for faces that are too thin. */
export function restAreas({ positions: p, triangles }: Mesh): Float64Array {
  const out = new Float64Array(triangles.length / 3);
  const side = (a: number, b: number): number =>
    Math.hypot(p[3 * b] - p[3 * a], p[3 * b + 1] - p[3 * a + 1], p[3 * b + 2] - p[3 * a + 2]);
  for (let f = 0; f < out.length; f++) {
    const [a, b, c] = triangles.subarray(3 * f, 3 * f + 3);
    const longest = Math.max(side(a, b), side(b, c), side(c, a));
    const area = faceArea(p, triangles, 3 * f);
    if (2 * area > THIN * longest * longest) out[f] = area;
  }
  return out;
}

function blockSlots({ offsets, columns }: SparseMatrix, triangles: Uint32Array, areas: Float64Array): Uint32Array {
  const slots = new Uint32Array(9 * areas.length);
  for (let f = 0, used = 0; f < areas.length; f++, used = 9 * f) {
    if (areas[f] === 0) continue;
    for (let row = 3 * f; row < 3 * f + 3; row++) {
      for (let column = 3 * f; column < 3 * f + 3; column++) {
        slots[used++] = columns.indexOf(triangles[column], offsets[triangles[row]]);
      }
    }
  }
  return slots;
}
