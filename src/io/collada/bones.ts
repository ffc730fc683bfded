import { invert34 } from '../../math/matrix34.ts';
import { decomposeTrs, forwardKinematics } from '../../math/trs.ts';
import { note } from '../../model/note.ts';
import { LOCAL_STRIDE, MATRIX_STRIDE, type Skeleton } from '../../model/skeleton.ts';
import type { ColladaDocument } from './document.ts';
import { composeTransformations, type SceneNode } from './scene.ts';

/** Nodes of the scene as bones. */
export interface ColladaBones {
  skeleton: Skeleton;
  /** B: bone → node. */
  nodes: number[];
  /** Node → bone. */
  boneOf: Map<number, number>;
  /** 12B rest world matrices. */
  worlds: Float64Array;
}

/** Largest cosine between the axes of a bone's matrix that is still rounding. */
const SHEAR_TOLERANCE = 1e-4;

/** out[o …] (10) = the local pose of a node. Returns how far its matrix is from translation, rotation and scale. */
export function nodeLocal(out: Float32Array, o: number, transformations: SceneNode['transformations']): number {
  const matrix = new Float64Array(MATRIX_STRIDE);
  const local = new Float64Array(LOCAL_STRIDE);
  composeTransformations(matrix, transformations);
  const shear = decomposeTrs(local, 0, matrix, 0);
  out.set(local, o);
  return shear;
}

/**
 * The given nodes and all above them, parents first. Inverse bind matrices are the inverses of the rest pose; a skin
 * then puts in its own.
 */
export function bonesOf(
  document: ColladaDocument,
  scene: readonly SceneNode[],
  wanted: Iterable<number>,
): ColladaBones {
  const members = new Set<number>();
  for (const start of wanted) for (let j = start; j >= 0 && !members.has(j); j = scene[j].parent) members.add(j);
  const nodes = [...members].sort((a, b) => a - b);
  const boneOf = new Map(nodes.map((node, bone) => [node, bone]));
  const b = nodes.length;

  const restLocals = new Float32Array(LOCAL_STRIDE * b);
  nodes.forEach((node, j) => {
    const { name, transformations, element } = scene[node];
    const shear = nodeLocal(restLocals, LOCAL_STRIDE * j, transformations);
    if (shear > SHEAR_TOLERANCE) document.note(note('shear', {}, name));
    const local = restLocals.subarray(LOCAL_STRIDE * j, LOCAL_STRIDE * (j + 1));
    if (!local.every(Number.isFinite)) document.fail(element, `the transformation of node "${name}" is not finite`);
  });
  const parents = Int32Array.from(nodes, (node) => boneOf.get(scene[node].parent) ?? -1);
  const worlds = new Float64Array(MATRIX_STRIDE * b);
  forwardKinematics(worlds, parents, restLocals);
  const inverseBind = new Float32Array(MATRIX_STRIDE * b);
  for (let j = 0; j < b; j++) {
    const o = MATRIX_STRIDE * j;
    // A bone of scale 0 has no inverse; what follows it is a point anyway.
    if (!invert34(inverseBind, o, worlds, o)) inverseBind.set([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0], o);
  }
  if (!inverseBind.every(Number.isFinite)) document.fail(document.root, 'the world matrix of a node is not finite');
  return {
    skeleton: { names: nodes.map((node) => scene[node].name), parents, restLocals, inverseBind },
    nodes,
    boneOf,
    worlds,
  };
}
