export { loadInThree, type ThreeScene, threePosition, threeVertices } from '../bench/engines/three-player.ts';

/** Pictures cannot be decoded in Node: takes them out of the JSON. Geometry does not depend on them. */
export function withoutTextures(glb: Uint8Array): Uint8Array {
  const view = new DataView(glb.buffer, glb.byteOffset, glb.byteLength);
  const jsonLength = view.getUint32(12, true);
  const json = JSON.parse(new TextDecoder().decode(glb.subarray(20, 20 + jsonLength)));
  delete json.images;
  delete json.textures;
  delete json.samplers;
  for (const material of json.materials ?? []) {
    for (const slot of ['normalTexture', 'occlusionTexture', 'emissiveTexture']) delete material[slot];
    delete material.pbrMetallicRoughness?.baseColorTexture;
    delete material.pbrMetallicRoughness?.metallicRoughnessTexture;
  }
  const text = new TextEncoder().encode(JSON.stringify(json).padEnd(jsonLength));
  const out = glb.slice();
  out.set(text.subarray(0, jsonLength), 20);
  return out;
}
