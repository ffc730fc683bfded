import { PliantError } from '../../src/error.ts';

/**
 * Refuses renderers whose materials are nodes instead of GLSL; `meanwhile` says what else draws there. To be called with the
 * renderer that three.js passes to `onBeforeRender`.
 */
export function requireWebGl(renderer: object, operation: string, meanwhile: string): void {
  if ('isWebGLRenderer' in renderer) return;
  const cause = `shaders are in GLSL (got a renderer of nodes, such as WebGPURenderer, expected WebGLRenderer; meanwhile: ${meanwhile})`;
  throw new PliantError('unsupported', operation, cause);
}
