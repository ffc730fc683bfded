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

/** In place: says of the compressed weights that they were filtered, which the writer of the extension does not know. */
export function declareFilteredWeights(json: GLTF.IGLTF): GLTF.IGLTF {
  for (const { primitives } of json.meshes ?? []) {
    for (const { attributes } of primitives) {
      for (const [semantic, accessor] of Object.entries(attributes)) {
        if (!semantic.startsWith('WEIGHTS_')) continue;
        const view = json.bufferViews![json.accessors![accessor].bufferView!];
        const compression = view.extensions!.EXT_meshopt_compression as Record<string, unknown>;
        compression.filter = 'EXPONENTIAL';
      }
    }
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
