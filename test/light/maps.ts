import type { EnvironmentMap } from '../../src/model/environment.ts';

/** The direction that a pixel's middle is seen in. */
function pixelDirection({ width, height }: EnvironmentMap, column: number, row: number): [number, number, number] {
  const polar = (Math.PI * (row + 0.5)) / height;
  const azimuth = 2 * Math.PI * ((column + 0.5) / width - 0.5);
  return [Math.sin(polar) * Math.cos(azimuth), Math.cos(polar), Math.sin(polar) * Math.sin(azimuth)];
}

/** A map of what `radiance` says about directions. */
export function mapOf(
  width: number,
  radiance: (x: number, y: number, z: number) => readonly [number, number, number],
): EnvironmentMap {
  const map: EnvironmentMap = { width, height: width / 2, pixels: new Float32Array((3 * width * width) / 2) };
  for (let row = 0; row < map.height; row++) {
    for (let column = 0; column < width; column++) {
      map.pixels.set(radiance(...pixelDirection(map, column, row)), 3 * (row * width + column));
    }
  }
  return map;
}
