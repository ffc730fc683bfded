import { concatBytes } from '../math/bytes.ts';
import { PNG_END, type PngImage, pngChunk, pngHead, pngPixels } from './png.ts';

/**
 * Animated PNG (PNG, third edition, §11.3.4): pictures of one size at a steady rate, over and over. Browsers play it, other
 * readers show its first picture. Written picture by picture: no more than one is in memory.
 */
export class ApngWriter {
  readonly #frames: number;
  readonly #rate: [numerator: number, denominator: number];
  #added = 0;
  /** Of control and data chunks together. */
  #sequence = 0;

  constructor(frames: number, framesPerSecond: number) {
    this.#frames = frames;
    this.#rate = Number.isInteger(framesPerSecond) ? [1, framesPerSecond] : [Math.round(1000 / framesPerSecond), 1000];
  }

  /** The bytes that the next picture adds to the file. */
  async add(image: PngImage): Promise<Uint8Array> {
    const pixels = await pngPixels(image);
    const control = bytesOf(26, (view) => {
      view.setUint32(0, this.#sequence++);
      view.setUint32(4, image.width);
      view.setUint32(8, image.height);
      view.setUint16(20, this.#rate[0]);
      view.setUint16(22, this.#rate[1]);
    });
    const isFirst = this.#added++ === 0;
    const chunks = [pngChunk('fcTL', control)];
    if (isFirst) {
      const count = bytesOf(8, (view) => view.setUint32(0, this.#frames));
      chunks.unshift(pngHead(image), pngChunk('acTL', count));
      chunks.push(pngChunk('IDAT', pixels));
    } else {
      const number = bytesOf(4, (view) => view.setUint32(0, this.#sequence++));
      chunks.push(pngChunk('fdAT', concatBytes([number, pixels])));
    }
    return concatBytes(this.#added === this.#frames ? [...chunks, PNG_END] : chunks);
  }
}

function bytesOf(length: number, fill: (view: DataView) => void): Uint8Array {
  const bytes = new Uint8Array(length);
  fill(new DataView(bytes.buffer));
  return bytes;
}
