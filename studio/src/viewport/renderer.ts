import { PCFShadowMap, WebGLRenderer } from 'three';
import { letShadowsBePlain } from './shadows.ts';
import { drawsInSoftware } from './software.ts';

export interface SharedRenderer {
  renderer: WebGLRenderer;
  /** Whether the processor draws. */
  software: boolean;
}

/** One renderer for all tabs, one after the other: browsers allow few contexts of WebGL, and shaders are made once. */
let shared: SharedRenderer | undefined;

/** Throws where the browser has no WebGL 2. */
export function sharedRenderer(): SharedRenderer {
  if (shared) return shared;
  const software = drawsInSoftware();
  // A canvas with smooth edges has them in every picture.
  const renderer = new WebGLRenderer({ antialias: !software, alpha: true });
  if (software) letShadowsBePlain();
  renderer.shadowMap.enabled = true;
  renderer.shadowMap.type = PCFShadowMap;
  renderer.autoClear = false;
  shared = { renderer, software };
  return shared;
}
