import { type Accessor, type Document, type GLTF, Logger, PlatformIO, type TypedArray } from '@gltf-transform/core';
import { EXTMeshoptCompression } from '@gltf-transform/extensions';
import { MeshoptDecoder } from 'meshoptimizer/decoder';
import { firstNonFinite } from '../../model/mesh.ts';
import { meshoptView } from './check.ts';
import { decodeDraco } from './draco.ts';
import { GltfFault } from './limits.ts';

/** Reads and writes glTF in memory only: resources are always given, so nothing is ever resolved or opened. */
export class MemoryIO extends PlatformIO {
  constructor() {
    super();
    this.setLogger(new Logger(Logger.Verbosity.SILENT));
  }
  protected override readURI(): Promise<never> {
    return Promise.reject(new GltfFault('resources must be given'));
  }
  protected override resolve(_base: string, path: string): string {
    return path;
  }
  protected override dirname(path: string): string {
    return path;
  }
}

type Integers = Uint8Array | Uint16Array | Uint32Array;

/** The decoded accessors of a file. `at` says who asks, for messages. */
export interface Accessors {
  count(index: number): number;
  /** count × components numbers, normalised integers as −1…1 or 0…1. Shared: do not write to it. */
  numbers(index: number, type: GLTF.AccessorType, at: string): Float32Array;
  /** count scalars or vectors of unsigned integers, as stored. */
  integers(index: number, type: GLTF.AccessorType, at: string): Integers;
  /** What the file says of an accessor. */
  definition(index: number): GLTF.IAccessor;
  /** The numbers as stored. Shared: do not write to it. */
  stored(index: number): TypedArray;
}

/**
 * Decodes all accessors with glTF-Transform: strides, sparse values, meshopt; then those of Draco. It is given nothing of the file but the
 * checked buffers, views and accessors; the scene is read from the JSON, whose indices match our flat arrays.
 */
export async function decodeAccessors(
  json: GLTF.IGLTF,
  buffers: readonly (Uint8Array | undefined)[],
): Promise<Accessors> {
  const definitions = json.accessors ?? [];
  const decoded = await decode(json, buffers);
  for (const [index, array] of await decodeDraco(json, buffers)) decoded[index].setArray(array);
  checkSparse(definitions, decoded);
  const expectType = (index: number, type: string, at: string): void => {
    const got = definitions[index].type;
    if (got !== type) throw new GltfFault(`${at}: accessors[${index}] is ${got} (expected ${type})`);
  };
  const floats = new Map<number, Float32Array>();
  return {
    count: (index) => definitions[index].count,
    definition: (index) => definitions[index],
    stored: (index) => decoded[index].getArray()!,
    numbers(index, type, at) {
      expectType(index, type, at);
      let values = floats.get(index);
      if (!values) {
        const array = decoded[index].getArray()!;
        values = definitions[index].normalized ? denormalize(array) : asFloats(array);
        const bad = firstNonFinite(values);
        if (bad >= 0) throw new GltfFault(`accessors[${index}]: number ${bad} is ${values[bad]} (expected finite)`);
        floats.set(index, values);
      }
      return values;
    },
    integers(index, type, at) {
      expectType(index, type, at);
      const array = decoded[index].getArray()!;
      if (array instanceof Uint8Array || array instanceof Uint16Array || array instanceof Uint32Array) return array;
      throw new GltfFault(`${at}: accessors[${index}] is not of unsigned integers`);
    },
  };
}

/**
 * The file's accessors, and behind them the places of their sparse values, in the order of those that have some: these
 * are decoded as well, to see that they are in range.
 */
async function decode(json: GLTF.IGLTF, buffers: readonly (Uint8Array | undefined)[]): Promise<Accessor[]> {
  const definitions = json.accessors ?? [];
  const views = json.bufferViews ?? [];
  const compressed = views.some((view) => meshoptView(view));
  if (compressed) await decoderReady();
  const io = new MemoryIO()
    .registerExtensions([EXTMeshoptCompression])
    .registerDependencies({ 'meshopt.decoder': MeshoptDecoder });
  const places = definitions.flatMap(({ sparse }) =>
    sparse ? [{ ...sparse.indices, count: sparse.count, type: 'SCALAR' as const, extensions: undefined }] : [],
  );
  const resources = Object.fromEntries(buffers.flatMap((data, b) => (data ? [[`buffer-${b}`, data]] : [])));
  const document = await io
    .readJSON({
      json: {
        asset: { version: '2.0' },
        extensionsUsed: compressed ? ['EXT_meshopt_compression'] : [],
        buffers: buffers.map((data, b) => ({ byteLength: data?.length ?? 0, uri: `buffer-${b}` })),
        bufferViews: views.map(underOneName),
        accessors: [
          ...definitions.map(({ name: _, extras: __, extensions: ___, ...definition }) => definition),
          ...places,
        ],
      } as GLTF.IGLTF,
      resources: resources as Record<string, Uint8Array<ArrayBuffer>>,
    })
    .catch((error: unknown): Document => {
      throw new GltfFault(`compressed data is damaged (${error instanceof Error ? error.message : 'undecodable'})`);
    });
  return document.getRoot().listAccessors();
}

/** Meshopt is decoded by WebAssembly, which hosts can lack, or have without SIMD. */
async function decoderReady(): Promise<void> {
  const ready = MeshoptDecoder.supported && (await MeshoptDecoder.ready.then(() => true).catch(() => false));
  if (ready) return;
  throw new GltfFault('meshopt compression needs WebAssembly with SIMD, which is not available here', 'unsupported');
}

/** The places of sparse values must rise, and be places. */
function checkSparse(definitions: readonly GLTF.IAccessor[], decoded: readonly Accessor[]): void {
  const sparse = [...definitions.entries()].filter(([, definition]) => definition.sparse);
  sparse.forEach(([a, { count }], s) => {
    const places = decoded[definitions.length + s].getArray() as Integers;
    for (let n = 0; n < places.length; n++) {
      if (places[n] >= count || (n > 0 && places[n] <= places[n - 1])) {
        throw new GltfFault(
          `accessors[${a}].sparse.indices: entry ${n} is ${places[n]} (expected increasing, < count)`,
        );
      }
    }
  });
}

/** glTF-Transform knows compressed views by one of their two names. */
function underOneName(view: GLTF.IBufferView): GLTF.IBufferView {
  const meshopt = meshoptView(view);
  return meshopt ? { ...view, extensions: { EXT_meshopt_compression: meshopt } } : view;
}

type Stored = ArrayLike<number> & { readonly BYTES_PER_ELEMENT: number };

const asFloats = (array: Stored): Float32Array =>
  array instanceof Float32Array ? array : Float32Array.from(array as ArrayLike<number>);

/** glTF 2.0 §3.6.2.2: c/255, c/65535, max(c/127, −1), max(c/32767, −1). */
function denormalize(array: Stored): Float32Array {
  if (array instanceof Float32Array || array instanceof Uint32Array) return asFloats(array);
  const signed = array instanceof Int8Array || array instanceof Int16Array;
  const largest = 2 ** (8 * array.BYTES_PER_ELEMENT - (signed ? 1 : 0)) - 1;
  return Float32Array.from(array as ArrayLike<number>, (c) => Math.max(c / largest, -1));
}
