import { determinant34, IDENTITY34 } from '../../math/matrix34.ts';
import { note } from '../../model/note.ts';
import { MATRIX_STRIDE } from '../../model/skeleton.ts';
import type { SkinWeights } from '../../model/skinned-model.ts';
import { InfluenceRows } from '../influences.ts';
import type { ColladaDocument } from './document.ts';
import { nodesBy, type SceneNode } from './scene.ts';
import { child, childrenOf, type XmlElement } from './xml.ts';

/** `<controller><skin>` (5-110): position = Σ weight · (joint's world · inverse bind) · bind shape · vertex. */
export interface ColladaSkin {
  geometry: XmlElement;
  /** 12. */
  bindShape: Float64Array;
  /** Per joint, sids or ids of nodes. */
  joints: { names: string[]; areIds: boolean };
  /** 16 per joint, row-major. */
  inverseBind: Float64Array;
  element: XmlElement;
}

export function readSkin(document: ColladaDocument, controller: XmlElement): ColladaSkin {
  const element = child(controller, 'skin') ?? document.fail(controller, 'the controller has no <skin>', 'unsupported');
  const shape = child(element, 'bind_shape_matrix');
  const jointsElement = document.need(element, 'joints');
  const jointInput = document.input(jointsElement, 'JOINT');
  const bindInput = document.input(jointsElement, 'INV_BIND_MATRIX');
  if (!jointInput || !bindInput) return document.fail(jointsElement, '<joints> without JOINT and INV_BIND_MATRIX');
  const joints = document.names(jointInput);
  const binds = document.source(bindInput, 16);
  if (joints.names.length === 0) document.fail(jointsElement, 'a skin without joints');
  if (binds.count < joints.names.length || binds.width !== 16) {
    document.fail(jointsElement, `${binds.count} inverse bind matrices (expected ${joints.names.length})`);
  }
  return {
    geometry: geometryOf(document, document.target(element, 'source')),
    bindShape: shape ? document.numbers(shape, 16).slice(0, 12) : Float64Array.from(IDENTITY34),
    joints,
    inverseBind: binds.values.slice(),
    element,
  };
}

/**
 * Some exporters bind a mesh mirrored, and joints mirror it back. `bindShape` is mirrored once more here, and joints undo that: poses
 * are the same, and the mesh has its outside out both as it is kept and as joints pose it. `worlds`: 12 per bone, at rest.
 */
export function bindUnmirrored(skin: ColladaSkin, worlds: Float64Array, boneOfJoint: readonly number[]): void {
  const signs = boneOfJoint.map((bone, joint) =>
    Math.sign(determinant34(worlds, MATRIX_STRIDE * bone) * determinant34(skin.inverseBind, 16 * joint)),
  );
  if (!signs.includes(-1) || signs.includes(1)) return;
  for (let c = 0; c < 4; c++) skin.bindShape[c] *= -1;
  for (let x = 0; x < skin.inverseBind.length; x += 4) skin.inverseBind[x] *= -1;
}

/** The geometry that a skin moves: itself, or what a `<morph>` between them starts from. */
export function geometryOf(document: ColladaDocument, source: XmlElement): XmlElement {
  const morph = source.name === 'controller' ? child(source, 'morph') : undefined;
  if (!morph) return source;
  document.note(note('not-read', { what: 'morph-targets' }));
  return document.target(morph, 'source');
}

/** Joint → node of the scene: by id, or by sid below the skeleton's roots (below any node when none are named). */
export function findJoints(
  document: ColladaDocument,
  scene: readonly SceneNode[],
  skin: ColladaSkin,
  roots: readonly number[],
): number[] {
  const isBelow = belowRoots(scene, roots);
  const bySid = nodesBy(scene, 'sid', isBelow);
  const byId = nodesBy(scene, 'id');
  // Exporters that give no sids mean ids or names.
  const byName = new Map(scene.map((node, index) => [node.name, index]));
  return skin.joints.names.map((name) => {
    const found = skin.joints.areIds ? byId.get(name) : (bySid.get(name) ?? byId.get(name) ?? byName.get(name));
    return found ?? document.fail(skin.element, `no node of the scene is the joint "${name}"`);
  });
}

/** Whether each node is one of the roots or below one; all are when there is no root. */
export function belowRoots(scene: readonly SceneNode[], roots: readonly number[]): boolean[] {
  const below: boolean[] = [];
  scene.forEach(({ parent }, node) => {
    below.push(roots.length === 0 || roots.includes(node) || (parent >= 0 && below[parent]));
  });
  return below;
}

/** Weights in memory at most: one vertex of very many influences widens all rows. */
const MOST_WEIGHTS = 2 ** 27;

/** The weights of N vertices, all influences kept; `boneOfJoint` maps the skin's joints. */
export function readSkinWeights(
  document: ColladaDocument,
  skin: ColladaSkin,
  vertices: number,
  boneOfJoint: readonly number[],
): SkinWeights {
  const element = document.need(skin.element, 'vertex_weights');
  const inputs = childrenOf(element, 'input');
  const jointInput = document.input(element, 'JOINT');
  const weightInput = document.input(element, 'WEIGHT');
  if (!jointInput || !weightInput) return document.fail(element, '<vertex_weights> without JOINT and WEIGHT');
  const stride = 1 + Math.max(...inputs.map((input) => document.count(input, 'offset')));
  const jointOffset = document.count(jointInput, 'offset');
  const weightOffset = document.count(weightInput, 'offset');
  const table = document.source(weightInput, 1);

  const sizes = document.indices(document.need(element, 'vcount'), 0, 2 ** 31 - 1);
  // −1 as a joint means the bind shape, which no bone moves.
  const v = document.indices(document.need(element, 'v'), -1, 2 ** 31 - 1);
  const pairs = sizes.reduce((sum, size) => sum + size, 0);
  if (sizes.length !== vertices) document.fail(element, `weights of ${sizes.length} vertices (expected ${vertices})`);
  if (v.length !== pairs * stride) document.fail(element, `<v> has ${v.length} numbers (expected ${pairs * stride})`);
  const slots = sizes.reduce((most, size) => Math.max(most, size), 1);
  if (slots * vertices > MOST_WEIGHTS) {
    const got = `${slots} influences × ${vertices} vertices`;
    document.fail(element, `${got} (expected at most ${MOST_WEIGHTS})`, 'too-large');
  }

  const rows = new InfluenceRows(vertices, slots, boneOfJoint[0]);
  let at = 0;
  for (let i = 0; i < vertices; i++) {
    for (let s = 0; s < sizes[i]; s++, at += stride) {
      const joint = v[at + jointOffset];
      const row = v[at + weightOffset];
      if (joint >= boneOfJoint.length) {
        document.fail(element, `vertex ${i} follows joint ${joint} (expected < ${boneOfJoint.length})`);
      }
      if (row < 0 || row >= table.count)
        document.fail(element, `vertex ${i} has weight index ${row} (expected < ${table.count})`);
      const weight = table.values[row * table.width];
      if (weight < 0) document.fail(element, `vertex ${i} has weight ${weight} (expected ≥ 0)`);
      if (joint < 0) continue;
      rows.joints[s] = boneOfJoint[joint];
      rows.weights[s] = weight;
    }
    rows.next();
  }
  for (const repair of rows.notes()) document.note(repair);
  return rows.result();
}
