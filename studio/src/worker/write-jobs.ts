import { writeModelGlb } from '../../../src/io/write-glb.ts';
import type { Jobs } from './protocol.ts';

export async function glbJob({ models, options, predictor }: Jobs['glb']['input']): Promise<Jobs['glb']['output']> {
  const { bytes } = await writeModelGlb(models, { influences: models[0].weights.influences, ...options, predictor });
  return new Uint8Array(bytes);
}
