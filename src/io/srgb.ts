/** A colour as screens and pictures have it, 0…1, as light, which adds up: glTF's vertex colours are linear. */
export const linearFromSrgb = (x: number): number => (x <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4);

/** In place: RGB or RGBA colours; alpha is linear already. */
export function linearColours(values: Float32Array, size: number): Float32Array {
  for (let c = 0; c < values.length; c++) if (c % size < 3) values[c] = linearFromSrgb(values[c]);
  return values;
}
