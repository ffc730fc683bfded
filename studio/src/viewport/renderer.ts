import { PCFShadowMap, WebGLRenderer } from 'three';
import { letShadowsBePlain } from './shadows.ts';
import { drawsInSoftware } from './software.ts';

export interface SharedRenderer {
  renderer: WebGLRenderer;
  /** Where the processor draws: what pictures are put on. */
  screen?: CanvasRenderingContext2D;
}

/** One renderer for all tabs, one after the other: browsers allow few contexts of WebGL, and shaders are made once. */
let shared: SharedRenderer | undefined;

/** Throws where the browser has no WebGL 2. */
export function sharedRenderer(): SharedRenderer {
  if (shared) return shared;
  const software = drawsInSoftware();
  // Where the processor draws, nothing is drawn on the renderer's own canvas.
  const renderer = new WebGLRenderer({ antialias: !software, alpha: true });
  if (software) letShadowsBePlain();
  renderer.shadowMap.enabled = true;
  renderer.shadowMap.type = PCFShadowMap;
  renderer.autoClear = false;
  shared = { renderer, screen: software ? screenContext() : undefined };
  return shared;
}

/** The canvas that is seen. */
export const canvasOf = ({ renderer, screen }: SharedRenderer): HTMLCanvasElement =>
  screen?.canvas ?? renderer.domElement;

function screenContext(): CanvasRenderingContext2D {
  // Pixels come from the page, and stay with it.
  return document.createElement('canvas').getContext('2d', { willReadFrequently: true })!;
}
