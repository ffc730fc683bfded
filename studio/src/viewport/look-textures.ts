import { DataTexture, NearestFilter, RepeatWrapping, SRGBColorSpace } from 'three';

/** One of each for all surfaces, never disposed of. */
let ball: DataTexture | undefined;
let squares: DataTexture | undefined;

/** A lit ball: its middle is what faces the eye. */
export function matcap(): DataTexture {
  ball ??= pictureOf(128, (u, v) => {
    const [x, y] = [2 * u - 1, 2 * v - 1];
    const z = Math.sqrt(Math.max(0, 1 - x * x - y * y));
    const key = Math.max(0, (-0.45 * x + 0.65 * y + 0.6 * z) / Math.hypot(0.45, 0.65, 0.6));
    const rim = (1 - z) ** 3 * Math.max(0, 0.7 * x + 0.3);
    const shine = key ** 24;
    return [
      0.2 + 0.52 * key + 0.3 * rim + 0.3 * shine,
      0.19 + 0.47 * key + 0.36 * rim + 0.3 * shine,
      0.21 + 0.42 * key + 0.45 * rim + 0.3 * shine,
    ];
  });
  return ball;
}

/** 8 × 8 squares over the unit square of uvs, each quarter in its own tint so that it is known again. */
export function checker(): DataTexture {
  if (squares) return squares;
  squares = pictureOf(64, (u, v) => {
    const light = (Math.floor(8 * u) + Math.floor(8 * v)) % 2 === 0 ? 0.92 : 0.55;
    const tint = [
      [1, 0.86, 0.8],
      [0.82, 0.95, 0.84],
      [0.82, 0.88, 1],
      [0.98, 0.93, 0.75],
    ][Math.floor(2 * u) + 2 * Math.floor(2 * v)];
    return tint.map((part) => light * part);
  });
  Object.assign(squares, { wrapS: RepeatWrapping, wrapT: RepeatWrapping, magFilter: NearestFilter });
  return squares;
}

/** A square picture of what `colour` says for the middle of each pixel, 0…1 from the lower left. */
function pictureOf(size: number, colour: (u: number, v: number) => number[]): DataTexture {
  const pixels = new Uint8Array(4 * size * size);
  for (let p = 0; p < size * size; p++) {
    const parts = colour(((p % size) + 0.5) / size, (Math.floor(p / size) + 0.5) / size);
    pixels.set([...parts.map((part) => 255 * Math.min(1, part)), 255], 4 * p);
  }
  const texture = new DataTexture(pixels, size, size);
  texture.colorSpace = SRGBColorSpace;
  texture.needsUpdate = true;
  return texture;
}
