import type { GLTF } from '@gltf-transform/core';
import { MeshoptEncoder } from 'meshoptimizer/encoder';
import { type Bytes, readBytes } from '../../../model/bytes.ts';
import type { GltfSource } from '../../../model/gltf-source.ts';
import { imageType } from '../../image-type.ts';
import { glbParts } from '../container.ts';
import { dataUriType, decodeDataUri } from '../resources.ts';
import { layOutBin } from './bin.ts';
import { compressedViews } from './compress.ts';
import { reuseSlots } from './references.ts';

type List = 'accessors' | 'animations' | 'bufferViews' | 'images' | 'meshes' | 'nodes' | 'scenes' | 'skins';
type Item<L extends List> = NonNullable<GLTF.IGLTF[L]>[number];

/** What accessors of the editor can hold. */
export type Stored = Float32Array | Int8Array | Int16Array | Uint8Array | Uint16Array | Uint32Array;

const COMPONENT_TYPES = new Map<unknown, GLTF.AccessorComponentType>([
  [Float32Array, 5126],
  [Int8Array, 5120],
  [Int16Array, 5122],
  [Uint8Array, 5121],
  [Uint16Array, 5123],
  [Uint32Array, 5125],
]);

/** The target of views with vertex data. */
export const ARRAY_BUFFER = 34962;
/** What rows of vertex data start at multiples of, in bytes. */
const ROW_ALIGNMENT = 4;

const MESHOPT_EXTENSION = 'EXT_meshopt_compression';

const COMPONENTS = { SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4, MAT2: 4, MAT3: 9, MAT4: 16 } as const;

/**
 * A glTF file being changed. What exists keeps its index, so that extensions that we do not know still mean what they
 * say; what is new comes behind. The source is not touched: items are copied when they are changed, and bytes when the
 * file is put together.
 */
export class GltfEditor {
  /** Items are changed by `change` and `append` only. */
  readonly json: GLTF.IGLTF;
  readonly #source: GltfSource;
  readonly #own = new Set<unknown>();
  readonly #added = new Map<GLTF.IBufferView, Bytes>();

  constructor(source: GltfSource) {
    this.#source = source;
    this.json = { ...source.json } as unknown as GLTF.IGLTF;
  }

