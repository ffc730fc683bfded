import type { RunOptions } from '../model/options.ts';
import { checkpoint } from '../model/run.ts';
import { kernelCca } from './cca.ts';

/**
 * M of all bones beside each other, and the targets' mean: kernel CCA bone by bone.
 * @param kernel K and (K + κI)⁻¹, E × E each.
 * @param targets E × (B·m).
 * @param bases canonical pairs that are kept per bone; 0 keeps all.
 */
export async function regress(
  { matrix, inverse }: { matrix: Float64Array; inverse: Float64Array },
  targets: Float64Array,
  m: number,
  bases: number,
  run: RunOptions,
): Promise<{ mean: Float64Array; operator: Float64Array }> {
  const e = Math.sqrt(matrix.length);
  const width = targets.length / e;
  const mean = new Float64Array(width);
  for (let k = 0; k < e; k++) for (let c = 0; c < width; c++) mean[c] += targets[k * width + c] / e;
  const operator = new Float64Array(targets.length);
  const own = new Float64Array(e * m);
  for (let first = 0; first < width; first += m) {
    if (first % (m * 16) === 0) await checkpoint(run, 'regress', first, width, 'regression');
    for (let k = 0; k < e; k++) {
      for (let c = 0; c < m; c++) own[k * m + c] = targets[k * width + first + c] - mean[first + c];
    }
    const predicted = kernelCca(matrix, inverse, own, m, bases === 0 ? m : Math.min(bases, m));
    for (let k = 0; k < e; k++) for (let c = 0; c < m; c++) operator[k * width + first + c] = predicted[k * m + c];
  }
  return { mean, operator };
}
