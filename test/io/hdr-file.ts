import { concatBytes } from '../../src/math/bytes.ts';
import { bytesOf } from './support.ts';

/** Radiance files made by hand. `rows` are 4 bytes per pixel, as in the file. */
export const hdrFile = (size: string, rows: readonly Uint8Array[], lines: readonly string[] = []): Uint8Array =>
  concatBytes([bytesOf(['#?RADIANCE', ...lines, 'FORMAT=32-bit_rle_rgbe', '', `${size}\n`].join('\n')), ...rows]);

/** A row with runs of each of the four bytes, as Radiance writes them. */
export function packedRow(row: Uint8Array): Uint8Array {
  const width = row.length / 4;
  const out = [2, 2, width >> 8, width & 255];
  for (let c = 0; c < 4; c++) {
    for (let x = 0; x < width; ) {
      let run = 1;
      while (x + run < width && run < 127 && row[4 * (x + run) + c] === row[4 * x + c]) run++;
      if (run > 2) out.push(128 + run, row[4 * x + c]);
      else out.push(run, ...Array.from({ length: run }, (_, k) => row[4 * (x + k) + c]));
      x += run;
    }
  }
  return Uint8Array.from(out);
}

/** A row with 1 1 1 n for n pixels like the one before, in counts of up to two bytes. */
export function oldRow(row: Uint8Array): Uint8Array {
  const out: number[] = [];
  const pixel = (x: number) => Array.from(row.subarray(4 * x, 4 * x + 4));
  for (let x = 0; x < row.length / 4; ) {
    out.push(...pixel(x));
    let run = 0;
    while (x + run + 1 < row.length / 4 && `${pixel(x + run + 1)}` === `${pixel(x)}`) run++;
    if (run > 0) out.push(1, 1, 1, run & 255);
    if (run > 255) out.push(1, 1, 1, run >> 8);
    x += run + 1;
  }
  return Uint8Array.from(out);
}
