import type { GLTF } from '@gltf-transform/core';
import { PliantError } from '../error.ts';
import type { Bytes } from '../model/bytes.ts';
import type { GeometryImages } from '../model/geometry-images.ts';
import type { GltfSource } from '../model/gltf-source.ts';
import { describeImages, imagesOfDescription } from './geometry-images.ts';
import { GltfEditor } from './gltf/edit/editor.ts';
import { IMAGES_EXTENSION } from './gltf/extension-names.ts';

/**
 * `PLIANT_geometry_images`, an extension of nodes: the node's mesh as triangular geometry images, in the description of
 * geometry-images.ts, whose bytes are views of the file's buffer. Joints are those of the node's skin. Players that do not
 * know it show the mesh. The views come behind all others, from coarse to fine: a file that has not arrived as a whole
 * has the levels that have.
 */

const OPERATION = 'editImages';

/** Images of a node's mesh. */
export interface NodeImages {
  node: number;
  images: GeometryImages;
}

/** A file in parts to be written one after the other. */
export interface FileWithImages {
  parts: Bytes[];
  /** Bytes of each node's images, level by level; what is known of the patches counts for the coarsest. */
  levelBytes: number[][];
  /** Of them all, what is known of the patches. */
  sharedBytes: number;
}

/** The file as a GLB with geometry images at some of its nodes. `compress`: what it had before, with meshopt. */
export async function gltfWithImages(
  source: GltfSource,
  nodes: readonly NodeImages[],
  compress = false,
): Promise<FileWithImages> {
  const editor = new GltfEditor(source);
  const levelBytes: number[][] = [];
  let sharedBytes = 0;
  for (const { node, images } of nodes) {
    const sizes = new Array<number>(images.levels.length).fill(0);
    levelBytes.push(sizes);
    const description = await describeImages(images, (bytes, name) => {
      const level = Number.parseInt(name, 10); // none of what is known of the patches
      sizes[level || 0] += bytes.length;
      if (Number.isNaN(level)) sharedBytes += bytes.length;
      return { bufferView: editor.view(bytes) };
    });
    const changed = editor.change('nodes', node);
    changed.extensions = { ...changed.extensions, [IMAGES_EXTENSION]: description };
  }
  if (nodes.length > 0) editor.useExtension(IMAGES_EXTENSION);
  return { parts: await editor.finish(OPERATION, compress), levelBytes, sharedBytes };
}

/** The images of a GLB, or of the beginning of one: as many levels as are there, at most `most`. */
export async function imagesOfGlb(bytes: Uint8Array, most?: number): Promise<NodeImages[]> {
  const { json, bin } = beginningOf(bytes);
  const out: NodeImages[] = [];
  for (const [node, { extensions }] of (json.nodes ?? []).entries()) {
    const description = extensions?.[IMAGES_EXTENSION];
    if (description === undefined) continue;
    const load = async (ref: object): Promise<Uint8Array | undefined> => {
      const view = json.bufferViews?.[(ref as { bufferView?: number }).bufferView ?? -1];
      if (!view) throw new PliantError('bad-input', OPERATION, `node ${node}: an image is in no view of the file`);
      const start = view.byteOffset ?? 0;
      const end = start + view.byteLength;
      return end <= bin.length ? bin.subarray(start, end) : undefined;
    };
    out.push({ node, images: await imagesOfDescription(description, load, most) });
  }
  return out;
}

/** The JSON of a GLB and as much of its buffer as there is. */
function beginningOf(bytes: Uint8Array): { json: GLTF.IGLTF; bin: Uint8Array } {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const isGlb = bytes.length >= 20 && view.getUint32(0, true) === 0x46546c67;
  const length = isGlb ? view.getUint32(12, true) : 0;
  if (!isGlb || 20 + length > bytes.length) {
    throw new PliantError('bad-input', OPERATION, 'not a GLB, or less of it than its JSON');
  }
  try {
    const json = JSON.parse(new TextDecoder().decode(bytes.subarray(20, 20 + length))) as GLTF.IGLTF;
    return { json, bin: bytes.subarray(Math.min(bytes.length, 28 + length)) };
  } catch {
    throw new PliantError('bad-input', OPERATION, 'the JSON of the GLB cannot be read');
  }
}
