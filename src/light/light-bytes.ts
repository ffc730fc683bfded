import type { LightModel } from '../model/light.ts';
import { sampleClusters } from '../model/light-samples.ts';

/** What light takes in a file beyond the mesh: all arrays of numbers in it. */
export function lightBytes(light: LightModel): number {
  let sum = 0;
  const visit = (value: unknown) => {
    if (ArrayBuffer.isView(value)) sum += value.byteLength;
    else if (typeof value === 'object' && value !== null) for (const each of Object.values(value)) visit(each);
  };
  visit(light);
  // Vertices of a file name their bone in a byte, their clusters in two, see io/gltf/light-extension.ts.
  for (const each of [light.residual, light.samples]) if (each && each.bones.length <= 256) sum -= each.groupOf.length;
  const { samples } = light;
  for (const each of [samples?.diffuse, samples?.visibility, samples?.gloss?.vectors]) {
    if (each && sampleClusters(each) <= 65_536) sum -= 2 * each.memberOf.length;
  }
  return sum;
}
