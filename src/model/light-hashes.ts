import { murmur3 } from '../math/murmur3.ts';
import type { LightModel } from './light.ts';
import type { SkinnedModel } from './skinned-model.ts';

const hex = (bytes: Uint8Array): string => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

/** Of several arrays: the hash of their hashes. */
function hashOf(...arrays: readonly ArrayBufferView[]): string {
  const each = arrays.map((array) => murmur3(new Uint8Array(array.buffer, array.byteOffset, array.byteLength)));
  return hex(murmur3(Uint8Array.from(each.flatMap((bytes) => [...bytes]))));
}

/** What tells the model that light was made for from others. */
export const lightHashes = ({ mesh, weights }: Pick<SkinnedModel, 'mesh' | 'weights'>): LightModel['hashes'] => ({
  mesh: hashOf(mesh.positions, mesh.triangles),
  weights: hashOf(weights.joints, weights.weights),
});
