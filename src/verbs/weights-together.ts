import { followedBones } from '../model/influences.ts';
import type { Mesh } from '../model/mesh.ts';
import { vertexCount } from '../model/mesh.ts';
import { emptyReport } from '../model/report.ts';
import type { Skeleton } from '../model/skeleton.ts';
import type { SkinWeights } from '../model/skinned-model.ts';
import { type BindResult, bind } from '../rig/bind/bind.ts';
import { BIND_OPTIONS } from '../rig/bind/bind-options.ts';
import type { WeightsPart, WeightsVerbOptions } from './weights-parts.ts';

/**
 * New weights for parts. Heat in the solid sees all that moves with a skeleton as one body: a hand that is a mesh of its own is
 * bound with the arm, and a button with the coat. The other methods look at each mesh alone.
 *
 * @returns by part, for those whose weights are to be computed. Notes about a body are with its first part.
 */
export async function bindParts(
  parts: readonly WeightsPart[],
  options: WeightsVerbOptions,
): Promise<Map<WeightsPart, BindResult>> {
  const { method = BIND_OPTIONS.method.default } = options;
  const found = new Map<WeightsPart, BindResult>();
  for (const body of method === 'volume' ? bodiesOf(parts) : parts.map((part) => [part])) {
    const bound = body.filter(({ deforms }) => deforms);
    if (bound.length === 0) continue;
    const deforms = (bone: number): boolean => bound.some((part) => part.deforms?.(bone));
    const meshes = bound.map(({ model }) => model.mesh);
    const whole = await bind(bound.length > 1 ? joined(meshes) : meshes[0], bound[0].model.skeleton, {
      ...options,
      deforms,
    });
    if (bound.length === 1) found.set(bound[0], whole);
    else shareOut(whole, bound, found);
  }
  return found;
}

/** Parts whose skeletons are the same, in their order. */
function bodiesOf(parts: readonly WeightsPart[]): WeightsPart[][] {
  const bodies: WeightsPart[][] = [];
  for (const part of parts) {
    const body = bodies.find(([first]) => isSameSkeleton(first.model.skeleton, part.model.skeleton));
    if (body) body.push(part);
    else bodies.push([part]);
  }
  return bodies;
}

/** Numbers of bind matrices that differ by less, relative to the largest, are equal. */
const SAME = 1e-4;

/** Files may hold a skeleton once per mesh. */
function isSameSkeleton(a: Skeleton, b: Skeleton): boolean {
  if (a === b) return true;
  if (a.names.length !== b.names.length) return false;
  const size = a.inverseBind.reduce((most, x) => Math.max(most, Math.abs(x)), 0);
  return (
    a.names.every((name, j) => name === b.names[j]) &&
    a.parents.every((parent, j) => parent === b.parents[j]) &&
    a.inverseBind.every((x, q) => Math.abs(x - b.inverseBind[q]) <= SAME * size)
  );
}

function joined(meshes: readonly Mesh[]): Mesh {
  const positions = new Float32Array(meshes.reduce((sum, mesh) => sum + mesh.positions.length, 0));
  const triangles = new Uint32Array(meshes.reduce((sum, mesh) => sum + mesh.triangles.length, 0));
  let [vertex, corner] = [0, 0];
  for (const mesh of meshes) {
    positions.set(mesh.positions, 3 * vertex);
    for (const i of mesh.triangles) triangles[corner++] = vertex + i;
    vertex += vertexCount(mesh);
  }
  return { positions, triangles };
}

/** Each part's rows of the weights of all. */
function shareOut(
  { weights, report }: BindResult,
  parts: readonly WeightsPart[],
  found: Map<WeightsPart, BindResult>,
): void {
  const k = weights.influences;
  let first = 0;
  for (const part of parts) {
    const n = vertexCount(part.model.mesh);
    const own: SkinWeights = {
      influences: k,
      joints: weights.joints.slice(k * first, k * (first + n)),
      weights: weights.weights.slice(k * first, k * (first + n)),
    };
    const figures = { ...report.figures, vertices: n, followedBones: followedBones(own).size };
    const told = part === parts[0] ? report : emptyReport(report.operation);
    found.set(part, { weights: own, report: { ...told, figures } });
    first += n;
  }
}
