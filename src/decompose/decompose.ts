import { projectToBasis } from './bones/bone-frames.ts';
import { affineKind, type BoneKind, RIGID, trsKind } from './bones/bone-kinds.ts';
import type { DecomposeRun, DecomposeSettings, Decomposition, Start, Task } from './decomposition.ts';
import { finishAs, type Sampled, sampled, searchOn } from './finish.ts';
import { copySupport, type FitProblem, type VertexNeighbours } from './problem.ts';
import type { Begun } from './search.ts';

/**
 * The skinning decomposition for a given number and kind of bones:
 *
 *   rigid: place bones ─▶ refine ─▶ move bones ─▶ refine ─┬─▶ finish: whole mesh, steady bones, weights as wanted
 *                                  ┌──────────────────────┘
 *   TRS:                           └▶ refine ─▶ move bones ─▶ refine ─┬─▶ finish
 *   affine: …
 *
 * Richer kinds of bones begin where poorer ones ended. They have more ways to get stuck, and on their own would often end
 * worse. On the whole mesh, too, the poorer ones are kept where they are better.
 */
export async function decompose(
  problem: FitProblem,
  neighbours: VertexNeighbours,
  settings: DecomposeSettings,
  run: DecomposeRun = {},
  start?: Start,
): Promise<Decomposition> {
  const bones = Math.min(settings.bones, problem.vertexCount);
  const task = { problem, neighbours, run, start, settings: { ...settings, bones } };
  const coarse = start ? undefined : await sampled(task);
  const { finish } = await withKind(settings, (kind) => searchAs(kind, task, coarse));
  return finish();
}

/** The only place that knows all kinds: calls `use` with the one asked for. */
export function withKind<T>({ kind, rigidity }: DecomposeSettings, use: <Bones>(kind: BoneKind<Bones>) => T): T {
  if (kind === 'affine') return use(affineKind(rigidity));
  return kind === 'rigid' ? use(RIGID) : use(trsKind(rigidity));
}

/** Where the search for bones of one kind ended. */
interface Rung {
  /** On the problem that was searched. */
  found: Start & Pick<Decomposition, 'clusters'>;
  /** What `finish` will have as its error, about. */
  estimate: number;
  finish(): Promise<Decomposition>;
}

/** The kind whose bones are a start for each kind. */
const POORER = { rigid: undefined, trs: 'rigid', affine: 'trs' } as const;

/** Squared errors below this share of the estimate for a poorer kind are below what it will come to, too. */
const CLEARLY = 0.8;

async function searchAs<Bones>(kind: BoneKind<Bones>, task: Task, coarse?: Sampled): Promise<Rung> {
  const { settings, start } = task;
  const below = start || settings.moves === 0 ? undefined : POORER[kind.name];
  const poorer = below && (await withKind({ ...settings, kind: below }, (other) => searchAs(other, task, coarse)));
  const { problem } = coarse ?? task;
  const begun = start
    ? { bones: kind.fromAffine(problem, projectToBasis(problem, start.frames)), support: copySupport(start.support) }
    : poorer && { ...asKind(kind, problem, poorer.found), clusters: poorer.found.clusters, moved: true };
  const searched = await searchOn(kind, task, coarse ?? task, begun);
  const { bones, support, clusters } = searched;
  return {
    found: { frames: kind.frames(problem, bones), support: copySupport(support), clusters },
    estimate: (searched.error * task.problem.frameCount) / problem.frameCount + task.problem.discarded,
    async finish() {
      const own = await finishAs(kind, task, searched, coarse);
      if (!poorer || own.error <= CLEARLY * poorer.estimate) return own;
      const other = await poorer.finish();
      if (own.error <= other.error) return own;
      return { ...other, axes: kind.axes?.(asKind(kind, task.problem, other).bones) };
    },
  };
}

/** Bones of a poorer kind as bones of a kind. */
function asKind<Bones>(kind: BoneKind<Bones>, problem: FitProblem, { frames, support }: Start): Begun<Bones> {
  return { bones: kind.fromPoorer!(problem, frames), support: copySupport(support) };
}
