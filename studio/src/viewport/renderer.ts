import { PCFShadowMap, WebGLRenderer } from 'three';

/** One renderer for all tabs, one after the other: browsers allow few contexts of WebGL, and shaders are made once. */
let shared: WebGLRenderer | undefined;

/** Throws where the browser has no WebGL 2. */
export function sharedRenderer(): WebGLRenderer {
  if (shared) return shared;
  const renderer = new WebGLRenderer({ antialias: true, alpha: true });
  renderer.shadowMap.enabled = true;
  renderer.shadowMap.type = PCFShadowMap;
  renderer.autoClear = false;
  shared = renderer;
  return renderer;
}
