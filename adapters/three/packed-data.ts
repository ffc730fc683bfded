import type { BufferAttribute } from 'three';
import { unpackData } from '../../src/io/gltf/packed-data.ts';

/** What the plugins need of three.js's GLTFParser. */
export interface GltfParser {
  json: { extensions?: Record<string, unknown> };
  /** An accessor of the file. */
  getDependency(type: 'accessor', index: number): Promise<unknown>;
}

/** The plain data of an extension of the file, if it has it. */
export async function packedData(parser: GltfParser, extension: string): Promise<unknown> {
  const entry = parser.json.extensions?.[extension] as { accessor?: number } | undefined;
  if (entry?.accessor === undefined) return undefined;
  const { array } = (await parser.getDependency('accessor', entry.accessor)) as BufferAttribute;
  return unpackData(new Uint8Array(array.buffer, array.byteOffset, array.byteLength));
}
