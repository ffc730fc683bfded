import { ShaderChunk } from 'three';
import { describe, expect, it } from 'vitest';
import { isSoftware } from '../../studio/src/viewport/renderer.ts';
import { lookingOnce } from '../../studio/src/viewport/shadows.ts';

describe('drawing without a graphics card', () => {
  it('is detected by the name of the driver', () => {
    for (const driver of [
      'ANGLE (Google, Vulkan 1.3.0 (SwiftShader Device (Subzero) (0x0000C0DE)), SwiftShader driver)',
      'llvmpipe (LLVM 15.0.7, 256 bits)',
      'llvmpipe, or similar',
      'softpipe',
      'ANGLE (Microsoft, Microsoft Basic Render Driver (0x0000008C) Direct3D11 vs_5_0 ps_5_0, D3D11)',
      'Apple Software Renderer',
    ])
      expect([driver, isSoftware(driver)]).toEqual([driver, true]);
    for (const driver of [
      'ANGLE (NVIDIA, NVIDIA GeForce RTX 3060 (0x00002503) Direct3D11 vs_5_0 ps_5_0, D3D11)',
      'ANGLE (Apple, ANGLE Metal Renderer: Apple M2, Unspecified Version)',
      'Mesa Intel(R) UHD Graphics 620 (KBL GT2)',
      'Adreno (TM) 640',
    ])
      expect([driver, isSoftware(driver)]).toEqual([driver, false]);
  });

  it('samples shadows without a radius once, with the installed three.js', () => {
    const shader = ShaderChunk.shadowmap_pars_fragment;
    const looks = (text: string): number => text.match(/texture\(\s*shadowMap, vec3\(\s*shadowCoord\.xy/g)?.length ?? 0;
    expect(looks(shader)).toBe(5);
    expect(looks(lookingOnce(shader))).toBe(1);
    expect(lookingOnce(shader)).toContain('shadowRadius > 0.0 ? 5 : 1');
  });
});
