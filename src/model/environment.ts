import { PliantError } from '../error.ts';

/**
 * Light from all directions, far away: a picture of the whole sphere, equirectangular. Row 0 looks up (+y). The middle of
 * the picture looks along +x, three quarters of its width along +z, as in three.js.
 */
export interface EnvironmentMap {
  width: number;
  height: number;
  /** 3 per pixel: red, green and blue radiance, linear, finite and ≥ 0; rows from top to bottom. */
  pixels: Float32Array;
}

/** Throws `bad-input` unless the sizes agree and every pixel is finite and ≥ 0; `facts` say which file is to blame. */
export function validateEnvironment(
  { width, height, pixels }: EnvironmentMap,
  operation = 'validateEnvironment',
  file?: string,
): void {
  const fail = (cause: string): never => {
    throw new PliantError(file === undefined ? 'bad-input' : 'bad-file', operation, cause, { file });
  };
  const size = (side: number) => Number.isInteger(side) && side > 0;
  if (!size(width) || !size(height) || pixels.length !== 3 * width * height) {
    fail(`${pixels.length} numbers (expected 3 · ${width} · ${height})`);
  }
  let wrong = 0;
  let first = -1;
  for (let c = 0; c < pixels.length; c++) {
    if (pixels[c] >= 0 && pixels[c] < Infinity) continue;
    if (first < 0) first = c;
    wrong++;
  }
  if (wrong === 0) return;
  const pixel = Math.floor(first / 3);
  const place = `column ${pixel % width} of row ${Math.floor(pixel / width)}`;
  const count = wrong === 1 ? '1 value is' : `${wrong} values are`;
  fail(`${count} negative or not finite, the first in ${place} (got ${pixels[first]}, expected light ≥ 0)`);
}
