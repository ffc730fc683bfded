import type { RunOptions } from '../model/options.ts';
import { checkpoint } from '../model/run.ts';
import { soften, uncollapsed } from './collapsed-mesh.ts';
import { COLLAPSE_SETTINGS, Collapser, type CollapseSettings, type SoftFeatures } from './collapser.ts';
import type { Features } from './features.ts';
import type { CollapsedMesh, CollapseRecords } from './records.ts';
import type { FanMesh } from './weld.ts';

/**
 * Collapses of half-edges by quadrics over poses (`mesh/decimation/`), in an order that serves all levels, each recorded
 * as a bijection. A vertex on a line only moves along it; where lines meet or end at a border it stays.
 */

/** How many faces are left after how many collapses, and the way back. */
export interface Collapses {
  records: CollapseRecords;
  /** One per collapse: faces left after it. */
  facesLeft: Uint32Array;
  /** Faces at the start, without those that use a vertex twice. */
  faces: number;
  /** The collapse from which on hard edges no longer count, if there is one; and the lines that do. */
  softFrom: number;
  soft?: SoftFeatures;
}

/**
 * Collapses until `least` faces are left or nothing more can be collapsed. `poses`: K × 3N; `kept`: n, 1 for vertices that
 * stay.
 */
export async function collapse(
  fans: FanMesh,
  features: Features,
  poses: readonly Float32Array[],
  kept: Uint8Array,
  least: number,
  run: RunOptions,
  settings: CollapseSettings = COLLAPSE_SETTINGS,
  soft?: SoftFeatures,
): Promise<Collapses> {
  const collapser = new Collapser(fans, features, poses, kept, settings, soft);
  const start = collapser.faces;
  const total = Math.max(1, start - least);
  while (collapser.faces > least && collapser.some(least, COLLAPSES_PER_LOOK)) {
    await checkpoint(run, 'lod', start - collapser.faces, total, 'collapsing edges');
  }
  const { records, facesLeft, softFrom } = collapser;
  return { records, facesLeft: Uint32Array.from(facesLeft), faces: start, softFrom, ...(soft && { soft }) };
}

/** Collapses between two looks at the outside world: a few milliseconds. */
const COLLAPSES_PER_LOOK = 128;

/** The mesh after the collapses that leave at most `faces` of it. */
export function collapsedTo(
  fans: FanMesh,
  features: Features,
  { records, facesLeft, faces: all, softFrom, soft }: Collapses,
  faces: number,
): CollapsedMesh {
  const state = uncollapsed(fans, features);
  for (let r = 0; r < records.count && (r === 0 ? all : facesLeft[r - 1]) > faces; r++) {
    if (r === softFrom) soften(state, features, soft!.features);
    records.replay(r, state);
  }
  return state;
}
