import { encodePng as encodeImage } from '../io/png.ts';

/** Pictures for people, of 8 bits per channel. */

/** Rows from top to bottom. Channels: 2 are grey and alpha, 4 are red, green, blue and alpha; alpha is not premultiplied. */
export interface Picture {
  width: number;
  height: number;
  channels: 2 | 4;
  /** width · height · channels. */
  pixels: Uint8Array;
}

export const encodePng = ({ pixels, ...size }: Picture): Promise<Uint8Array> =>
  encodeImage({ ...size, samples: pixels });

/** A picture as an address that pages show without a network. */
export async function pngDataUrl(picture: Picture): Promise<string> {
  const bytes = await encodePng(picture);
  let text = '';
  for (let at = 0; at < bytes.length; at += 8192) text += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return `data:image/png;base64,${btoa(text)}`;
}
