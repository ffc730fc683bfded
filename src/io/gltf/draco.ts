import type { GLTF, TypedArray } from '@gltf-transform/core';
import type { DracoDecoder, DracoMesh, DracoModule } from 'draco3dgltf/draco_decoder_gltf_nodejs.js';
import { COMPONENTS } from './check.ts';
import { GltfFault } from './limits.ts';

/** KHR_draco_mesh_compression: the decoder, and its WebAssembly, are loaded when a file needs them. */

interface DracoPrimitive {
  primitive: GLTF.IMeshPrimitive;
  bufferView: number;
  /** Semantic → id of the attribute in the compressed mesh. */
  attributes: Record<string, number>;
  at: string;
}

/** The accessors that lie in compressed meshes: index → numbers as the accessor says to store them. */
export async function decodeDraco(
  json: GLTF.IGLTF,
  buffers: readonly (Uint8Array | undefined)[],
): Promise<Map<number, TypedArray>> {
  const decoded = new Map<number, TypedArray>();
  const primitives = compressedPrimitives(json);
  if (primitives.length === 0) return decoded;
  const module = await loadDecoder();
  const decoder = new module.Decoder();
  try {
    for (const view of new Set(primitives.map(({ bufferView }) => bufferView))) {
      const parts = primitives.filter(({ bufferView }) => bufferView === view);
      decodeView(json, buffers, view, parts, module, decoder, decoded);
    }
    module.destroy(decoder);
    return decoded;
  } catch (error) {
    loading = undefined; // After a trap a WebAssembly instance cannot be used again; a new one also frees what this holds.
    if (error instanceof GltfFault) throw error;
    throw new GltfFault(`Draco data is damaged (${error instanceof Error ? error.message : 'undecodable'})`);
  }
}

/** Those whose accessors have no uncompressed data. */
function compressedPrimitives({ meshes = [], accessors = [] }: GLTF.IGLTF): DracoPrimitive[] {
  return meshes.flatMap(({ primitives }, m) =>
    primitives.flatMap((primitive, p) => {
      const draco = primitive.extensions?.KHR_draco_mesh_compression as DracoPrimitive | undefined;
      const isNeeded = Object.values(primitive.attributes).some((index) => accessors[index].bufferView === undefined);
      return draco && isNeeded ? [{ ...draco, primitive, at: `meshes[${m}].primitives[${p}]` }] : [];
    }),
  );
}

function decodeView(
  json: GLTF.IGLTF,
  buffers: readonly (Uint8Array | undefined)[],
  view: number,
  parts: readonly DracoPrimitive[],
  module: DracoModule,
  decoder: DracoDecoder,
  decoded: Map<number, TypedArray>,
): void {
  const { buffer, byteOffset = 0, byteLength } = json.bufferViews![view];
  const data = buffers[buffer]!.subarray(byteOffset, byteOffset + byteLength);
  const mesh = new module.Mesh();
  const status = decoder.DecodeArrayToMesh(new Int8Array(data), byteLength, mesh);
  if (!status.ok()) throw new GltfFault(`bufferViews[${view}]: Draco data is damaged (${status.error_msg()})`);
  for (const { primitive, attributes, at } of parts) {
    for (const [semantic, id] of Object.entries(attributes)) {
      const index = primitive.attributes[semantic];
      if (index === undefined) throw new GltfFault(`${at} has Draco data of ${semantic}, but no such attribute`);
      const { count, type, componentType } = json.accessors![index];
      expectCount(`${at}.${semantic}`, mesh.num_points(), count);
      const attribute = decoder.GetAttributeByUniqueId(mesh, id);
      const size = attribute.ptr === 0 ? 0 : attribute.num_components();
      if (size !== COMPONENTS[type]) {
        throw new GltfFault(`${at}.${semantic}: Draco data has ${size} components (expected ${COMPONENTS[type]})`);
      }
      const [Kind, dataType] = kindOf(componentType, module);
      const values = fromHeap(module, new Kind(count * size), (bytes, pointer) =>
        decoder.GetAttributeDataArrayForAllPoints(mesh, attribute, dataType, bytes, pointer),
      );
      decoded.set(index, values);
    }
    if (primitive.indices !== undefined) {
      const { count } = json.accessors![primitive.indices];
      expectCount(`${at}.indices`, 3 * mesh.num_faces(), count);
      decoded.set(primitive.indices, trianglesOf(module, decoder, mesh, count));
    }
  }
  module.destroy(mesh);
}

function expectCount(at: string, got: number, expected: number): void {
  if (got !== expected) throw new GltfFault(`${at}: Draco data has ${got} elements (expected ${expected})`);
}

const trianglesOf = (module: DracoModule, decoder: DracoDecoder, mesh: DracoMesh, count: number): Uint32Array =>
  fromHeap(module, new Uint32Array(count), (bytes, pointer) => decoder.GetTrianglesUInt32Array(mesh, bytes, pointer));

/** Fills an array with what the decoder writes to its own memory. */
function fromHeap<T extends TypedArray>(
  module: DracoModule,
  array: T,
  write: (bytes: number, pointer: number) => boolean,
): T {
  const bytes = array.byteLength;
  const pointer = module._malloc(bytes);
  try {
    if (!write(bytes, pointer)) throw new GltfFault('Draco data is damaged');
    new Uint8Array(array.buffer).set(module.HEAPU8.subarray(pointer, pointer + bytes));
    return array;
  } finally {
    module._free(pointer);
  }
}

/** The array and Draco's name of a component type (checked by schema.ts). */
function kindOf(componentType: number, module: DracoModule): [new (length: number) => TypedArray, number] {
  const kinds: Record<number, [new (length: number) => TypedArray, number]> = {
    5120: [Int8Array, module.DT_INT8],
    5121: [Uint8Array, module.DT_UINT8],
    5122: [Int16Array, module.DT_INT16],
    5123: [Uint16Array, module.DT_UINT16],
    5125: [Uint32Array, module.DT_UINT32],
    5126: [Float32Array, module.DT_FLOAT32],
  };
  return kinds[componentType];
}

let loading: Promise<DracoModule> | undefined;

/**
 * In Node the decoder finds its WebAssembly beside itself. Elsewhere a bundler has moved it: `new URL` is what they look for,
 * to take the file along.
 */
function loadDecoder(): Promise<DracoModule> {
  loading ??= import('draco3dgltf/draco_decoder_gltf_nodejs.js')
    .then(({ default: create }) => {
      const bundled = new URL('draco3dgltf/draco_decoder_gltf.wasm', import.meta.url).href;
      const isOnline = (folder: string) => folder === '' || folder.includes('://');
      return create({ locateFile: (name, folder) => (isOnline(folder) ? bundled : folder + name) });
    })
    .catch((error: unknown) => {
      loading = undefined;
      const why = error instanceof Error ? error.message : 'no WebAssembly';
      throw new GltfFault(`Draco's decoder could not be loaded (${why})`, 'unsupported');
    });
  return loading;
}
