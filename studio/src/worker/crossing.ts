import { readBytes } from '../../../src/doors/mesh.ts';
import type { Image, Mesh, MeshSequence, StoredBytes } from '../../../src/index.ts';

/** A value as sent from a worker to the page: without sequences, whose frames are read by a function, and pictures as bytes. */
export type Crossing<T> = T extends MeshSequence
  ? undefined
  : T extends ArrayBufferView | StoredBytes
    ? Exclude<T, StoredBytes>
    : T extends object
      ? { [K in keyof T]: Crossing<T[K]> }
      : T;

/** A value without its sequences. Shared objects stay shared. */
export function withoutSequences<T extends object>(value: T): Crossing<T> {
  const copies = new Map<unknown, object | undefined>();
  const copyOf = (each: unknown): unknown => {
    if (typeof each !== 'object' || each === null || ArrayBuffer.isView(each)) return each;
    if (copies.has(each)) return copies.get(each);
    const copy: Record<string, unknown> | unknown[] | undefined =
      'readFrame' in each ? undefined : Array.isArray(each) ? [] : {};
    copies.set(each, copy);
    for (const [key, inner] of copy ? Object.entries(each) : []) Object.assign(copy!, { [key]: copyOf(inner) });
    return copy;
  };
  return copyOf(value) as Crossing<T>;
}

/** All buffers of a value of plain objects and arrays, each once, to be transferred. Shared memory needs no transfer. */
export function buffersOf(value: unknown): ArrayBuffer[] {
  const seen = new Set<unknown>();
  const found = new Set<ArrayBuffer>();
  const visit = (each: unknown): void => {
    if (typeof each !== 'object' || each === null || seen.has(each)) return;
    seen.add(each);
    if (ArrayBuffer.isView(each)) visit(each.buffer);
    else if (each instanceof ArrayBuffer) found.add(each);
    else if (each instanceof Map || Array.isArray(each)) for (const inner of each.values()) visit(inner);
    else for (const inner of Object.values(each)) visit(inner);
  };
  visit(value);
  return [...found];
}

/** In place: gives pictures, which are read as parts of their file, bytes of their own, so that the file stays behind. */
export async function detachPictures(meshes: readonly Mesh[]): Promise<void> {
  const materials = meshes.flatMap((mesh) => mesh.materials ?? []);
  const images = materials.flatMap(({ baseColorTexture, gltf }) => [baseColorTexture ?? [], gltf?.images ?? []].flat());
  for (const image of new Set<Image>(images)) image.bytes = (await readBytes(image.bytes)).slice();
}
