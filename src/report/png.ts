import { encodePng as encodeImage } from '../io/png.ts';
import { base64 } from './base64.ts';

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
export const pngDataUrl = async (picture: Picture): Promise<string> =>
  `data:image/png;base64,${base64(await encodePng(picture))}`;
