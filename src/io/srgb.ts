/** A colour as screens and pictures have it, 0…1, as light, which adds up: glTF's vertex colours are linear. */
export const linearFromSrgb = (x: number): number => (x <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4);

/** RGB or RGBA colours, cut to 0…1; alpha is linear already. */
export const linearColours = (values: Float32Array, size: number): Float32Array =>
  values.map((x, c) => {
    const cut = Math.min(1, Math.max(0, x));
    return c % size < 3 ? linearFromSrgb(cut) : cut;
  });
