import type { Camera, Scene, WebGLRenderer, WebGLRenderTarget } from 'three';

/** Draws a scene into a target while another is being drawn, and leaves the renderer as it was. */
export function renderAside(renderer: WebGLRenderer, scene: Scene, camera: Camera, target: WebGLRenderTarget): void {
  const before = renderer.getRenderTarget();
  const face = renderer.getActiveCubeFace();
  const level = renderer.getActiveMipmapLevel();
  const { autoClear } = renderer;
  const { enabled } = renderer.xr;
  const { autoUpdate, needsUpdate } = renderer.shadowMap;
  renderer.autoClear = false;
  renderer.xr.enabled = false;
  renderer.shadowMap.autoUpdate = false;
  renderer.shadowMap.needsUpdate = false;
  renderer.setRenderTarget(target);
  renderer.render(scene, camera);
  renderer.setRenderTarget(before, face, level);
  renderer.autoClear = autoClear;
  renderer.xr.enabled = enabled;
  Object.assign(renderer.shadowMap, { autoUpdate, needsUpdate });
}
