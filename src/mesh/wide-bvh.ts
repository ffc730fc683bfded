import type { Bvh } from './bvh.ts';
import { LEAF_FACES, LEAF_WORDS, NODE_CHILDREN, NODE_WORDS, type RayMemory } from './ray-memory.ts';

/**
 * Packs a hierarchy of two children per node into one of four, in the layout of `RayMemory`: of a node's children the one
 * with the largest surface is replaced by its own until there are four (Wald, Benthin & Boulos 2008, "Getting rid of
 * packets"). A leaf has up to four triangles, which are tested at once.
 */
export function packWide(bvh: Bvh, into: RayMemory): void {
  const { right } = bvh;
  const packer = new Packer(bvh, into);
  into.root[0] = right.length === 0 ? packer.emptyLeaf() : packer.pack(0);
}

/** Angles below this, in radians, are rounding: rays would meet such a sliver where it is not. */
const THINNEST = 1e-6;

/** Whether the triangle at `o` of `corners` is more than a point or a line. */
function hasArea(corners: Float32Array, o: number): boolean {
  const ax = corners[o + 3] - corners[o];
  const ay = corners[o + 4] - corners[o + 1];
  const az = corners[o + 5] - corners[o + 2];
  const bx = corners[o + 6] - corners[o];
  const by = corners[o + 7] - corners[o + 1];
  const bz = corners[o + 8] - corners[o + 2];
  const cross = (ay * bz - az * by) ** 2 + (az * bx - ax * bz) ** 2 + (ax * by - ay * bx) ** 2;
  return cross > THINNEST ** 2 * (ax * ax + ay * ay + az * az) * (bx * bx + by * by + bz * bz);
}

class Packer {
  readonly #bvh: Bvh;
  readonly #into: RayMemory;
  #nodes = 0;
  #leaves = 0;

  constructor(bvh: Bvh, into: RayMemory) {
    this.#bvh = bvh;
    this.#into = into;
  }

  /** Packs a node of two children and all below it; returns its number, ~ of a leaf. */
  pack(node: number): number {
    const { right } = this.#bvh;
    if (right[node] === 0) return this.#packLeaf(node);
    const children = [node + 1, right[node]];
    while (children.length < 4) {
      let largest = -1;
      let largestArea = -1;
      for (let c = 0; c < children.length; c++) {
        const area = right[children[c]] === 0 ? -1 : this.#area(children[c]);
        if (area <= largestArea) continue;
        largestArea = area;
        largest = c;
      }
      if (largest < 0) break;
      const opened = children[largest];
      children[largest] = opened + 1;
      children.push(right[opened]);
    }

    const own = this.#nodes++;
    const { nodes, nodeInts } = this.#into;
    const at = own * NODE_WORDS;
    const { boxes } = this.#bvh;
    for (let lane = 0; lane < 4; lane++) {
      for (let axis = 0; axis < 3; axis++) {
        // No ray meets a box that is inside out.
        nodes[at + 8 * axis + lane] = lane < children.length ? boxes[6 * children[lane] + axis] : Infinity;
        nodes[at + 8 * axis + 4 + lane] = lane < children.length ? boxes[6 * children[lane] + 3 + axis] : -Infinity;
      }
    }
    for (let lane = 0; lane < 4; lane++) {
      nodeInts[at + NODE_CHILDREN + lane] = lane < children.length ? this.pack(children[lane]) : 0;
    }
    return own;
  }

  emptyLeaf(): number {
    const at = LEAF_WORDS * this.#leaves;
    this.#into.leaves.fill(0, at, at + LEAF_FACES);
    this.#into.leafInts.fill(-1, at + LEAF_FACES, at + LEAF_WORDS);
    return ~this.#leaves++;
  }

  #packLeaf(node: number): number {
    const { start, count, corners, faces } = this.#bvh;
    const { leaves, leafInts } = this.#into;
    const at = LEAF_WORDS * this.#leaves;
    const own = this.emptyLeaf();
    for (let lane = 0; lane < count[node]; lane++) {
      const q = start[node] + lane;
      if (!hasArea(corners, 9 * q)) continue;
      for (let axis = 0; axis < 3; axis++) {
        const corner = corners[9 * q + axis];
        leaves[at + 4 * axis + lane] = corner;
        leaves[at + 12 + 4 * axis + lane] = corners[9 * q + 3 + axis] - corner;
        leaves[at + 24 + 4 * axis + lane] = corners[9 * q + 6 + axis] - corner;
      }
      leafInts[at + LEAF_FACES + lane] = faces[q];
    }
    return own;
  }

  #area(node: number): number {
    const { boxes } = this.#bvh;
    const x = boxes[6 * node + 3] - boxes[6 * node];
    const y = boxes[6 * node + 4] - boxes[6 * node + 1];
    const z = boxes[6 * node + 5] - boxes[6 * node + 2];
    return x * y + y * z + z * x;
  }
}
