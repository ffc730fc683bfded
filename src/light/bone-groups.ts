import { diagonalOf } from '../mesh/bounds.ts';
import type { LightResidual } from '../model/light.ts';
import { vertexCount } from '../model/mesh.ts';
import type { SkinnedModel } from '../model/skinned-model.ts';

/** Each vertex belongs to its heaviest bone, in whose frame its light changes least. */
export type BoneGroups = Pick<LightResidual, 'bones' | 'groupOf' | 'centroids' | 'diagonal'>;

/** The groups of a model's vertices, and where each lies at rest. */
export function boneGroups({ mesh, weights: { joints, influences } }: SkinnedModel): BoneGroups {
  const n = vertexCount(mesh);
  const bones = Uint16Array.from(new Set(Array.from({ length: n }, (_, i) => joints[i * influences]))).sort();
  const placeOf = new Map(Array.from(bones, (bone, g) => [bone, g]));
  const groupOf = Uint16Array.from({ length: n }, (_, i) => placeOf.get(joints[i * influences])!);
  const sums = new Float64Array(4 * bones.length);
  for (let i = 0; i < n; i++) {
    for (let c = 0; c < 3; c++) sums[4 * groupOf[i] + c] += mesh.positions[3 * i + c];
    sums[4 * groupOf[i] + 3]++;
  }
  const centroids = Float32Array.from({ length: 3 * bones.length }, (_, at) => {
    const row = 4 * Math.floor(at / 3);
    return sums[row + (at % 3)] / sums[row + 3];
  });
  return { bones, groupOf, centroids, diagonal: diagonalOf(mesh.positions) };
}

/** Per group its vertices. */
export function groupVertices({ bones, groupOf }: Pick<BoneGroups, 'bones' | 'groupOf'>): Uint32Array[] {
  const lists: number[][] = Array.from(bones, () => []);
  groupOf.forEach((g, i) => void lists[g].push(i));
  return lists.map((list) => Uint32Array.from(list));
}
