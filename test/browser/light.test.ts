import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { describeInBrowser } from './chromium.ts';
import type { BakedErrors, LightErrors } from './pages/light.ts';

type Path = 'vertex' | 'pass';
type Held = Record<'geometries' | 'textures' | 'programs', number>;

/** What pages/light.ts offers. */
interface LightPage {
  compare(path: Path, turn: number, operator?: 'dqs'): LightErrors;
  baked(path: Path): Promise<BakedErrors>;
  floor(): { error: number; darkest: number; border: number };
  memory(path: Path): { before: Held; during: Held; after: Held; restored: boolean };
  materials(path: Path): Record<string, { dark: number; lit: number }>;
  together(path: Path): { apart: number[]; near: number[]; nearer: number[]; count: number; left: number };
  crowd(): Promise<Record<'dark' | 'after' | 'crowded' | 'alone' | 'live' | 'rest', number[]>>;
  turned(path: Path): Record<'front' | 'back' | 'again' | 'off', number>;
}

describeInBrowser('useLight in three.js', (harness) => {
  let opened: Promise<{ page: Page; errors: string[] }> | undefined;
  const page = async () => (await (opened ??= harness.open('light.ts'))).page;

  it.each([
    ['vertex', 2, 'dqs'],
    ['pass', 1, undefined],
    ['pass', 2, 'dqs'],
  ] as const)('is what the library computes: %s, turned by %d, %s', async (path, turn, operator) => {
    const { light, mean, hidden, left } = await (await page()).evaluate(
      ([by, angle, blend]) => (globalThis as unknown as LightPage).compare(by, angle, blend),
      [path, turn, operator] as const,
    );
    expect(mean).toBeGreaterThan(0.5);
    expect(light / mean).toBeLessThan(5e-4);
    expect(hidden).toBeLessThan(2e-3);
    expect(left).toBeLessThan(5e-4);
  });

  it.each(['vertex', 'pass'] as const)('%s: shows what was baked as the library does', async (path) => {
    const { light, mean, residual, hidden, gloss, meshes } = await (await page()).evaluate(
      (by) => (globalThis as unknown as LightPage).baked(by),
      path,
    );
    expect(meshes).toBe(1);
    expect(residual / mean).toBeGreaterThan(0.01);
    expect(light / mean).toBeLessThan(5e-5);
    expect(gloss).toBeGreaterThan(0.01);
    expect(hidden).toBeLessThan(2e-3);
  });

  it('shades a floor as the library does, and leaves its border alone', async () => {
    const { error, darkest, border } = await (await page()).evaluate(() =>
      (globalThis as unknown as LightPage).floor(),
    );
    expect(error).toBeLessThan(2e-3);
    expect(darkest).toBeLessThan(0.5);
    expect(border).toBeLessThan(1e-6);
  });

  it.each(['vertex', 'pass'] as const)('%s: lights every kind of lit material', async (path) => {
    const found = await (await page()).evaluate((by) => (globalThis as unknown as LightPage).materials(by), path);
    expect(Object.keys(found)).toHaveLength(path === 'pass' ? 7 : 1);
    for (const [name, { dark, lit }] of Object.entries(found)) {
      // One has an environment map of its own, in whose place this light comes.
      if (name === 'physical') expect(Math.abs(lit - dark), name).toBeGreaterThan(1);
      else expect(lit, name).toBeGreaterThan(dark + 5);
    }
  });

  it.each(['vertex', 'pass'] as const)('%s: characters of one material have their own light', async (path) => {
    const { apart, near, nearer, count, left } = await (await page()).evaluate(
      (by) => (globalThis as unknown as LightPage).together(by),
      path,
    );
    expect(apart[0]).toBeGreaterThan(2);
    expect(apart[2]).toBeGreaterThan(2);
    expect(near[2]).toBe(0);
    expect(nearer[0]).toBeLessThan(near[0]);
    expect([count, left]).toEqual([2, 0]);
  });

  it.each(['vertex', 'pass'] as const)('%s: the environment turns', async (path) => {
    const { front, back, again, off } = await (await page()).evaluate(
      (by) => (globalThis as unknown as LightPage).turned(by),
      path,
    );
    expect(back).toBeLessThan(0.8 * front);
    expect(again).toBeCloseTo(front, 3);
    expect(off).toBe(0);
  });

  it.each(['vertex', 'pass'] as const)('%s: frees what it holds', async (path) => {
    const { before, during, after, restored } = await (await page()).evaluate(
      (by) => (globalThis as unknown as LightPage).memory(by),
      path,
    );
    expect(during.textures).toBeGreaterThan(before.textures);
    expect(after.textures).toBe(before.textures);
    expect(after.geometries).toBe(before.geometries);
    expect(restored).toBe(true);
  });

  it('lights an instance of a crowd as it lights the character, also in a pose that is set live', async () => {
    const { dark, after, crowded, alone, live, rest } = await (await page()).evaluate(() =>
      (globalThis as unknown as LightPage).crowd(),
    );
    for (const c of [0, 1, 2]) {
      expect(alone[c]).toBeGreaterThan(dark[c] + 5);
      expect(crowded[c] / alone[c]).toBeCloseTo(1, 2);
      expect(live[c] / rest[c]).toBeCloseTo(1, 2);
    }
    expect(live).not.toEqual(crowded);
    expect(after).toEqual(dark);
  });

  it('logs no errors', async () => {
    expect((await opened)?.errors).toEqual([]);
  });
});
