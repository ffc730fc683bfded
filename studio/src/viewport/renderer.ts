import { PCFShadowMap, WebGLRenderer } from 'three';
import { letShadowsBePlain } from './shadows.ts';

/** Drivers that draw on the processor, by what they call themselves: Chromium's, Mesa's, those of Windows and macOS. */
const DRIVERS = /swiftshader|llvmpipe|softpipe|software|basic render/i;

export const isSoftware = (driver: string): boolean => DRIVERS.test(driver);

/** Whether this browser draws without a graphics card. Asks a canvas of its own: what the real one is made for depends on it. */
function drawsInSoftware(): boolean {
  const gl = document.createElement('canvas').getContext('webgl2');
  if (!gl) return false;
  const info = gl.getExtension('WEBGL_debug_renderer_info');
  const driver = String(gl.getParameter(info?.UNMASKED_RENDERER_WEBGL ?? gl.RENDERER));
  gl.getExtension('WEBGL_lose_context')?.loseContext();
  return isSoftware(driver);
}

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
