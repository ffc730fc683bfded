/** Writers of caches that know nothing of the readers. */

interface Pc2Header {
  version?: number;
  first?: number;
  step?: number;
  /** Claims another number of frames. */
  samples?: number;
}

export function pc2File(
  frames: readonly (readonly number[])[],
  { version = 1, first = 0, step = 1, samples = frames.length }: Pc2Header = {},
): Uint8Array {
  const numbers = frames.flat();
  const view = new DataView(new ArrayBuffer(32 + 4 * numbers.length));
  [...'POINTCACHE2\0'].forEach((letter, c) => {
    view.setUint8(c, letter.charCodeAt(0));
  });
  view.setInt32(12, version, true);
  view.setInt32(16, (frames[0]?.length ?? 0) / 3, true);
  view.setFloat32(20, first, true);
  view.setFloat32(24, step, true);
  view.setInt32(28, samples, true);
  numbers.forEach((value, c) => {
    view.setFloat32(32 + 4 * c, value, true);
  });
  return new Uint8Array(view.buffer);
}

export function mddFile(frames: readonly (readonly number[])[], times: readonly number[]): Uint8Array {
  const numbers = [...times, ...frames.flat()];
  const view = new DataView(new ArrayBuffer(8 + 4 * numbers.length));
  view.setInt32(0, frames.length);
  view.setInt32(4, frames[0].length / 3);
  numbers.forEach((value, c) => {
    view.setFloat32(8 + 4 * c, value);
  });
  return new Uint8Array(view.buffer);
}
