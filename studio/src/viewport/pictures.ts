import { signal } from '@preact/signals-core';
import { Texture } from 'three';
import { readBytes } from '../../../src/doors/mesh.ts';
import type { Image } from '../../../src/index.ts';

/** Number of pictures decoded so far; another one changes how surfaces look. */
export const decoded = signal(0);
/** The same of those that this browser cannot decode. */
export const undecoded = signal(0);

/** Pictures that were decoded, as long as their file is open: another surface with the same has them at once. */
const known = new WeakMap<Image, Promise<Texture | undefined>>();

/** A texture of the first picture that can be decoded. It is for uvs whose v points up. */
export async function textureOf(images: readonly Image[]): Promise<Texture | undefined> {
  for (const image of images) {
    if (!known.has(image)) known.set(image, decode(image));
    // Copies share the picture, and its memory on the graphics card.
    const texture = (await known.get(image))?.clone();
    if (texture) return texture;
  }
  undecoded.value++;
  return undefined;
}

const decode = (image: Image): Promise<Texture | undefined> =>
  (image.mimeType === 'image/ktx2' ? compressedTexture(image) : bitmapTexture(image)).catch(() => undefined);

async function bitmapTexture({ mimeType, bytes }: Image): Promise<Texture> {
  const blob = new Blob([(await readBytes(bytes)) as Uint8Array<ArrayBuffer>], { type: mimeType });
  // Keeps the browser from premultiplying alpha.
  const bitmap = await createImageBitmap(blob, { imageOrientation: 'flipY', premultiplyAlpha: 'none' });
  const texture = new Texture(bitmap);
  texture.flipY = false;
  texture.needsUpdate = true;
  return texture;
}

const compressedTexture = async ({ bytes }: Image): Promise<Texture> =>
  (await import('./ktx2.ts')).ktx2Texture(await readBytes(bytes));
