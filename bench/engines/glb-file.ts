import type { GLTF } from '@gltf-transform/core';

/** GLB files taken apart and put together as raw JSON and bytes, with nothing checked. */

/** A GLB from its parts, with nothing checked; bytes are taken as JSON text. */
export function glbOf(json: unknown, bin: Uint8Array = new Uint8Array(0)): Uint8Array {
  const text = json instanceof Uint8Array ? json : new TextEncoder().encode(JSON.stringify(json));
  const jsonLength = Math.ceil(text.length / 4) * 4;
  const binLength = Math.ceil(bin.length / 4) * 4;
  const out = new Uint8Array(12 + 8 + jsonLength + (binLength > 0 ? 8 + binLength : 0));
  const view = new DataView(out.buffer);
  const words = [0x46546c67, 2, out.length, jsonLength, 0x4e4f534a];
  for (const [w, word] of words.entries()) view.setUint32(4 * w, word, true);
  out.fill(0x20, 20, 20 + jsonLength).set(text, 20);
  if (binLength > 0) {
    view.setUint32(20 + jsonLength, binLength, true);
    view.setUint32(24 + jsonLength, 0x004e4942, true);
    out.set(bin, 28 + jsonLength);
  }
  return out;
}

/** The JSON of a GLB. */
export function jsonOf(glb: Uint8Array): GLTF.IGLTF {
  const length = new DataView(glb.buffer, glb.byteOffset).getUint32(12, true);
  return JSON.parse(new TextDecoder().decode(glb.subarray(20, 20 + length)));
}

/** The binary chunk of a GLB. */
export function binOf(glb: Uint8Array): Uint8Array {
  const length = new DataView(glb.buffer, glb.byteOffset).getUint32(12, true);
  return glb.slice(28 + length);
}

/** Collects arrays into one buffer, with a view and an accessor for each. */
export class Bin {
  readonly accessors: Record<string, unknown>[] = [];
  readonly bufferViews: Record<string, unknown>[] = [];
  #bytes: number[] = [];

  view(array: ArrayBufferView, more: Record<string, unknown> = {}): number {
    while (this.#bytes.length % 4) this.#bytes.push(0);
    const byteOffset = this.#bytes.length;
    this.#bytes.push(...new Uint8Array(array.buffer, array.byteOffset, array.byteLength));
    return this.bufferViews.push({ buffer: 0, byteOffset, byteLength: array.byteLength, ...more }) - 1;
  }

  add(type: string, array: Float32Array | Uint8Array | Uint16Array | Uint32Array | Int8Array | Int16Array, more = {}) {
    const sizes: Record<string, number> = { SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4, MAT4: 16 };
    const kinds = [Int8Array, Uint8Array, Int16Array, Uint16Array, Int32Array, Uint32Array, Float32Array];
    const componentType = 5120 + kinds.findIndex((Kind) => array instanceof Kind);
    const accessor = { bufferView: this.view(array), componentType, count: array.length / sizes[type], type, ...more };
    return this.accessors.push(accessor) - 1;
  }

  data(): Uint8Array {
    return Uint8Array.from(this.#bytes);
  }

  glb(json: Record<string, unknown>): Uint8Array {
    return glbOf(this.json(json), this.data());
  }

  json(json: Record<string, unknown>): Record<string, unknown> {
    const { accessors, bufferViews } = this;
    return {
      asset: { version: '2.0' },
      accessors,
      bufferViews,
      buffers: [{ byteLength: this.#bytes.length }],
      ...json,
    };
  }
}
