/**
 * A bounding volume hierarchy over triangles in flat arrays: surface-area heuristic over bins of centroids (Wald 2007,
 * "On fast construction of SAH-based bounding volume hierarchies"). Nodes lie in depth-first order: a node's left child
 * follows it, so that refitting is one backward sweep.
 */

export interface Bvh {
  /** 3F: the triangles it was built over. */
  triangles: Uint32Array;
  /** 6 per node: min x y z, max x y z. Exact: the numbers are coordinates of vertices. */
  boxes: Float32Array;
  /** Per node: the right child; 0 for a leaf. */
  right: Uint32Array;
  /** Per node: for a leaf, its first place in `faces`. */
  start: Uint32Array;
  /** Per node: for a leaf, how many faces it holds. */
  count: Uint32Array;
  /** F: the faces in the order of the leaves. */
  faces: Uint32Array;
  /** 9F: the corners of `faces`, so that a leaf is read from one place. */
  corners: Float32Array;
}

/** The most bins; small ranges have as many as faces. */
const BINS = 16;
/** A leaf's most faces. From 1 to 4 nearest-point queries take the same time (±5 %), from 6 on longer; 4 builds fastest. */
const LEAF_FACES = 4;
/** From this depth on ranges are halved by count, which bounds the depth at 32 more. */
const SAH_DEPTH = 64;
/** No path from the root is longer. */
export const MAX_BVH_DEPTH = SAH_DEPTH + 32;

/** Builds a hierarchy over 3F `triangles` with vertices at `positions` (3N, finite). */
export function buildBvh(positions: Float32Array, triangles: Uint32Array): Bvh {
  const f = triangles.length / 3;
  const faceBoxes = new Float32Array(6 * f);
  const centroids = new Float32Array(3 * f);
  for (let face = 0; face < f; face++) {
    for (let c = 0; c < 3; c++) {
      const x = positions[3 * triangles[3 * face] + c];
      const y = positions[3 * triangles[3 * face + 1] + c];
      const z = positions[3 * triangles[3 * face + 2] + c];
      const low = Math.min(x, y, z);
      const high = Math.max(x, y, z);
      faceBoxes[6 * face + c] = low;
      faceBoxes[6 * face + 3 + c] = high;
      // Halved before they are added: coordinates near the end of the range must not overflow.
      centroids[3 * face + c] = low / 2 + high / 2;
    }
  }

  const faces = Uint32Array.from({ length: f }, (_, face) => face);
  const split = splitter(faces, faceBoxes, centroids);
  const right: number[] = [];
  const start: number[] = [];
  const count: number[] = [];
  const grow = (from: number, to: number, depth: number): void => {
    const node = right.length;
    right.push(0);
    start.push(from);
    count.push(to - from);
    if (to - from <= LEAF_FACES) return;
    const middle = depth < SAH_DEPTH ? split(from, to) : (from + to) >> 1;
    count[node] = 0;
    grow(from, middle, depth + 1);
    right[node] = right.length;
    grow(middle, to, depth + 1);
  };
  if (f > 0) grow(0, f, 0);

  const bvh: Bvh = {
    triangles,
    boxes: new Float32Array(6 * right.length),
    right: Uint32Array.from(right),
    start: Uint32Array.from(start),
    count: Uint32Array.from(count),
    faces,
    corners: new Float32Array(9 * f),
  };
  refitBvh(bvh, positions);
  return bvh;
}

/** The same over some of the vertices, as triangles without extent: `face` q of what is found is `points[q]`. */
export const buildPointBvh = (positions: Float32Array, points: Uint32Array): Bvh =>
  buildBvh(
    positions,
    Uint32Array.from({ length: 3 * points.length }, (_, c) => points[Math.floor(c / 3)]),
  );

/** Moves a hierarchy to other positions of the same vertices (3N). Changes `bvh`; queries stay exact, and slow down as
 * the shape departs from the one it was built for. */
export function refitBvh(bvh: Bvh, positions: Float32Array): void {
  const { triangles, boxes, right, start, count, faces, corners } = bvh;
  for (let q = 0; q < faces.length; q++) {
    for (let corner = 0; corner < 3; corner++) {
      const from = 3 * triangles[3 * faces[q] + corner];
      const to = 9 * q + 3 * corner;
      corners[to] = positions[from];
      corners[to + 1] = positions[from + 1];
      corners[to + 2] = positions[from + 2];
    }
  }
  for (let node = right.length - 1; node >= 0; node--) {
    const o = 6 * node;
    if (right[node] === 0) {
      for (let c = 0; c < 3; c++) {
        let low = Infinity;
        let high = -Infinity;
        for (let q = 9 * start[node] + c; q < 9 * (start[node] + count[node]); q += 3) {
          if (corners[q] < low) low = corners[q];
          if (corners[q] > high) high = corners[q];
        }
        boxes[o + c] = low;
        boxes[o + 3 + c] = high;
      }
    } else {
      const a = o + 6;
      const b = 6 * right[node];
      for (let c = 0; c < 3; c++) {
        boxes[o + c] = Math.min(boxes[a + c], boxes[b + c]);
        boxes[o + 3 + c] = Math.max(boxes[a + 3 + c], boxes[b + 3 + c]);
      }
    }
  }
}

