import { ShaderChunk } from 'three';

/** How shadows are drawn. Sizes are those of the map they are looked up in, in pixels across; radii, of their edges, in pixels of it. */
export interface ShadowLook {
  size: number;
  radius: number;
}

/** Soft: every pixel looks five times. */
export const SOFT: ShadowLook = { size: 2048, radius: 3 };
/** Harder at the edges: every pixel looks once. */
export const PLAIN: ShadowLook = { size: 1024, radius: 0 };

/** What three.js looks five times with, at places around a pixel's own that differ from pixel to pixel. */
const FIVE_LOOKS = /shadow = \(\s*texture\([\s\S]*?\* 0\.2;/;

const LOOKS = `
  int looks = shadowRadius > 0.0 ? 5 : 1;
  shadow = 0.0;
  for (int look = 0; look < looks; look++) {
    shadow += texture(shadowMap, vec3(shadowCoord.xy + vogelDiskSample(look, 5, phi) * radius, shadowCoord.z));
  }
  shadow /= float(looks);`;

/** A fragment's shader of shadows that looks once where their edges have no radius. */
export const lookingOnce = (shader: string): string => shader.replace(FIVE_LOOKS, LOOKS);

/**
 * Lets shadows without a radius cost a fifth: where the processor draws, the five looks of every pixel are what takes most
 * of their time. To be called before any shader is made.
 */
export function letShadowsBePlain(): void {
  ShaderChunk.shadowmap_pars_fragment = lookingOnce(ShaderChunk.shadowmap_pars_fragment);
}
