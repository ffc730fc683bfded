import type { GLTF } from '@gltf-transform/core';
import { matrix34FromColumnMajor44, multiply34 } from '../../math/matrix34.ts';
import { normalizeQuaternion } from '../../math/quaternion.ts';
import { composeTrs, decomposeTrs } from '../../math/trs.ts';
import { LOCAL_STRIDE, MATRIX_STRIDE } from '../../model/skeleton.ts';
import { GltfFault } from './limits.ts';
import { levelIds } from './lod-extension.ts';

/** A cosine between the axes of a node's matrix above which it is sheared rather than badly rounded. */
const SHEAR = 1e-4;

/** The nodes of a file (n of them, by their index in the file). */
export interface NodeTree {
  /** n: −1 for roots. */
  parents: Int32Array;
  /** n: every node, parents before children, depth first. */
  order: Int32Array;
  /** n: where a node stands in `order`. */
  rank: Int32Array;
  names: string[];
  /** 10n local poses; of a node with a matrix, what it decomposes to. */
  locals: Float64Array;
  /** 12n: the exact local → world matrices at rest. */
  worlds: Float64Array;
  /** n: 1 where the node's matrix has shear, which `locals` cannot say. */
  sheared: Uint8Array;
  /** n: 1 for the nodes that are shown: those of the default scene, or of the first, or all when there is no scene; no levels of other nodes. */
  shown: Uint8Array;
}

export function readNodes(json: GLTF.IGLTF): NodeTree {
  const nodes = json.nodes ?? [];
  const n = nodes.length;
  const parents = new Int32Array(n).fill(-1);
  for (const [parent, node] of nodes.entries()) {
    for (const child of node.children ?? []) {
      if (parents[child] !== -1) throw new GltfFault(`nodes[${child}] is the child of two nodes`);
      parents[child] = parent;
    }
  }
  const order = depthFirst(nodes, parents);
  const rank = new Int32Array(n);
  for (let r = 0; r < n; r++) rank[order[r]] = r;

  const locals = new Float64Array(LOCAL_STRIDE * n);
  const worlds = new Float64Array(MATRIX_STRIDE * n);
  const sheared = new Uint8Array(n);
  for (const j of order) {
    const { matrix, translation = [0, 0, 0], rotation = [0, 0, 0, 1], scale = [1, 1, 1] } = nodes[j];
    const l = LOCAL_STRIDE * j;
    const w = MATRIX_STRIDE * j;
    if (matrix) {
      matrix34FromColumnMajor44(worlds, w, matrix);
      sheared[j] = decomposeTrs(locals, l, worlds, w) > SHEAR ? 1 : 0;
    } else {
      locals.set([...translation, ...rotation, ...scale], l);
      normalizeQuaternion(locals, l + 3);
      composeTrs(worlds, w, locals, l);
    }
    if (parents[j] >= 0) multiply34(worlds, w, worlds, MATRIX_STRIDE * parents[j], worlds, w);
  }

  const shown = new Uint8Array(n);
  const scene = json.scenes?.[json.scene ?? 0];
  const roots = new Set(scene?.nodes ?? order);
  const levels = new Set(Array.from(nodes.keys()).flatMap((j) => levelIds(json, j)));
  const hidden = new Uint8Array(n);
  for (const j of order) {
    const above = parents[j];
    // What stands in for another node from afar is not shown beside it.
    if (levels.has(j) || hidden[above] === 1) hidden[j] = 1;
    else if (roots.has(j) || shown[above] === 1) shown[j] = 1;
  }

  const names = nodes.map((node, j) => node.name || `node ${j}`);
  return { parents, order, rank, names, locals, worlds, sheared, shown };
}

/** Parents before children; a node that is not reached from a root lies on a cycle. */
function depthFirst(nodes: readonly GLTF.INode[], parents: Int32Array): Int32Array {
  const order = new Int32Array(nodes.length);
  let length = 0;
  const stack: number[] = [];
  for (let j = nodes.length - 1; j >= 0; j--) if (parents[j] === -1) stack.push(j);
  while (stack.length > 0) {
    const j = stack.pop()!;
    order[length++] = j;
    const children = nodes[j].children ?? [];
    for (let c = children.length - 1; c >= 0; c--) stack.push(children[c]);
  }
  if (length < nodes.length) {
    const reached = new Set(order.subarray(0, length));
    const lost = nodes.findIndex((_, j) => !reached.has(j));
    throw new GltfFault(`nodes[${lost}] is its own ancestor`);
  }
  return order;
}
