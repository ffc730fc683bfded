import { type Camera, Vector2, Vector4, type WebGLRenderer } from 'three';

/** Before the first picture, pixels. */
const USUAL = 1080;

const viewport = new Vector4();
const size = new Vector2();

/** What is asked of a renderer of nodes. */
type NodeRenderer = Pick<WebGLRenderer, 'getRenderTarget' | 'getDrawingBufferSize'>;

/**
 * How high the picture of each camera is. three.js tells objects that choose levels which camera looks, not how many pixels
 * it fills: that is known once the camera has drawn them.
 */
export class ViewHeights {
  readonly #heights = new WeakMap<Camera, number>();

  /** To be called by an object while it is drawn. */
  remember(renderer: WebGLRenderer | NodeRenderer, camera: Camera): void {
    this.#heights.set(camera, heightOf(renderer));
  }

  /** Pixels. */
  of(camera: Camera): number {
    return this.#heights.get(camera) ?? USUAL;
  }
}

function heightOf(renderer: WebGLRenderer | NodeRenderer): number {
  if ('getCurrentViewport' in renderer) return renderer.getCurrentViewport(viewport).w;
  return renderer.getRenderTarget()?.height ?? renderer.getDrawingBufferSize(size).y;
}
