import { PliantError } from '../error.ts';

/** 16,384 × 8,192: the largest maps that people share, 1.6 GB as floats. */
const MOST_PIXELS = 2 ** 27;

/** Refuses sizes of 0, sizes beyond what can be held, and more pixels than `possible`, which so many bytes cannot say. */
export function requirePixels(width: number, height: number, possible: number, operation: string, file: string): void {
  const count = width * height;
  const size = `${width} × ${height} pixels`;
  if (!(width > 0 && height > 0))
    throw new PliantError('bad-file', operation, `${size} (expected at least 1)`, { file });
  if (count > MOST_PIXELS) {
    throw new PliantError('too-large', operation, `${size} (expected at most ${MOST_PIXELS} in all)`, { file });
  }
  if (count > possible) throw new PliantError('bad-file', operation, `ends early: ${size} need more bytes`, { file });
}
