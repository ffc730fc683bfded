import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { THREE_OPERATORS, type ThreeOperator } from '../../adapters/three/index.ts';
import { describeInBrowser } from './chromium.ts';
import type { Errors, RandomCase } from './pages/three-skinning.ts';

/** What pages/three-skinning.ts offers. */
interface SkinningPage {
  sample(name: string, operator: ThreeOperator, frames: number): Promise<Errors>;
  random(given: RandomCase): Errors;
  longTurn(operator: ThreeOperator): Promise<Errors>;
  shared(operator: ThreeOperator): { errors: number[]; oneTexture: boolean; given: boolean };
  materials(operator: ThreeOperator): number;
  materialCount: number;
  besides(): { neighbour: number; disposed: number; error: string };
}

/** Of the diagonal; 3e-7 was seen. */
const POSITION = 2e-6;
/** For a model 400 times its size from the origin, where three.js's own matrices are that coarse. */
const FAR_POSITION = 1e-4;
const NORMAL = 1e-5;

describeInBrowser('useSkinning in three.js', (harness) => {
  let opened: Promise<{ page: Page; errors: string[] }> | undefined;
  const page = async () => (await (opened ??= harness.open('three-skinning.ts'))).page;
  const expectClose = ({ position, normal }: Errors, tolerance = POSITION) => {
    expect(position).toBeLessThan(tolerance);
    expect(normal).toBeLessThan(NORMAL);
  };

  const samples = ['tube', 'box', 'figure'].flatMap((name) => THREE_OPERATORS.map((operator) => ({ name, operator })));
  it.each(samples)('$name by $operator matches the library', async ({ name, operator }) => {
    expectClose(
      await (await page()).evaluate(
        ([sample, by]) => (globalThis as unknown as SkinningPage).sample(sample, by as ThreeOperator, 2),
        [name, operator] as const,
      ),
    );
  });

  const cases: RandomCase[] = THREE_OPERATORS.flatMap((operator) => [
    { seed: 1, operator },
    { seed: 2, operator, scale: 1.4 },
    { seed: 3, operator, scale: 1.4, mirror: true },
    { seed: 4, operator, morphs: true },
    { seed: 5, operator, place: 'scaled', scale: 1.2 },
    { seed: 6, operator, place: 'detached', morphs: true },
  ]);
  it.each(cases)('a random rig: %o', async (given) => {
    const errors = await (await page()).evaluate((c) => (globalThis as unknown as SkinningPage).random(c), given);
    expectClose(errors, given.place === 'scaled' ? FAR_POSITION : POSITION);
  });

  it.each(['dqs', 'sdqs'] as const)('%s without antipodality follows turns beyond 180°', async (operator) => {
    expectClose(await (await page()).evaluate((by) => (globalThis as unknown as SkinningPage).longTurn(by), operator));
  });

  it.each(THREE_OPERATORS)('%s: meshes that share a skeleton share its texture', async (operator) => {
    const { errors, oneTexture, given } = await (await page()).evaluate(
      (by) => (globalThis as unknown as SkinningPage).shared(by),
      operator,
    );
    for (const error of errors) expect(error).toBeLessThan(POSITION);
    expect({ oneTexture, given }).toEqual({ oneTexture: true, given: false });
  });

  it('leaves other meshes of a material alone and can be undone', async () => {
    const { neighbour, disposed, error } = await (await page()).evaluate(() =>
      (globalThis as unknown as SkinningPage).besides(),
    );
    expect(neighbour).toBeLessThan(POSITION);
    expect(disposed).toBeLessThan(POSITION);
    expect(error).toMatch(/material "skin" already blends by dqs \(got sdqs/);
  });

  it.each(THREE_OPERATORS)('%s compiles in every built-in material', async (operator) => {
    const { drawn, count } = await (await page()).evaluate((by) => {
      const { materials, materialCount } = globalThis as unknown as SkinningPage;
      return { drawn: materials(by), count: materialCount };
    }, operator);
    expect(drawn).toBe(count);
    expect((await opened)!.errors).toEqual([]);
  });

  it('refuses WebGPURenderer with an error that says what to use, where shaders of ours are needed', async () => {
    const { page } = await harness.open('three-webgpu.ts');
    const answers = await page.evaluate(() =>
      (globalThis as unknown as { draw(): Promise<Record<string, string>> }).draw(),
    );
    const { LodMesh, ...refused } = answers;
    expect(Object.keys(refused)).toEqual(['useSkinning', 'SkinnedCrowd', 'GeometryImageMesh']);
    for (const [name, answer] of Object.entries(refused)) {
      expect(answer).toMatch(
        new RegExp(`^PliantError: ${name}: .*WebGPURenderer, expected WebGLRenderer; meanwhile: `),
      );
    }
    expect(LodMesh).toBe('level 1');
  });

  it('logs no errors', async () => {
    expect((await opened)?.errors).toEqual([]);
  });
});
