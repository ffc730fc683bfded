import { IDENTITY34, invert34 } from '../math/matrix34.ts';
import { worldMatrices } from '../math/trs.ts';
import { LOCAL_STRIDE, MATRIX_STRIDE, type Skeleton } from '../model/skeleton.ts';

/** Nodes of a file that became bones. */
export interface Bones {
  skeleton: Skeleton;
  /** B: bone → node of the file. */
  nodes: Int32Array;
  /** Node of the file → bone. */
  boneOf: Map<number, number>;
  /** 12B rest world matrices, as the skeleton has them. */
  worlds: Float64Array;
}

/** What bones are made of. */
export interface NodeReader {
  name(node: number): string;
  /** −1 for none. */
  parent(node: number): number;
  /** Fills in the local pose (10). */
  pose(node: number, local: Float32Array): void;
}

/** The given nodes and all above them. */
export function withAncestors(wanted: Iterable<number>, parent: NodeReader['parent']): Set<number> {
  const members = new Set<number>();
  for (const start of wanted) for (let j = start; j >= 0 && !members.has(j); j = parent(j)) members.add(j);
  return members;
}

/**
 * Nodes as a skeleton; parents come first. Each bone's inverse bind matrix is the inverse of its rest world matrix, so that
 * at rest nothing moves; a skin then puts in its own.
 */
export function bonesOf(nodes: Int32Array, { name, parent, pose }: NodeReader): Bones {
  const boneOf = new Map(Array.from(nodes, (node, bone) => [node, bone]));
  const parents = Int32Array.from(nodes, (node) => boneOf.get(parent(node)) ?? -1);
  const restLocals = new Float32Array(LOCAL_STRIDE * nodes.length);
  nodes.forEach((node, j) => {
    pose(node, restLocals.subarray(LOCAL_STRIDE * j, LOCAL_STRIDE * (j + 1)));
  });
  const worlds = worldMatrices(parents, restLocals);
  const inverseBind = new Float32Array(worlds.length);
  for (let o = 0; o < worlds.length; o += MATRIX_STRIDE) {
    // A bone of scale 0 has no inverse; what follows it is a point anyway.
    if (!invert34(inverseBind, o, worlds, o)) inverseBind.set(IDENTITY34, o);
  }
  return { skeleton: { names: Array.from(nodes, name), parents, restLocals, inverseBind }, nodes, boneOf, worlds };
}
