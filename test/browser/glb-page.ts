import type { Page } from 'playwright-core';
import type { BrowserHarness } from './chromium.ts';

/** A GLB in plain three.js and its GLTFLoader, with nothing of ours. */
export interface GlbPage {
  load(glb: Uint8Array): Promise<{ clips: string[]; meshes: number }>;
  /** 3N world positions of every mesh while a clip is at time t: by three.js on the CPU, and by its shaders. */
  pose(clip: string, t: number): Promise<{ cpu: Float32Array; gpu: Float32Array }[]>;
  /** Of every mesh: picture of its material → set of uvs; names of its attributes. */
  looks(): Promise<{ maps: Record<string, number>; attributes: string[] }[]>;
  /** What the browser complained about. */
  errors: string[];
}

/** What pages/glb-in-three.ts offers. */
interface Offered {
  load(base64: string): Promise<{ clips: string[]; meshes: number }>;
  looks(): { maps: Record<string, number>; attributes: string[] }[];
  pose(clip: string, t: number): { cpu: string; gpu: string }[];
}

const floats = (base64: string): Float32Array =>
  new Float32Array(Uint8Array.from(Buffer.from(base64, 'base64')).buffer);

export async function openGlbPage(harness: BrowserHarness): Promise<GlbPage> {
  const { page, errors }: { page: Page; errors: string[] } = await harness.open('glb-in-three.ts');
  return {
    errors,
    load: (glb) =>
      page.evaluate((base64) => (globalThis as unknown as Offered).load(base64), Buffer.from(glb).toString('base64')),
    looks: () => page.evaluate(() => (globalThis as unknown as Offered).looks()),
    async pose(clip, t) {
      const meshes = await page.evaluate(([name, time]) => (globalThis as unknown as Offered).pose(name, time), [
        clip,
        t,
      ] as const);
      return meshes.map(({ cpu, gpu }) => ({ cpu: floats(cpu), gpu: floats(gpu) }));
    },
  };
}
