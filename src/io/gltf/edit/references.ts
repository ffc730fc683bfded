import type { GLTF } from '@gltf-transform/core';
import { CLOTH_EXTENSION, IMAGES_EXTENSION, LIGHT_EXTENSION, PREDICTOR_EXTENSION } from '../extension-names.ts';

/**
 * Accessors and views that an edit has left without use give their place to new ones, so that files do not grow by what
 * nobody reads. Only where every extension is known not to refer to them in ways of its own.
 */

/** Extensions that refer to accessors and views only as `accessorReferences` and `viewReferences` know, or not at all. */
const KNOWN =
  /^(KHR_materials_|KHR_lights_|KHR_texture_|KHR_mesh_quantization|KHR_draco_mesh_compression|KHR_xmp|KHR_node_visibility|EXT_texture_|EXT_lights_|EXT_mesh_gpu_instancing|MSFT_texture_|MSFT_lod|ADOBE_materials_|FB_ngon|VRM|PLIANT_)|_meshopt_compression$/;

/** An object and the property of it that holds an index. */
type Reference = [holder: Record<string, number>, key: string];

function* accessorReferences({ meshes = [], skins = [], animations = [], nodes = [], extensions }: GLTF.IGLTF) {
  const all = (of: unknown) => Object.keys(of ?? {}).map((key): Reference => [of as Reference[0], key]);
  const one = (of: unknown, key: string) => all(of).filter(([, each]) => each === key);
  for (const primitive of meshes.flatMap(({ primitives }) => primitives)) {
    yield* [...all(primitive.attributes), ...one(primitive, 'indices'), ...(primitive.targets ?? []).flatMap(all)];
    yield* all((primitive.extensions?.[LIGHT_EXTENSION] as { accessors?: object } | undefined)?.accessors);
  }
  for (const skin of skins) yield* one(skin, 'inverseBindMatrices');
  for (const sampler of animations.flatMap(({ samplers }) => samplers)) {
    yield* [...one(sampler, 'input'), ...one(sampler, 'output')];
  }
  for (const { extensions: own } of nodes) {
    yield* all((own?.EXT_mesh_gpu_instancing as { attributes?: object } | undefined)?.attributes);
  }
  yield* one(extensions?.[PREDICTOR_EXTENSION], 'accessor');
  yield* one(extensions?.[CLOTH_EXTENSION], 'accessor');
}

function* viewReferences({ accessors = [], images = [], meshes = [], nodes = [] }: GLTF.IGLTF) {
  const draco = meshes.flatMap(({ primitives }) =>
    primitives.map((each) => each.extensions?.KHR_draco_mesh_compression),
  );
  const holders = [
    ...accessors.flatMap((each) => [each, each.sparse?.indices, each.sparse?.values]),
    ...images,
    ...draco,
    ...nodes.flatMap(({ extensions }) => imageReferences(extensions?.[IMAGES_EXTENSION])),
  ];
  for (const holder of holders as ({ bufferView?: number } | undefined)[]) {
    if (holder?.bufferView !== undefined) yield [holder, 'bufferView'] as unknown as Reference;
  }
}

/** The references of geometry images, as `io/geometry-images.ts` describes them. */
function imageReferences(extension: unknown): unknown[] {
  const { base, levels = [] } = (extension ?? {}) as { base?: unknown; levels?: unknown };
  return [base, ...(Array.isArray(levels) ? levels.flatMap((level) => Object.values(level ?? {})) : [])];
}

/** In place. Whether some view gave way. `before` is the file as it was; what is new in `json` comes behind. */
export function reuseSlots(before: GLTF.IGLTF, json: GLTF.IGLTF): boolean {
  if (extensionNames(json).some((name) => !KNOWN.test(name))) return false;
  reuseFreed('accessors', accessorReferences, before, json);
  return reuseFreed('bufferViews', viewReferences, before, json);
}

function reuseFreed(
  list: 'accessors' | 'bufferViews',
  references: (json: GLTF.IGLTF) => Iterable<Reference>,
  before: GLTF.IGLTF,
  json: GLTF.IGLTF,
): boolean {
  const usedIn = (file: GLTF.IGLTF) => Array.from(references(file), ([holder, key]) => holder[key]);
  const given = before[list]?.length ?? 0;
  const items = (json[list] ?? []) as unknown[];
  const added = items.slice(given);
  const used = new Set(usedIn(json));
  const free = [...new Set(usedIn(before))].filter((index) => !used.has(index)).sort((a, b) => a - b);
  const places = added.map((_, k) => free[k] ?? given + k - free.length);
  for (const [holder, key] of references(json)) if (holder[key] >= given) holder[key] = places[holder[key] - given];
  for (const [k, place] of places.entries()) items[place] = added[k];
  items.length = given + Math.max(0, added.length - free.length);
  // What is free beyond that goes where no index changes by it: at the end.
  const left = new Set(free.slice(added.length));
  while (left.has(items.length - 1)) items.pop();
  return free.length > 0;
}

/** Of every extension that something in the file has. */
export function extensionNames(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) return value.flatMap(extensionNames);
  return Object.entries(value).flatMap(([key, inner]) => [
    ...(key === 'extensions' && typeof inner === 'object' ? Object.keys(inner ?? {}) : []),
    ...extensionNames(inner),
  ]);
}
