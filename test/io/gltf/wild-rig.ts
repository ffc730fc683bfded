import type { GLTF, Node, Skin } from '@gltf-transform/core';

import type { MeshShape, Turn, Wild } from './wild.ts';

export interface WildFile {
  name: string;
  make(wild: Wild): void;
  /** What glTF-Transform cannot say. */
  edit?(json: GLTF.IGLTF): void;
  /** Largest distance to three.js, as a fraction of the diagonal, between keys too. */
  tolerance?: number;
}

export const TURN: Turn = [0.1, 0.3, -0.2, Math.sqrt(1 - 0.14)];
export const TIMES = [0, 0.25, 0.6, 1];

/** A joint chain with a skinned ribbon. */
export function rig(
  wild: Wild,
  prefix = '',
  shape: MeshShape = {},
  parent?: Node,
): { joints: Node[]; body: Node; skin: Skin } {
  const joints = wild.chain(`${prefix}joint`, 3, parent);
  const skin = wild.skin(joints);
  const body = wild.node(`${prefix}body`).setSkin(skin);
  return { joints, skin, body: body.setMesh(wild.mesh(`${prefix}body`, { influences: 4, ...shape })) };
}

export const KINDS = ['LINEAR', 'STEP', 'CUBICSPLINE'] as const;