  /** An item as a copy whose properties may be set. What these hold still belongs to the source. */
  change<L extends List>(list: L, index: number): Item<L> {
    const items = this.#items(list);
    if (!this.#own.has(items[index])) items[index] = this.#owned({ ...items[index] });
    return items[index];
  }

  append<L extends List>(list: L, item: Item<L>): number {
    return this.#items(list).push(this.#owned(item)) - 1;
  }

  /**
   * A new accessor. `rising`: the numbers rise, and are stored with the first and the last as their bounds; `bounds`: with
   * those of each component. Rows of vertex data (`target`) start at multiples of 4 bytes.
   */
  accessor(
    type: GLTF.AccessorType,
    array: Stored,
    more: { normalized?: boolean; rising?: boolean; bounds?: boolean; target?: number } = {},
  ) {
    const { normalized, rising, bounds, target } = more;
    const size = COMPONENTS[type];
    const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
    const row = size * array.BYTES_PER_ELEMENT;
    const isPadded = target === ARRAY_BUFFER && row % ROW_ALIGNMENT !== 0;
    const stored = isPadded ? paddedRows(bytes, row) : bytes;
    const view: GLTF.IBufferView = {
      buffer: 0,
      byteLength: stored.length,
      ...(isPadded && { byteStride: paddedRow(row) }),
      ...(target && { target }),
    };
    const definition: GLTF.IAccessor = {
      bufferView: this.#appendView(view, stored),
      componentType: COMPONENT_TYPES.get(array.constructor)!,
      count: array.length / size,
      type,
      ...(normalized && { normalized }),
      ...(rising && { min: [array[0]], max: [array[array.length - 1]] }),
      ...(bounds && boundsOfRows(array, size)),
    };
    return this.append('accessors', definition);
  }

  /** A new view of bytes that only an extension knows. */
  view(bytes: Uint8Array): number {
    return this.#appendView({ buffer: 0, byteLength: bytes.length }, bytes);
  }

  useExtension(name: string): void {
    const { extensionsUsed = [] } = this.json;
    if (!extensionsUsed.includes(name)) this.json.extensionsUsed = [...extensionsUsed, name];
  }

  /** The file as a GLB, in parts to be written one after the other: all buffers and pictures in one. `compress`: with meshopt. */
  async finish(operation: string, compress = false): Promise<Bytes[]> {
    await this.#embedImages();
    const isFreed = reuseSlots(this.#source.json as unknown as GLTF.IGLTF, this.json);
    const bytes = [...this.#source.buffers];
    if (compress) await this.#compressViews();
    while (bytes.length < (this.json.buffers?.length ?? 0)) bytes.push(undefined);
    const { views, buffers, pieces } = layOutBin(this.json, bytes, this.#added, isFreed || compress);
    const json = { ...this.json };
    if (views.length > 0) json.bufferViews = views;
    if (buffers.length > 0) json.buffers = buffers;
    return glbParts(json, pieces, operation);
  }

  /** Pictures that are not there, or cannot be decoded, stay as they are named. */
  async #embedImages(): Promise<void> {
    for (const [i, { uri = '' }] of (this.json.images ?? []).entries()) {
      const bytes = uri.startsWith('data:') ? readableDataUri(uri) : this.#source.images[i];
      if (!bytes) continue;
      const image = this.change('images', i);
      delete image.uri;
      image.mimeType ??= dataUriType(uri) || (await imageType(bytes)) || 'image/png';
      image.bufferView = this.#appendView({ buffer: 0, byteLength: bytes.length }, bytes);
    }
  }

  /** Compressed views lie in a buffer of their own, which has no bytes. */
  async #compressViews(): Promise<void> {
    await MeshoptEncoder.ready;
    const bytesOf = async (view: GLTF.IBufferView): Promise<Uint8Array | undefined> => {
      const { buffer, byteOffset = 0, byteLength } = view;
      const known =
        this.#added.get(view) ?? this.#source.buffers[buffer]?.subarray(byteOffset, byteOffset + byteLength);
      return known && readBytes(known);
    };
    const { buffers = [] } = this.json;
    let byteLength = 0;
    for (const { index, bytes, meshopt } of await compressedViews(this.json, bytesOf)) {
      const view = this.change('bufferViews', index);
      Object.assign(view, { buffer: buffers.length, byteOffset: byteLength });
      view.extensions = { ...view.extensions, [MESHOPT_EXTENSION]: meshopt };
      this.#added.set(view, bytes);
      byteLength += 4 * Math.ceil(view.byteLength / 4);
    }
    if (byteLength === 0) return;
    this.json.buffers = [...buffers, { byteLength, extensions: { [MESHOPT_EXTENSION]: { fallback: true } } }];
    this.useExtension(MESHOPT_EXTENSION);
    this.json.extensionsRequired = [...new Set([...(this.json.extensionsRequired ?? []), MESHOPT_EXTENSION])];
  }

  #appendView(view: GLTF.IBufferView, bytes: Bytes): number {
    this.#added.set(view, bytes);
    return this.append('bufferViews', view);
  }

  #items<L extends List>(list: L): Item<L>[] {
    if (!this.#own.has(this.json[list])) this.json[list] = this.#owned([...(this.json[list] ?? [])]) as GLTF.IGLTF[L];
    return this.json[list] as Item<L>[];
  }

  #owned<T>(value: T): T {
    this.#own.add(value);
    return value;
  }
}

const paddedRow = (row: number): number => ROW_ALIGNMENT * Math.ceil(row / ROW_ALIGNMENT);

function paddedRows(bytes: Uint8Array, row: number): Uint8Array {
  const stride = paddedRow(row);
  const out = new Uint8Array((bytes.length / row) * stride);
  for (let r = 0; r * row < bytes.length; r++) out.set(bytes.subarray(r * row, (r + 1) * row), r * stride);
  return out;
}

/** The least and the largest number of each component. */
function boundsOfRows(array: Stored, size: number): { min: number[]; max: number[] } {
  const min = new Array<number>(size).fill(Infinity);
  const max = new Array<number>(size).fill(-Infinity);
  for (let c = 0; c < array.length; c++) {
    min[c % size] = Math.min(min[c % size], array[c]);
    max[c % size] = Math.max(max[c % size], array[c]);
  }
  return { min, max };
}

function readableDataUri(uri: string): Uint8Array | undefined {
  try {
    return decodeDataUri(uri, 'image');
  } catch {
    return undefined;
  }
}
