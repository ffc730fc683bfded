import { type Camera, Vector4, type WebGLRenderer } from 'three';

/** Before the first picture, pixels. */
const USUAL = 1080;

const viewport = new Vector4();

/**
 * How high the picture of each camera is. three.js tells objects that choose levels which camera looks, not how many pixels
 * it fills: that is known once the camera has drawn them.
 */
export class ViewHeights {
  readonly #heights = new WeakMap<Camera, number>();

  /** To be called by an object while it is drawn. */
  remember(renderer: WebGLRenderer, camera: Camera): void {
    this.#heights.set(camera, renderer.getCurrentViewport(viewport).w);
  }

  /** Pixels. */
  of(camera: Camera): number {
    return this.#heights.get(camera) ?? USUAL;
  }
}
