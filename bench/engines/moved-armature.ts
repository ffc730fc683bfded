import type { GLTF } from '@gltf-transform/core';
import { Euler, Matrix4, Quaternion, Vector3 } from 'three';
import { binOf, glbOf, jsonOf } from './glb-file.ts';
import type { Player } from './player.ts';

/** A character that is put somewhere else in the scene, turned and larger, by its armature alone. */

const MOVE = new Matrix4().compose(
  new Vector3(0.7, -0.4, 1.2),
  new Quaternion().setFromEuler(new Euler(0.3, 1.1, -0.5)),
  new Vector3(1.5, 1.5, 1.5),
);

/** The move, row-major. */
export const ARMATURE_MOVE: readonly number[] = MOVE.clone().transpose().elements;

/** The file with its armature moved, as a viewer would; undefined where there is none, or other things stand beside it. */
export function withMovedArmature(glb: Uint8Array): Uint8Array | undefined {
  const json = jsonOf(glb);
  const nodes = json.nodes ?? [];
  const armature = nodes.findIndex(({ name }) => name === 'Armature');
  const roots = json.scenes?.[json.scene ?? 0]?.nodes ?? [];
  const standsBeside = (index: number): boolean => {
    const { mesh, skin, children = [] } = nodes[index];
    return index !== armature && ((mesh !== undefined && skin === undefined) || children.some(standsBeside));
  };
  const isAnimated = json.animations?.some(({ channels }) => channels.some(({ target }) => target.node === armature));
  if (armature < 0 || isAnimated || roots.some(standsBeside)) return undefined;
  const above = worldMatrix(nodes, parentOf(nodes, armature));
  const local = above.clone().invert().multiply(MOVE).multiply(above).multiply(localMatrix(nodes[armature]));
  const { translation: _, rotation: __, scale: ___, ...others } = nodes[armature];
  nodes[armature] = { ...others, matrix: local.toArray() };
  return glbOf(json, binOf(glb));
}

const parentOf = (nodes: readonly GLTF.INode[], index: number): number =>
  nodes.findIndex(({ children = [] }) => children.includes(index));

function localMatrix({ matrix, translation, rotation, scale }: GLTF.INode): Matrix4 {
  if (matrix) return new Matrix4().fromArray(matrix);
  const [t, q, s] = [translation ?? [0, 0, 0], rotation ?? [0, 0, 0, 1], scale ?? [1, 1, 1]];
  return new Matrix4().compose(new Vector3(...t), new Quaternion(...q), new Vector3(...s));
}

const worldMatrix = (nodes: readonly GLTF.INode[], index: number): Matrix4 =>
  index < 0 ? new Matrix4() : worldMatrix(nodes, parentOf(nodes, index)).multiply(localMatrix(nodes[index]));

/** What a player shows, moved as a whole. */
export const movedPlayer = (player: Player): Player => ({
  async positions(clip, time) {
    const point = new Vector3();
    const moved = (xyz: Float32Array): Float32Array => {
      const out = new Float32Array(xyz.length);
      for (let o = 0; o < xyz.length; o += 3) point.fromArray(xyz, o).applyMatrix4(MOVE).toArray(out, o);
      return out;
    };
    return new Map([...(await player.positions(clip, time))].map(([node, xyz]) => [node, moved(xyz)]));
  },
});
