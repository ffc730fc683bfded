import { expect } from 'vitest';
import { exportFigures, type Kind } from '../../bench/export-case.ts';
import { readAsset } from '../../src/io/read-asset.ts';
import { nodeFiles } from '../../src/platform/node/index.ts';
import { realData } from './data.ts';

const data = realData('sequences/');
export const { absent, why } = data;

/**
 * What an exported fit must hold, in % of the diagonal, and how much smaller than morph targets it must be. Of collections
 * of poses (`poses`) the mesh alone takes too much for that.
 */
export async function expectMusts(
  name: string,
  bones: number,
  kinds: readonly Kind[],
  { rounds, poses = false }: { rounds?: number; poses?: boolean } = {},
) {
  const { sequences } = await readAsset(nodeFiles, [`${data.path}${name}`]);
  const figures = await exportFigures(sequences[0], bones, kinds, rounds);
  await sequences[0].close?.();
  for (const kind of kinds) {
    const found = figures.kinds[kind];
    expect(found.plainError, `${kind}, plain at keys`).toBeLessThan(0.003);
    expect(found.small10Error, `${kind}, small at keys`).toBeLessThan(0.01);
    expect(found.small8Error, `${kind}, small at keys, 8-bit weights`).toBeLessThan(0.01);
    expect(found.rmse10, `${kind}, 10-bit weights`).toBeLessThan(1.02 * found.rmse);
    expect(found.rmse8, `${kind}, 8-bit weights`).toBeLessThan(1.12 * found.rmse);
    expect(found.between, `${kind}, between frames`).toBeLessThan(found.motion < 2 ? 0.03 : 0.15);
    if (poses) continue;
    expect(figures.morphSmallBytes / found.small10Bytes, `${kind}, size`).toBeGreaterThan(4);
    expect(figures.morphSmallBytes / found.small8Bytes, `${kind}, size with 8-bit weights`).toBeGreaterThan(5);
  }
}
