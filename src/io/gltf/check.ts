import type { GLTF } from '@gltf-transform/core';
import { type Budget, GltfFault } from './limits.ts';

/**
 * What the shape of the JSON alone cannot say: that every range of bytes lies within the one around it, that nodes form
 * trees, and that what the file unfolds to has bounds. Runs before any accessor is decoded.
 */

/** Required extensions that the reader honours, or that change nothing of what it reads. */
const READABLE = new Set([
  'KHR_draco_mesh_compression',
  'EXT_meshopt_compression',
  'KHR_meshopt_compression',
  'KHR_mesh_quantization',
  'KHR_texture_transform',
]);
const HARMLESS =
  /^(KHR_materials_|KHR_lights_|KHR_xmp|KHR_texture_basisu|EXT_texture_|EXT_lights_|KHR_node_visibility|MSFT_lod)/;

const ADVICE: Record<string, string> = {
  EXT_mesh_gpu_instancing: 'turn the instances into nodes first',
};

export function checkExtensions(json: GLTF.IGLTF): void {
  if (!/^2\./.test(json.asset.version) || (json.asset.minVersion && json.asset.minVersion !== '2.0')) {
    const version = json.asset.minVersion ?? json.asset.version;
    throw new GltfFault(`glTF version ${version.slice(0, 20)} (expected 2.0)`, 'unsupported');
  }
  for (const extension of json.extensionsRequired ?? []) {
    if (READABLE.has(extension) || HARMLESS.test(extension)) continue;
    const advice = ADVICE[extension] ? `: ${ADVICE[extension]}` : '';
    throw new GltfFault(
      `the file requires ${extension.slice(0, 60)}, which Pliant does not support${advice}`,
      'unsupported',
    );
  }
}

export interface MeshoptView {
  buffer: number;
  byteOffset?: number;
  byteLength: number;
  byteStride: number;
  count: number;
  mode: 'ATTRIBUTES' | 'TRIANGLES' | 'INDICES';
  filter?: string;
}

/** By either name: the KHR extension is the EXT one with a newer version of the codec, which the decoder knows. */
export const meshoptView = ({ extensions }: GLTF.IBufferView): MeshoptView | undefined =>
  (extensions?.KHR_meshopt_compression ?? extensions?.EXT_meshopt_compression) as MeshoptView | undefined;

/** Numbers of an element of an accessor. */
export const COMPONENTS: Record<string, number> = { SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4, MAT2: 4, MAT3: 9, MAT4: 16 };
const COMPONENT_BYTES: Record<number, number> = { 5120: 1, 5121: 1, 5122: 2, 5123: 2, 5125: 4, 5126: 4 };

/** Bytes of one element of an accessor, without padding. */
export const elementBytes = (type: string, componentType: number): number =>
  COMPONENTS[type] * COMPONENT_BYTES[componentType];

/** `buffers`: the bytes of each buffer; undefined where a buffer only stands in for compressed data. */
export function checkRanges(json: GLTF.IGLTF, buffers: readonly (Uint8Array | undefined)[], budget: Budget): void {
  const views = json.bufferViews ?? [];
  for (const [v, view] of views.entries()) {
    const meshopt = meshoptView(view);
    if (meshopt) {
      checkMeshoptView(meshopt, view, `bufferViews[${v}]`, buffers);
      budget.take(view.byteLength, `bufferViews[${v}]`);
    } else {
      checkRange(buffers[view.buffer], view.byteOffset ?? 0, view.byteLength, `bufferViews[${v}]`);
    }
  }

  for (const [a, accessor] of (json.accessors ?? []).entries()) {
    const at = `accessors[${a}]`;
    const { count, type, componentType, bufferView, byteOffset, sparse } = accessor;
    if (bufferView !== undefined) checkElements(views[bufferView], byteOffset ?? 0, count, type, componentType, at);
    if (sparse) {
      if (sparse.count > count)
        throw new GltfFault(`invalid ${at}.sparse.count (got ${sparse.count}, expected ≤ ${count})`);
      const { indices, values } = sparse;
      checkElements(
        views[indices.bufferView],
        indices.byteOffset ?? 0,
        sparse.count,
        'SCALAR',
        indices.componentType,
        `${at}.sparse.indices`,
      );
      checkElements(
        views[values.bufferView],
        values.byteOffset ?? 0,
        sparse.count,
        type,
        componentType,
        `${at}.sparse.values`,
      );
    }
    // Twice: as it is stored, and as the floats that normalised integers become.
    budget.take(count * COMPONENTS[type] * (COMPONENT_BYTES[componentType] + 4), at);
  }
}

function checkRange(buffer: Uint8Array | undefined, offset: number, length: number, at: string): void {
  if (!buffer) throw new GltfFault(`${at} lies in a buffer without data`);
  if (offset + length > buffer.length) {
    throw new GltfFault(`${at} ends beyond its buffer (got ${offset + length} bytes, expected ≤ ${buffer.length})`);
  }
}

function checkElements(
  view: GLTF.IBufferView,
  offset: number,
  count: number,
  type: string,
  componentType: number,
  at: string,
): void {
  const element = elementBytes(type, componentType);
  const stride = view.byteStride ?? element;
  if (stride < element) throw new GltfFault(`${at} overlaps itself (got a stride of ${stride}, expected ≥ ${element})`);
  const end = offset + stride * (count - 1) + element;
  if (end > view.byteLength) {
    throw new GltfFault(`${at} is longer than its buffer view (got ${end} bytes, expected ≤ ${view.byteLength})`);
  }
}

/**
 * EXT_ and KHR_meshopt_compression. The codecs bound how far data can unfold, so a lie is found before anything is allocated: a
 * triangle or index takes at least one byte; a block of 256 vertices takes at least 2 bits per byte of a vertex.
 */
function checkMeshoptView(
  meshopt: MeshoptView,
  view: GLTF.IBufferView,
  at: string,
  buffers: readonly (Uint8Array | undefined)[],
): void {
  const { mode, byteStride, count, byteLength } = meshopt;
  checkRange(buffers[meshopt.buffer], meshopt.byteOffset ?? 0, byteLength, `${at}.meshopt_compression`);
  const bad = (what: string, got: number, expected: string | number): never => {
    throw new GltfFault(`invalid ${at}.meshopt_compression.${what} (got ${got}, expected ${expected})`);
  };
  if (mode === 'ATTRIBUTES' ? byteStride % 4 !== 0 : byteStride !== 2 && byteStride !== 4) {
    bad('byteStride', byteStride, mode === 'ATTRIBUTES' ? 'a multiple of 4' : '2 or 4');
  }
  if (mode === 'TRIANGLES' && count % 3 !== 0) bad('count', count, 'a multiple of 3');
  const filter = mode === 'ATTRIBUTES' ? meshopt.filter : undefined;
  if ((filter === 'OCTAHEDRAL' || filter === 'COLOR') && byteStride !== 4 && byteStride !== 8)
    bad('byteStride', byteStride, '4 or 8');
  if (filter === 'QUATERNION' && byteStride !== 8) bad('byteStride', byteStride, 8);
  const most = mode === 'ATTRIBUTES' ? (1024 * byteLength) / byteStride : (mode === 'TRIANGLES' ? 3 : 1) * byteLength;
  if (count > most) bad('count', count, `≤ ${Math.floor(most)} in ${byteLength} bytes`);
  if (count * byteStride !== view.byteLength) bad('count', count, `${view.byteLength / byteStride} from byteLength`);
}