/**
 * Returns a function that reorders faces[from…to) into two parts and says where the second begins: the cheapest of the
 * planes between the bins along the widest axis of the centroids.
 */
function splitter(faces: Uint32Array, faceBoxes: Float32Array, centroids: Float32Array) {
  const binCounts = new Uint32Array(BINS);
  const binBoxes = new Float32Array(6 * BINS);
  const leftCosts = new Float64Array(BINS);
  const box = new Float32Array(6);
  const binOf = new Uint8Array(faces.length);

  return (from: number, to: number): number => {
    emptyBox(box, 0);
    for (let q = from; q < to; q++) growBox(box, 0, centroids, 3 * faces[q], 0);
    const extents = [box[3] - box[0], box[4] - box[1], box[5] - box[2]];
    const extent = Math.max(...extents);
    const axis = extents.indexOf(extent);
    const low = box[axis];
    const bins = Math.min(BINS, to - from);
    const scale = bins / extent;
    const half = (from + to) >> 1;
    if (!Number.isFinite(scale)) return half;

    // (1) Fill the bins.
    binCounts.fill(0);
    for (let bin = 0; bin < bins; bin++) emptyBox(binBoxes, 6 * bin);
    for (let q = from; q < to; q++) {
      const face = faces[q];
      const bin = Math.min(bins - 1, Math.floor((centroids[3 * face + axis] - low) * scale));
      binOf[face] = bin;
      binCounts[bin]++;
      growBox(binBoxes, 6 * bin, faceBoxes, 6 * face, 3);
    }

    // (2) Cost of cutting after each bin: faces × area of their box, on both sides.
    emptyBox(box, 0);
    let faceCount = 0;
    for (let bin = 0; bin < bins - 1; bin++) {
      faceCount += binCounts[bin];
      growBox(box, 0, binBoxes, 6 * bin, 3);
      leftCosts[bin] = faceCount === 0 ? Infinity : faceCount * halfArea(box);
    }
    emptyBox(box, 0);
    faceCount = 0;
    let best = -1;
    let bestCost = Infinity;
    for (let bin = bins - 1; bin > 0; bin--) {
      faceCount += binCounts[bin];
      growBox(box, 0, binBoxes, 6 * bin, 3);
      if (faceCount === 0) continue;
      const cost = leftCosts[bin - 1] + faceCount * halfArea(box);
      if (cost < bestCost) {
        best = bin;
        bestCost = cost;
      }
    }
    if (best < 0) return half; // areas beyond the range of numbers

    // (3) Faces of the bins before `best` to the front.
    let q = from;
    let end = to;
    while (q < end) {
      const face = faces[q];
      if (binOf[face] < best) {
        q++;
      } else {
        faces[q] = faces[--end];
        faces[end] = face;
      }
    }
    return q;
  };
}

function emptyBox(box: Float32Array, o: number): void {
  box[o] = box[o + 1] = box[o + 2] = Infinity;
  box[o + 3] = box[o + 4] = box[o + 5] = -Infinity;
}

/** Widens the box at `o` by the one whose minimum is at `b` and whose maximum is `toMax` further: 3, or 0 for a point. */
function growBox(box: Float32Array, o: number, by: Float32Array, b: number, toMax: 0 | 3): void {
  if (by[b] < box[o]) box[o] = by[b];
  if (by[b + 1] < box[o + 1]) box[o + 1] = by[b + 1];
  if (by[b + 2] < box[o + 2]) box[o + 2] = by[b + 2];
  b += toMax;
  if (by[b] > box[o + 3]) box[o + 3] = by[b];
  if (by[b + 1] > box[o + 4]) box[o + 4] = by[b + 1];
  if (by[b + 2] > box[o + 5]) box[o + 5] = by[b + 2];
}

function halfArea(box: Float32Array): number {
  const x = box[3] - box[0];
  const y = box[4] - box[1];
  const z = box[5] - box[2];
  return x * y + y * z + z * x;
}
