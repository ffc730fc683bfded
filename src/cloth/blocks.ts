/**
 * Vertices in blocks that lie close together, with a box around each: what is far from a box is far from all its vertices.
 * Blocks are made once, along a curve through space (Morton 1966), and their boxes follow the vertices: cloth that moves stays
 * together.
 */
import { boundsOf } from '../mesh/bounds.ts';

/** Vertices of a block. */
export const BLOCK = 32;
/** Boxes are larger than what is in them by this much: vertices that are pushed no farther stay inside. m. */
export const RESERVE = 0.02;

export interface VertexBlocks {
  /** N: vertices, block by block. */
  order: Uint32Array;
  /** 6 per block: least and greatest corner. */
  boxes: Float64Array;
  /** 6: around all. */
  whole: Float64Array;
  /** How much larger the boxes are, m. */
  reach: number;
}

/** Blocks of vertices (3N) that keep `margin` (N). */
export function vertexBlocks(x: Float64Array, margin: Float64Array): VertexBlocks {
  const { min, max } = boundsOf(x);
  const cell = (i: number, axis: number) => {
    const size = max[axis] - min[axis] || 1;
    return Math.min(1023, Math.floor((1024 * (x[3 * i + axis] - min[axis])) / size));
  };
  const keys = Uint32Array.from({ length: x.length / 3 }, (_, i) => {
    return spread(cell(i, 0)) | (spread(cell(i, 1)) << 1) | (spread(cell(i, 2)) << 2);
  });
  return {
    order: Uint32Array.from(keys.keys()).sort((i, j) => keys[i] - keys[j] || i - j),
    boxes: new Float64Array(6 * Math.ceil(keys.length / BLOCK)),
    whole: new Float64Array(6),
    reach: margin.reduce((most, m) => Math.max(most, m), 0) + RESERVE,
  };
}

/** Ten bits with two zeros between each. */
function spread(bits: number): number {
  let b = bits;
  b = (b | (b << 16)) & 0x30000ff;
  b = (b | (b << 8)) & 0x300f00f;
  b = (b | (b << 4)) & 0x30c30c3;
  return (b | (b << 2)) & 0x9249249;
}

/** Boxes around the vertices where they are now. */
export function updateBoxes({ order, boxes, whole, reach }: VertexBlocks, x: Float64Array): void {
  whole.fill(-Infinity, 3).fill(Infinity, 0, 3);
  for (let o = 0, start = 0; start < order.length; o += 6, start += BLOCK) {
    const end = Math.min(start + BLOCK, order.length);
    let ax = Infinity;
    let ay = Infinity;
    let az = Infinity;
    let bx = -Infinity;
    let by = -Infinity;
    let bz = -Infinity;
    for (let s = start; s < end; s++) {
      // Math.min and Math.max are slower: they tell zeros and NaN apart.
      const px = x[3 * order[s]];
      const py = x[3 * order[s] + 1];
      const pz = x[3 * order[s] + 2];
      if (px < ax) ax = px;
      if (py < ay) ay = py;
      if (pz < az) az = pz;
      if (px > bx) bx = px;
      if (py > by) by = py;
      if (pz > bz) bz = pz;
    }
    boxes[o] = ax - reach;
    boxes[o + 1] = ay - reach;
    boxes[o + 2] = az - reach;
    boxes[o + 3] = bx + reach;
    boxes[o + 4] = by + reach;
    boxes[o + 5] = bz + reach;
    for (let c = 0; c < 3; c++) {
      whole[c] = Math.min(whole[c], boxes[o + c]);
      whole[c + 3] = Math.max(whole[c + 3], boxes[o + c + 3]);
    }
  }
}
