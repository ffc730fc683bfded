/**
 * Surface nets (Gibson 1998, "Constrained elastic surface nets"): one vertex per grid cell that the surface f = 0
 * crosses, one quad per grid edge that it crosses. Departure: a cell through which several sheets of the surface pass
 * gets a vertex for each, so that the net stays a manifold.
 */
import { PliantError } from '../../error.ts';
import type { Bounds } from '../bounds.ts';
import type { ImplicitFunction } from './implicit.ts';

/** Grid points per side of a block that may be skipped as a whole, and how fast f may change per unit of length. */
const BLOCK = 4;
const MAX_SLOPE = 1.5;
/** Points of the grid: beyond this the bounds are too wide for the surface, or the surface too fine. */
const MAX_GRID = 2 ** 24;

/** A quad mesh: 3N positions, 4Q corners, counter-clockwise from outside. */
export interface QuadMesh {
  /** Edge length of the grid's cells. */
  cell: number;
  positions: Float64Array;
  quads: number[];
}

/** The unrelaxed net. The grid is centred in the bounds, one cell wider on each side. */
export function surfaceNet(f: ImplicitFunction, bounds: Bounds, cell: number): QuadMesh {
  const size = [0, 1, 2].map((c) => Math.ceil((bounds.max[c] - bounds.min[c]) / cell) + 3);
  const origin = [0, 1, 2].map((c) => (bounds.min[c] + bounds.max[c] - (size[c] - 1) * cell) / 2);
  const [nx, ny, nz] = size;
  if (nx * ny * nz > MAX_GRID) {
    const cause = `grid of ${nx} × ${ny} × ${nz} points (expected at most ${MAX_GRID} points)`;
    throw new PliantError('too-large', 'polygonize', cause);
  }
  const stride = [1, nx, nx * ny];
  const values = gridValues(f, size, origin, cell);

  // (1) A vertex for each sheet of the surface in a cell: the mean of the sheet's crossings with the cell's edges.
  const firstVertex = new Int32Array(values.length); // cell → the vertex of its first sheet
  const signs = new Uint8Array(values.length); // cell → bit per corner, set inside
  const positions: number[] = [];
  for (let z = 0; z < nz - 1; z++) {
    for (let y = 0; y < ny - 1; y++) {
      for (let x = 0; x < nx - 1; x++) {
        const g = x + nx * (y + ny * z);
        let sign = 0;
        for (let corner = 0; corner < 8; corner++) {
          if (values[g + (corner & 1) + nx * ((corner >> 1) & 1) + nx * ny * (corner >> 2)] < 0) sign |= 1 << corner;
        }
        signs[g] = sign;
        firstVertex[g] = positions.length / 3;
        const sheets = SHEETS[sign];
        for (let sheet = 0; sheet < sheets.count; sheet++) {
          const sum = [0, 0, 0];
          let crossings = 0;
          for (let edge = 0; edge < 12; edge++) {
            if (sheets.of[edge] !== sheet) continue;
            const { axis, du, dv } = CELL_EDGES[edge];
            const u = (axis + 1) % 3;
            const v = (axis + 2) % 3;
            const at = g + du * stride[u] + dv * stride[v];
            sum[axis] += values[at] / (values[at] - values[at + stride[axis]]);
            sum[u] += du;
            sum[v] += dv;
            crossings++;
          }
          const corner = [x, y, z];
          for (let c = 0; c < 3; c++) positions.push(origin[c] + (corner[c] + sum[c] / crossings) * cell);
        }
      }
    }
  }

  // (2) A quad around each grid edge that the surface crosses, facing outwards.
  const quads: number[] = [];
  for (let z = 1; z < nz - 1; z++) {
    for (let y = 1; y < ny - 1; y++) {
      for (let x = 1; x < nx - 1; x++) {
        const g = x + nx * (y + ny * z);
        for (let axis = 0; axis < 3; axis++) {
          const inside = values[g] < 0;
          if (inside === values[g + stride[axis]] < 0) continue;
          const u = stride[(axis + 1) % 3];
          const v = stride[(axis + 2) % 3];
          // The four cells at the edge, which is their edge (du, dv) = (1, 1), (0, 1), (0, 0), (1, 0).
          const vertex = (at: number, du: number, dv: number) =>
            firstVertex[at] + SHEETS[signs[at]].of[4 * axis + du + 2 * dv];
          const ring = [vertex(g - u - v, 1, 1), vertex(g - v, 0, 1), vertex(g, 0, 0), vertex(g - u, 1, 0)];
          if (!inside) ring.reverse();
          quads.push(...ring);
        }
      }
    }
  }
  return { cell, positions: Float64Array.from(positions), quads };
}

