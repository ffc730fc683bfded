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
  const armature = nodes.find(({ name }) => name === 'Armature');
  const roots = json.scenes?.[json.scene ?? 0]?.nodes ?? [];
  const standsBeside = (node: GLTF.INode): boolean =>
    node !== armature &&
    ((node.mesh !== undefined && node.skin === undefined) || (node.children ?? []).some((c) => standsBeside(nodes[c])));
  if (!armature || armature.matrix || roots.some((root) => standsBeside(nodes[root]))) return undefined;
  const { translation = [0, 0, 0], rotation = [0, 0, 0, 1], scale = [1, 1, 1] } = armature;
  const [t, q, s] = [new Vector3(), new Quaternion(), new Vector3()];
  MOVE.decompose(t, q, s);
  armature.translation = new Vector3(...translation).applyMatrix4(MOVE).toArray();
  armature.rotation = q.multiply(new Quaternion(...rotation)).toArray();
  armature.scale = s.multiply(new Vector3(...scale)).toArray();
  return glbOf(json, binOf(glb));
}

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
