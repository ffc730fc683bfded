/** An encoded frame. */
export interface Packet {
  bytes: Uint8Array<ArrayBuffer>;
  /** Microseconds. */
  start: number;
  length: number;
  /** Whether it is a key frame. */
  key: boolean;
}

/** An encoded animation, before it is a file. */
export interface Track {
  width: number;
  height: number;
  packets: Packet[];
  /** Codec configuration, needed before the first packet. */
  description?: Uint8Array<ArrayBuffer>;
}

export type Part = Uint8Array<ArrayBuffer>;

/** `size` bytes, the most significant first. */
export function uint(value: number, size: number): Part {
  const out = new Uint8Array(size);
  for (let b = size - 1, left = value; b >= 0; b--, left = Math.floor(left / 256)) out[b] = left % 256;
  return out;
}

export const letters = (text: string): Part => Uint8Array.from(text, (letter) => letter.charCodeAt(0));

export const sizeOf = (parts: readonly Part[]): number => parts.reduce((sum, part) => sum + part.length, 0);

/** Total length in microseconds. */
export function lengthOf({ packets }: Track): number {
  const last = packets[packets.length - 1];
  return last.start + last.length;
}
