import type { GLTF } from '@gltf-transform/core';
import { MeshoptEncoder } from 'meshoptimizer/encoder';
import { elementBytes, type MeshoptView, meshoptView } from '../check.ts';

/** EXT_meshopt_compression of the views of a file, without loss: accessors and their indices stay what they are. */

/** A view as it is stored compressed. `meshopt` has no place yet. */
export interface CompressedView {
  index: number;
  bytes: Uint8Array;
  meshopt: MeshoptView;
}

/** What views hold. */
type Mode = MeshoptView['mode'];

/** Rows of vertex data have at most so many bytes. */
const MOST_STRIDE = 256;

/** The views that get smaller. `MeshoptEncoder` must be ready. */
export async function compressedViews(
  json: GLTF.IGLTF,
  bytesOf: (view: GLTF.IBufferView) => Promise<Uint8Array | undefined>,
): Promise<CompressedView[]> {
  const accessors = accessorsOf(json);
  const modes = indexModes(json);
  const found: CompressedView[] = [];
  for (const [index, view] of (json.bufferViews ?? []).entries()) {
    const own = accessors.get(index) ?? [];
    const bytes = own.length > 0 && !meshoptView(view) ? await bytesOf(view) : undefined;
    if (!bytes) continue;
    const strides = own.map(
      (a) => view.byteStride ?? elementBytes(json.accessors![a].type, json.accessors![a].componentType),
    );
    const [byteStride] = strides;
    const mode = modes.get(own[0]) ?? 'ATTRIBUTES';
    const count = bytes.length / byteStride;
    const isRows = strides.every((stride) => stride === byteStride) && Number.isInteger(count);
    const isAttribute = byteStride % 4 === 0 && byteStride <= MOST_STRIDE && own.every((a) => !modes.has(a));
    const isIndex =
      (byteStride === 2 || byteStride === 4) && own.length === 1 && (mode === 'INDICES' || count % 3 === 0);
    if (!isRows || !(mode === 'ATTRIBUTES' ? isAttribute : isIndex)) continue;
    const smaller = MeshoptEncoder.encodeGltfBuffer(bytes, count, byteStride, mode);
    const meshopt: MeshoptView = { buffer: 0, byteLength: smaller.length, byteStride, count, mode };
    if (smaller.length < bytes.length) found.push({ index, bytes: smaller, meshopt });
  }
  return found;
}

/** View → its accessors, for views that hold nothing else. */
function accessorsOf({ accessors = [], images = [], meshes = [] }: GLTF.IGLTF): Map<number, number[]> {
  const found = new Map<number, number[]>();
  for (const [a, { bufferView }] of accessors.entries()) {
    if (bufferView !== undefined) found.set(bufferView, [...(found.get(bufferView) ?? []), a]);
  }
  const draco = meshes.flatMap(({ primitives }) =>
    primitives.map((each) => each.extensions?.KHR_draco_mesh_compression),
  );
  const others = [...images, ...draco, ...accessors.flatMap(({ sparse }) => [sparse?.indices, sparse?.values])];
  for (const other of others as ({ bufferView?: number } | undefined)[]) {
    if (other?.bufferView !== undefined) found.delete(other.bufferView);
  }
  return found;
}

/** Accessor → how indices are to be compressed; only those of plain triangles may be turned. */
function indexModes({ meshes = [] }: GLTF.IGLTF): Map<number, Mode> {
  const modes = new Map<number, Mode>();
  for (const { indices, mode = 4 } of meshes.flatMap(({ primitives }) => primitives)) {
    if (indices === undefined) continue;
    modes.set(indices, mode === 4 && modes.get(indices) !== 'INDICES' ? 'TRIANGLES' : 'INDICES');
  }
  return modes;
}
