import { PCFShadowMap, WebGLRenderer } from 'three';
import { letShadowsBePlain } from './shadows.ts';

/** Names of software drivers: of Chromium, Mesa, Windows and macOS. */
const DRIVERS = /swiftshader|llvmpipe|softpipe|software|basic render/i;

export const isSoftware = (driver: string): boolean => DRIVERS.test(driver);

/** Whether this browser draws in software. Uses a canvas of its own, as the real one is set up accordingly. */
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
  /** For software drawing: the canvas that frames are copied to. */
  screen?: CanvasRenderingContext2D;
}

/** One renderer for all tabs: browsers allow few WebGL contexts, and shaders are compiled once. */
let shared: SharedRenderer | undefined;

/** Throws if the browser has no WebGL 2. */
export function sharedRenderer(): SharedRenderer {
  if (shared) return shared;
  const software = drawsInSoftware();
  // In software nothing is drawn on the renderer's own canvas.
  const renderer = new WebGLRenderer({ antialias: !software, alpha: true });
  if (software) letShadowsBePlain();
  renderer.shadowMap.enabled = true;
  renderer.shadowMap.type = PCFShadowMap;
  renderer.autoClear = false;
  shared = { renderer, screen: software ? screenContext() : undefined };
  return shared;
}

/** The visible canvas. */
export const canvasOf = ({ renderer, screen }: SharedRenderer): HTMLCanvasElement =>
  screen?.canvas ?? renderer.domElement;

function screenContext(): CanvasRenderingContext2D {
  // Keep pixels in main memory.
  return document.createElement('canvas').getContext('2d', { willReadFrequently: true })!;
}
