import { invert34, multiply34 } from '../../math/matrix34.ts';
import { composeTrs, decomposeTrs } from '../../math/trs.ts';
import { note } from '../../model/note.ts';
import { LOCAL_STRIDE, MATRIX_STRIDE } from '../../model/skeleton.ts';
import { type Bones, bonesOf, withAncestors } from '../bones.ts';
import type { ColladaDocument } from './document.ts';
import { composeTransformations, type SceneNode } from './scene.ts';

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

/** The given nodes and all above them. */
export function readBones(document: ColladaDocument, scene: readonly SceneNode[], wanted: Iterable<number>): Bones {
  const parent = (node: number): number => scene[node].parent;
  const bones = bonesOf(Int32Array.from(withAncestors(wanted, parent)).sort(), {
    name: (node) => scene[node].name,
    parent,
    pose: (node, local) => {
      const { name, transformations, element } = scene[node];
      const shear = nodeLocal(local, 0, transformations);
      if (shear > SHEAR_TOLERANCE) document.note(note('shear', {}, name));
      if (!local.every(Number.isFinite)) document.fail(element, `the transformation of node "${name}" is not finite`);
    },
  });
  if (!bones.skeleton.inverseBind.every(Number.isFinite)) {
    document.fail(document.root, 'the world matrix of a node is not finite');
  }
  return bones;
}

/**
 * In place: bones that the skin does not list are bound as they stand at rest, seen from their parents or else from a child
 * that is bound. A mesh may be bound mirrored, or in other units: every bone that it could follow must then be, too.
 */
export function bindOthers({ skeleton }: Bones, listed: Iterable<number>): void {
  const { parents, restLocals, inverseBind } = skeleton;
  const bound = new Set(listed);
  const local = new Float64Array(MATRIX_STRIDE);
  for (let j = parents.length - 1; j >= 0; j--) {
    if (!bound.has(j) || parents[j] < 0 || bound.has(parents[j])) continue;
    composeTrs(local, 0, restLocals, LOCAL_STRIDE * j);
    multiply34(inverseBind, MATRIX_STRIDE * parents[j], local, 0, inverseBind, MATRIX_STRIDE * j);
    bound.add(parents[j]);
  }
  for (const [j, parent] of parents.entries()) {
    if (bound.has(j) || !bound.has(parent)) continue;
    composeTrs(local, 0, restLocals, LOCAL_STRIDE * j);
    if (!invert34(local, 0, local, 0)) continue;
    multiply34(inverseBind, MATRIX_STRIDE * j, local, 0, inverseBind, MATRIX_STRIDE * parent);
    bound.add(j);
  }
}
