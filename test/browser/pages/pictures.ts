import { type Camera, type Scene, type WebGLRenderer, WebGLRenderTarget } from 'three';

/** The pixels of a scene on black, `size` × `size`, four bytes each. */
export function pixelsOf(renderer: WebGLRenderer, scene: Scene, camera: Camera, size: number): Uint8Array {
  const target = new WebGLRenderTarget(size, size);
  renderer.setRenderTarget(target);
  renderer.setClearColor('black', 1);
  renderer.render(scene, camera);
  const pixels = new Uint8Array(4 * size * size);
  renderer.readRenderTargetPixels(target, 0, 0, size, size, pixels);
  renderer.setRenderTarget(null);
  target.dispose();
  return pixels;
}

/** The share of pixels, per cent, in which two pictures differ by more than a trace in a colour. */
export function difference(a: Uint8Array, b: Uint8Array, trace = 8): number {
  let count = 0;
  for (let p = 0; p < a.length; p += 4) {
    if (Math.max(...[0, 1, 2].map((c) => Math.abs(a[p + c] - b[p + c]))) > trace) count++;
  }
  return (400 * count) / a.length;
}
