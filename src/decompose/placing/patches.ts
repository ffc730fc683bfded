import type { BoneSolver } from '../bone-solver.ts';
import { assembleNormalEquations } from '../bones/normal-equations.ts';
import { type FitProblem, type Support, supportOf, type VertexNeighbours } from '../problem.ts';

/** Vertices for a new bone, and the bone it starts from. */
export interface Patch {
  parent: number;
  vertices: number[];
}

/** Pull of a patch's bone towards its parent, as a fraction of its normal matrix. */
export const PARENT_PULL = 1e-4;

/** Vertices of a patch for one of B bones on a mesh of N vertices. */
export const patchSize = (vertexCount: number, boneCount: number): number =>
  Math.max(12, Math.floor(vertexCount / (6 * boneCount)));

/** Breadth-first patch of at most `size` vertices around a seed, within its cluster when clusters are given. */
export function growPatch(neighbours: VertexNeighbours, seed: number, size: number, assignment?: Int32Array): number[] {
  const patch = [seed];
  const seen = new Set(patch);
  for (let head = 0; head < patch.length && patch.length < size; head++) {
    const i = patch[head];
    for (let c = neighbours.offsets[i]; c < neighbours.offsets[i + 1] && patch.length < size; c++) {
      const other = neighbours.items[c];
      if (seen.has(other) || (assignment && assignment[other] !== assignment[seed])) continue;
      seen.add(other);
      patch.push(other);
    }
  }
  return patch;
}

/** All bones, followed by one new bone per patch, fitted to it and pulled towards its parent. */
export function growBones<Bones>({ problem, kind }: BoneSolver<Bones>, bones: Bones, patches: readonly Patch[]): Bones {
  const equations = assembleNormalEquations(problem, patchSupport(problem, patches), patches.length);
  const parents = kind.select(
    problem,
    bones,
    patches.map(({ parent }) => parent),
  );
  const grown = kind.solve(problem, equations, parents, PARENT_PULL);
  const all = Array.from({ length: kind.count(problem, bones) }, (_, b) => b);
  return kind.select(problem, bones, all, grown);
}

/** Vertices of patch p follow bone p, all others none. */
function patchSupport(problem: FitProblem, patches: readonly Patch[]): Support {
  const support = supportOf(new Int32Array(problem.vertexCount));
  support.count.fill(0);
  patches.forEach(({ vertices }, p) => {
    for (const i of vertices) {
      support.count[i] = 1;
      support.joints[i] = p;
    }
  });
  return support;
}
