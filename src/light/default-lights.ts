import type { EnvironmentMap } from '../model/environment.ts';

/** Lobes of light: from where, how wide (cos^power), colour. */
type Lobe = readonly [x: number, y: number, z: number, power: number, colour: readonly [number, number, number]];

/** Light to measure by where none is given: a day with a bright sky to one side, and a room with two windows. */
export const DEFAULT_MAPS: Readonly<Record<string, () => EnvironmentMap>> = {
  sky: () =>
    mapOf(
      [0.25, 0.22, 0.18],
      [
        [0, 1, 0, 1, [0.5, 0.65, 0.9]],
        [0.6, 0.5, 0.62, 24, [6, 5.4, 4.4]],
      ],
    ),
  room: () =>
    mapOf(
      [0.12, 0.11, 0.1],
      [
        [0.9, 0.3, -0.3, 12, [2.6, 2.8, 3.2]],
        [-0.4, 0.2, 0.9, 30, [4, 3.2, 2.2]],
        [0, 1, 0, 2, [0.35, 0.33, 0.3]],
      ],
    ),
};

function mapOf(ambient: readonly number[], lobes: readonly Lobe[]): EnvironmentMap {
  const [width, height] = [128, 64];
  const pixels = new Float32Array(3 * width * height);
  for (let row = 0; row < height; row++) {
    const theta = (Math.PI * (row + 0.5)) / height;
    for (let column = 0; column < width; column++) {
      const phi = 2 * Math.PI * ((column + 0.5) / width - 0.5);
      const [x, y, z] = [Math.sin(theta) * Math.cos(phi), Math.cos(theta), Math.sin(theta) * Math.sin(phi)];
      const at = 3 * (row * width + column);
      for (let c = 0; c < 3; c++) pixels[at + c] = ambient[c];
      for (const [lx, ly, lz, power, colour] of lobes) {
        const cosine = (x * lx + y * ly + z * lz) / Math.hypot(lx, ly, lz);
        if (cosine <= 0) continue;
        for (let c = 0; c < 3; c++) pixels[at + c] += colour[c] * cosine ** power;
      }
    }
  }
  return { width, height, pixels };
}
