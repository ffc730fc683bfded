import { boundsOf } from '../mesh/bounds.ts';
import { faceArea } from '../mesh/triangle.ts';
import type { LightSurface } from './surface-rays.ts';
import type { Dipole } from './translucent.ts';

/**
 * Light that scatters many times before it leaves a surface: m_v = Σ_j A_j R_d(|v − j|) F t_j over all vertices, by the
 * dipole. Far vertices are taken together, as in Jensen & Buhler 2002, "A rapid hierarchical rendering technique for
 * translucent materials", here on two levels. A vertex's own share is the integral over a disc of its area, so that the sum
 * is right for mean free paths below the distance of vertices as well.
 */

/** Cells along the longest side of the bounding box. */
const CELLS = 24;
/** Cells nearer than so many of their sides are opened. */
const NEAR = 3;

interface Cell {
  vertices: number[];
  area: number;
  /** Mean position and mean transfer, by area. */
  centre: Float64Array;
  transfer: Float64Array;
}

/** N × `size`: what leaves every vertex, of `transfer` (N × `size`) that reaches it. */
export function scatterMany(surface: LightSurface, transfer: Float32Array, size: number, dipole: Dipole): Float32Array {
  const { positions } = surface;
  const n = positions.length / 3;
  const areas = vertexAreas(surface);
  const { cells, side } = cellsOf(surface, areas, transfer, size);
  const out = new Float32Array(n * size);
  const sum = new Float64Array(size);
  for (let i = 0; i < n; i++) {
    const distanceTo = (at: ArrayLike<number>, j: number): number =>
      Math.hypot(at[j] - positions[3 * i], at[j + 1] - positions[3 * i + 1], at[j + 2] - positions[3 * i + 2]);
    sum.fill(0);
    for (const cell of cells) {
      const distance = distanceTo(cell.centre, 0);
      if (distance > NEAR * side) {
        const weight = cell.area * dipole.at(distance);
        for (let c = 0; c < size; c++) sum[c] += weight * cell.transfer[c];
        continue;
      }
      for (const j of cell.vertices) {
        const weight =
          i === j ? dipole.onDisc(Math.sqrt(areas[j] / Math.PI)) : areas[j] * dipole.at(distanceTo(positions, 3 * j));
        for (let c = 0; c < size; c++) sum[c] += weight * transfer[j * size + c];
      }
    }
    for (let c = 0; c < size; c++) out[i * size + c] = dipole.entering * sum[c];
  }
  return out;
}

/** N: a third of the area of the faces around each vertex. */
function vertexAreas({ positions, triangles }: LightSurface): Float64Array {
  const areas = new Float64Array(positions.length / 3);
  for (let f = 0; f < triangles.length; f += 3) {
    const area = faceArea(positions, triangles, f) / 3;
    for (let corner = f; corner < f + 3; corner++) areas[triangles[corner]] += area;
  }
  return areas;
}

function cellsOf(
  { positions }: LightSurface,
  areas: Float64Array,
  transfer: Float32Array,
  size: number,
): { cells: Cell[]; side: number } {
  const { min, max } = boundsOf(positions);
  const side = Math.max(max[0] - min[0], max[1] - min[1], max[2] - min[2], Number.MIN_VALUE) / CELLS;
  const cells = new Map<number, Cell>();
  for (let i = 0; i < areas.length; i++) {
    let key = 0;
    for (let c = 0; c < 3; c++) key = (CELLS + 1) * key + Math.floor((positions[3 * i + c] - min[c]) / side);
    let cell = cells.get(key);
    if (!cell) {
      cell = { vertices: [], area: 0, centre: new Float64Array(3), transfer: new Float64Array(size) };
      cells.set(key, cell);
    }
    cell.vertices.push(i);
    cell.area += areas[i];
    for (let c = 0; c < 3; c++) cell.centre[c] += areas[i] * positions[3 * i + c];
    for (let c = 0; c < size; c++) cell.transfer[c] += areas[i] * transfer[i * size + c];
  }
  for (const cell of cells.values()) {
    // Of vertices without faces nothing leaves; their place does not matter.
    const scale = cell.area > 0 ? 1 / cell.area : 0;
    for (let c = 0; c < 3; c++) cell.centre[c] *= scale;
    for (let c = 0; c < size; c++) cell.transfer[c] *= scale;
  }
  return { cells: [...cells.values()], side };
}
