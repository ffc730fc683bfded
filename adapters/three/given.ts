import type { AnimationClip, Object3D, SkinnedMesh } from 'three';
import { PliantError } from '../../src/error.ts';

/** Checks of what programs pass, where types were not asked: an object that was not found is often `undefined`. */

export function requireObject(object: Object3D | null | undefined, operation: string): void {
  if (!object?.isObject3D) throw unexpected(operation, 'the object', object, 'an Object3D');
}

export function requireSkinnedMesh(mesh: SkinnedMesh | null | undefined, operation: string): void {
  if (!mesh?.isSkinnedMesh) throw unexpected(operation, 'the mesh', mesh, 'a SkinnedMesh');
  if (!mesh.skeleton)
    throw unexpected(operation, `skeleton of mesh "${mesh.name}"`, mesh.skeleton, 'mesh.bind(…) first');
}

export function requireClip(clip: AnimationClip | null | undefined, operation: string): void {
  if (!Array.isArray(clip?.tracks)) throw unexpected(operation, 'the clip', clip, 'an AnimationClip');
}

function unexpected(operation: string, what: string, got: unknown, expected: string): PliantError {
  const type = (got as { type?: unknown } | null | undefined)?.type;
  const told = typeof type === 'string' && type !== '' ? type : `${got === null ? null : typeof got}`;
  return new PliantError('bad-input', operation, `${what} (got ${told}, expected ${expected})`);
}