/**
 * The function at all grid points. It is evaluated once per block first: a block that lies further from the surface than
 * its own radius gets that one value throughout.
 */
function gridValues(f: ImplicitFunction, size: readonly number[], origin: readonly number[], cell: number) {
  const [nx, ny, nz] = size;
  const values = new Float64Array(nx * ny * nz);
  const middle = ((BLOCK - 1) / 2) * cell;
  const far = MAX_SLOPE * middle * Math.sqrt(3);
  for (let bz = 0; bz < nz; bz += BLOCK) {
    for (let by = 0; by < ny; by += BLOCK) {
      for (let bx = 0; bx < nx; bx += BLOCK) {
        const [ox, oy, oz] = [origin[0] + bx * cell, origin[1] + by * cell, origin[2] + bz * cell];
        const all = f(ox + middle, oy + middle, oz + middle);
        for (let z = 0; z < BLOCK && bz + z < nz; z++) {
          for (let y = 0; y < BLOCK && by + y < ny; y++) {
            for (let x = 0; x < BLOCK && bx + x < nx; x++) {
              const g = bx + x + nx * (by + y + ny * (bz + z));
              values[g] = Math.abs(all) > far ? all : f(ox + x * cell, oy + y * cell, oz + z * cell);
            }
          }
        }
      }
    }
  }
  return values;
}

/** The 12 edges of a cell: along `axis`, at du, dv of the two following axes; edge 4·axis + du + 2·dv. */
const CELL_EDGES = Array.from({ length: 12 }, (_, edge) => ({ axis: edge >> 2, du: edge & 1, dv: (edge >> 1) & 1 }));

/** How the surface passes through a cell. */
interface Sheets {
  count: number;
  /** 12: edge → the sheet that crosses it, −1 for none. */
  of: Int8Array;
}

/**
 * Signs of a cell's corners → its sheets. Crossings are joined across the cell's faces; where a face has four, those next
 * to the same inner corner are joined, so that both cells at the face agree and no two sheets share a vertex.
 */
const SHEETS: readonly Sheets[] = Array.from({ length: 256 }, (_, sign) => sheetsOf(sign));

function sheetsOf(sign: number): Sheets {
  const inside = (corner: number): boolean => ((sign >> corner) & 1) === 1;
  const links: number[][] = CELL_EDGES.map(() => []);
  const link = (a: number, b: number) => {
    links[a].push(b);
    links[b].push(a);
  };
  for (let axis = 0; axis < 3; axis++) {
    for (let level = 0; level < 2; level++) {
      // A face across `axis`: corners (0,0), (1,0), (1,1), (0,1) in the other two axes, and the edges between them.
      const u = (axis + 1) % 3;
      const v = (axis + 2) % 3;
      const corners = [0, 1 << u, (1 << u) | (1 << v), 1 << v].map((corner) => corner | (level << axis));
      const alongU = (dv: number) => 4 * u + dv + 2 * level; // the axes after u are v, then `axis`
      const alongV = (du: number) => 4 * v + level + 2 * du; // the axes after v are `axis`, then u
      const edges = [alongU(0), alongV(1), alongU(1), alongV(0)];
      const crossed = edges.filter((_, e) => inside(corners[e]) !== inside(corners[(e + 1) % 4]));
      if (crossed.length === 2) link(crossed[0], crossed[1]);
      if (crossed.length !== 4) continue;
      for (let c = 0; c < 4; c++) if (inside(corners[c])) link(edges[(c + 3) % 4], edges[c]);
    }
  }
  const of = new Int8Array(12).fill(-1);
  let count = 0;
  for (let start = 0; start < 12; start++) {
    if (links[start].length === 0 || of[start] >= 0) continue;
    const stack = [start];
    for (let edge = stack.pop(); edge !== undefined; edge = stack.pop()) {
      if (of[edge] >= 0) continue;
      of[edge] = count;
      stack.push(...links[edge]);
    }
    count++;
  }
  return { count, of };
}
