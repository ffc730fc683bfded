import type { Bytes } from './bytes.ts';

/** A glTF file as it was read, so that a writer can edit it instead of making a new one. Not to be changed. */
export interface GltfSource {
  /** The JSON as parsed. */
  json: Readonly<Record<string, unknown>>;
  /** The bytes of each buffer; undefined for one that only stands in for compressed data. */
  buffers: readonly (Bytes | undefined)[];
  /** The bytes of each image that is a file of its own. */
  images: readonly (Bytes | undefined)[];
}
