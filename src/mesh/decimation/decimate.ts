import { choiceOption, numberOption, type OptionsOf, type RunOptions, resolveOptions } from '../../model/options.ts';
import { emptyReport, type Report } from '../../model/report.ts';
import { checkpoint } from '../../model/run.ts';
import { type ContractionRules, Contractor } from './contractor.ts';
import type { Decimation } from './levels.ts';
import type { PosedMesh } from './posed-quadrics.ts';

/**
 * Decimation by edge contraction with quadric errors: Garland & Heckbert 1997 for one pose, Antonopoulos 2010, chapter
 * 4 (after Mohr & Gleicher 2003) for several. `contractor.ts` has the method, `levels.ts` what to do with the result.
 */
export const DECIMATE_OPTIONS = {
  keep: numberOption(
    0.5,
    { min: 0, max: 1 },
    'fraction of the vertices to keep; more are kept if further contractions would damage the surface',
  ),
  placement: choiceOption(
    'second',
    ['second', 'optimal'],
    'position of a merged vertex: the second vertex of the edge, or the minimum of the quadric in every pose',
  ),
  planeWeight: choiceOption('area', ['area', 'one'], "weight of a face's plane: its area, or 1"),
  boundaryWeight: numberOption(10, { min: 0 }, 'weight of open borders, relative to faces'),
  pointWeight: numberOption(
    1e-3,
    { min: 0 },
    'cost of moving along the surface, relative to moving off it; spreads vertices over flat parts',
  ),
  maxTurn: numberOption(
    1.3,
    { min: 0, max: Math.PI / 2, unit: 'radians' },
    "maximum rotation of a face's normal by a contraction, in any pose",
  ),
} as const;

/** Options of `decimate`. */
export type DecimateOptions = OptionsOf<typeof DECIMATE_OPTIONS>;

/** Contractions between two looks at the outside world: a few milliseconds. */
const CONTRACTIONS_PER_LOOK = 256;

/** Contracts until only the share `keep` of the vertices is left, or nothing can be contracted any more. */
export function decimate(
  mesh: PosedMesh,
  options: Partial<DecimateOptions> & RunOptions & { rules?: ContractionRules } = {},
): Promise<Decimation & { report: Report }> {
  return decimateBy(contractTo, mesh, options);
}

/** `decimate` with contractions in another order. */
export async function decimateBy(
  contract: typeof contractTo,
  mesh: PosedMesh,
  options: NonNullable<Parameters<typeof decimate>[1]>,
): ReturnType<typeof decimate> {
  const all = resolveOptions(DECIMATE_OPTIONS, options, 'decimate');
  const started = performance.now();
  const contractor = new Contractor(mesh, all, options.rules ?? {});
  const vertexCount = mesh.poses[0].length / 3;
  await contract(contractor, vertexCount - Math.round(vertexCount * all.keep), options);
  const { count } = contractor;
  const report = emptyReport('decimate');
  report.seconds.contract = (performance.now() - started) / 1000;
  report.figures = {
    verticesBefore: vertexCount,
    verticesAfter: vertexCount - count,
    trianglesAfter: contractor.mesh.triangles().length / 3,
  };
  const { keep: _, ...contractorOptions } = all;
  return {
    vertexCount,
    triangles: mesh.triangles,
    removed: contractor.removed.slice(0, count),
    into: contractor.into.slice(0, count),
    costs: contractor.costs.slice(0, count),
    options: contractorOptions,
    report,
  };
}

/** Algorithm 4.1: one queue for all, until `amount` contractions are done or the queue is empty. */
export async function contractTo(contractor: Contractor, amount: number, run: RunOptions): Promise<void> {
  do {
    await checkpoint(run, 'decimate', contractor.count, amount, 'decimating');
  } while (contractSome(contractor, amount, CONTRACTIONS_PER_LOOK));
}

/** At most `most` contractions, up to `amount` in all. Returns whether there may be more to do. */
function contractSome(contractor: Contractor, amount: number, most: number): boolean {
  const stop = Math.min(amount, contractor.count + most);
  while (contractor.count < stop) if (!contractor.contractNext()) return false;
  return contractor.count < amount;
}
