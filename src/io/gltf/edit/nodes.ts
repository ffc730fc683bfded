import type { GLTF } from '@gltf-transform/core';
import { normalizeQuaternion } from '../../../math/quaternion.ts';
import { boneCount, LOCAL_STRIDE, type Skeleton } from '../../../model/skeleton.ts';
import type { ModelOrigin, SkinnedModel } from '../../../model/skinned-model.ts';
import { shortestFloat32 } from '../../glb/json.ts';
import { blendBoneJson } from '../blend-bone-extension.ts';
import { BLEND_BONE_EXTENSION } from '../extension-names.ts';
import type { GltfEditor } from './editor.ts';

/** The node of every bone: those of the file, and new ones below the nodes of their parents for bones that were added. */
export function nodesOf(editor: GltfEditor, skeleton: Skeleton, { bones }: ModelOrigin): number[] {
  const nodes = Array.from(bones);
  for (let j = nodes.length; j < boneCount(skeleton); j++) {
    const node = editor.append('nodes', { name: freeName(editor, skeleton.names[j]), ...poseOf(skeleton, j) });
    const parent = skeleton.parents[j];
    if (parent >= 0) addChild(editor, nodes[parent], node);
    else addBeside(editor, bones[0], node);
    nodes.push(node);
  }
  return nodes;
}

/** A bone's rest pose as properties of a node, without those that glTF assumes. */
export function poseOf({ restLocals }: Skeleton, j: number): Pick<GLTF.INode, 'translation' | 'rotation' | 'scale'> {
  const local = Float64Array.from(restLocals.subarray(LOCAL_STRIDE * j, LOCAL_STRIDE * (j + 1)));
  normalizeQuaternion(local, 3);
  const [x, y, z, qx, qy, qz, qw, sx, sy, sz] = local.map(shortestFloat32);
  return {
    ...((x !== 0 || y !== 0 || z !== 0) && { translation: [x, y, z] }),
    ...((qx !== 0 || qy !== 0 || qz !== 0) && { rotation: [qx, qy, qz, qw] }),
    ...((sx !== 1 || sy !== 1 || sz !== 1) && { scale: [sx, sy, sz] }),
  };
}

/** Says of blend bones how they follow from joints, and no longer of bones that are none now. */
export function describeBlendBones(
  editor: GltfEditor,
  { blendBones }: SkinnedModel,
  nodes: readonly number[],
  jointOf: readonly number[],
): void {
  for (const [bone, node] of nodes.entries()) {
    const blend = blendBones?.bones.find((each) => each.bone === bone);
    const { [BLEND_BONE_EXTENSION]: said, ...others } = editor.json.nodes![node].extensions ?? {};
    if (!blend && said === undefined) continue;
    const json = blend && blendBoneJson(blendBones!, blend, (master) => jointOf[master]);
    const definition = editor.change('nodes', node);
    definition.extensions = { ...others, ...(json && { [BLEND_BONE_EXTENSION]: json }) };
    if (Object.keys(definition.extensions).length === 0) delete definition.extensions;
  }
  if (blendBones) editor.useExtension(BLEND_BONE_EXTENSION);
}

/** n: the parent of each node, −1 for roots. */
export function parentsOf({ nodes = [] }: GLTF.IGLTF): Int32Array {
  const parents = new Int32Array(nodes.length).fill(-1);
  for (const [parent, { children = [] }] of nodes.entries()) for (const child of children) parents[child] = parent;
  return parents;
}

/** The name, numbered where a node of the file has it already: code finds nodes by their names. */
export function freeName({ json }: GltfEditor, name: string): string {
  const taken = new Set(json.nodes!.map((node) => node.name));
  let free = name;
  for (let n = 2; taken.has(free); n++) free = `${name} (${n})`;
  return free;
}

export function addChild(editor: GltfEditor, parent: number, child: number): void {
  const node = editor.change('nodes', parent);
  node.children = [...(node.children ?? []), child];
}

/** Puts a node where another one is: below its parent, or in the scenes that have it. */
function addBeside(editor: GltfEditor, sibling: number, node: number): void {
  const parent = parentsOf(editor.json)[sibling];
  if (parent >= 0) addChild(editor, parent, node);
  for (const [s, { nodes = [] }] of (editor.json.scenes ?? []).entries()) {
    if (nodes.includes(sibling)) editor.change('scenes', s).nodes = [...nodes, node];
  }
}
