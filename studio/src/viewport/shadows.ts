import { ShaderChunk } from 'three';

/** How shadows are drawn: width of the shadow map in pixels, and radius of their edges in pixels of the map. */
export interface ShadowLook {
  size: number;
  radius: number;
}

/** Soft: five samples per pixel. */
export const SOFT: ShadowLook = { size: 2048, radius: 3 };
/** Harder edges: one sample per pixel. */
export const PLAIN: ShadowLook = { size: 1024, radius: 0 };

/** The five samples of three.js, at jittered places around a pixel. */
const FIVE_LOOKS = /shadow = \(\s*texture\([\s\S]*?\* 0\.2;/;

const LOOKS = `
  int looks = shadowRadius > 0.0 ? 5 : 1;
  shadow = 0.0;
  for (int look = 0; look < looks; look++) {
    shadow += texture(shadowMap, vec3(shadowCoord.xy + vogelDiskSample(look, 5, phi) * radius, shadowCoord.z));
  }
  shadow /= float(looks);`;

/** The shadow shader with a single sample for edges without a radius. */
export const lookingOnce = (shader: string): string => shader.replace(FIVE_LOOKS, LOOKS);

/**
 * Makes shadows without a radius cost a fifth: in software, the five samples per pixel take most of the time. Call it before
 * any shader is compiled.
 */
export function letShadowsBePlain(): void {
  ShaderChunk.shadowmap_pars_fragment = lookingOnce(ShaderChunk.shadowmap_pars_fragment);
}
