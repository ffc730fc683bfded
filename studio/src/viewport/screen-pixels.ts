/**
 * What WebGL has drawn as canvases in two dimensions want it: from the top, and with colours that are not multiplied by
 * their opacity. @param drawn 4 for each pixel, row by row from the bottom. @param pixels The same from the top.
 * @param opaque Whether all of it is.
 */
export function screenPixels(drawn: Uint8Array, width: number, pixels: Uint8ClampedArray, opaque: boolean): void {
  const row = 4 * width;
  for (let from = 0, to = drawn.length - row; to >= 0; from += row, to -= row) {
    pixels.set(drawn.subarray(from, from + row), to);
  }
  for (let p = 0; !opaque && p < pixels.length; p += 4) {
    const opacity = pixels[p + 3];
    for (let c = p; c < p + 3; c++) pixels[c] = opacity && (255 * pixels[c]) / opacity;
  }
}
