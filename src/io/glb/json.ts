import type { GLTF } from '@gltf-transform/core';

/** JSON is the part of a small GLB that nothing compresses: what says nothing is left out. */

/** Removes, in place, values that glTF 2.0 assumes anyway. */
export function withoutDefaults(json: GLTF.IGLTF): GLTF.IGLTF {
  const drop = <T extends object>(from: T, key: keyof T, value: unknown) => {
    if (from[key] === value) delete from[key];
  };
  for (const accessor of json.accessors ?? []) {
    drop(accessor, 'normalized', false);
    drop(accessor, 'byteOffset', 0);
  }
  for (const view of json.bufferViews ?? []) drop(view, 'byteOffset', 0);
  for (const mesh of json.meshes ?? []) for (const primitive of mesh.primitives) drop(primitive, 'mode', 4);
  for (const { samplers } of json.animations ?? []) for (const one of samplers) drop(one, 'interpolation', 'LINEAR');
  return json;
}

/** The name of accessors whose numbers are words of the filter EXPONENTIAL, which the writer of the extension does not know. */
export const FILTERED = 'EXPONENTIAL';

/** In place: says of such accessors that they were filtered, instead of naming them. */
export function declareFiltered(json: GLTF.IGLTF): GLTF.IGLTF {
  for (const accessor of json.accessors ?? []) {
    if (accessor.name !== FILTERED) continue;
    delete accessor.name;
    const { extensions } = json.bufferViews![accessor.bufferView!];
    (extensions!.EXT_meshopt_compression as Record<string, unknown>).filter = FILTERED;
  }
  return json;
}

/** The shortest decimal that is this number once stored as float32. */
export function shortestFloat32(x: number): number {
  const stored = Math.fround(x);
  for (let digits = 1; digits <= 9; digits++) {
    const short = Number(x.toPrecision(digits));
    if (Math.fround(short) === stored) return short;
  }
  return stored;
}
