import { buildBvh } from '../../mesh/bvh.ts';
import { nearestOnSurface, surfacePoint } from '../../mesh/nearest.ts';
import type { Patches } from './patches.ts';
import { samplePatches } from './sample-patches.ts';

/** Samples are taken at this level: where patches ought to be good. */
const LEVEL = 3;
/** Vertices farther than this are lost, and pins this far apart; shares of the diagonal. */
const LOST = 0.003;
const APART = 0.02;
/** Pins of a round, as a share of the patches. */
const SHARE = 0.06;

/** What patches have lost of a surface. */
export interface Lost {
  /** Mean squared distance of the surface's vertices. */
  mean: number;
  /** Vertices to pin. */
  vertices: number[];
}

/**
 * Vertices of the surface that its patches have lost: protrusions shrink exponentially in the flattening, and a level gains
 * less than it should. Worst first, some distance apart, a few at a time. They stay when the surface is collapsed again.
 */
export function lostVertices(patches: Patches, pins: readonly number[], diagonal: number): Lost {
  const { surface, level } = patches;
  const { positions } = surface.mesh;
  const sampled = samplePatches(patches, LEVEL);
  const bvh = buildBvh(Float32Array.from(sampled.positions), sampled.triangles);
  const found = surfacePoint();
  const n = positions.length / 3;
  const far: { vertex: number; distance: number }[] = [];
  let mean = 0;
  for (let i = 0; i < n; i++) {
    if (!nearestOnSurface(bvh, positions[3 * i], positions[3 * i + 1], positions[3 * i + 2], found)) continue;
    mean += found.distance ** 2 / n;
    if (found.distance > LOST * diagonal) far.push({ vertex: i, distance: found.distance });
  }
  far.sort((a, b) => b.distance - a.distance || a.vertex - b.vertex);
  const most = Math.ceil(SHARE * level.faces.length);
  const vertices: number[] = [];
  const isNear = (i: number, j: number): boolean =>
    Math.hypot(...[0, 1, 2].map((d) => positions[3 * i + d] - positions[3 * j + d])) < APART * diagonal;
  for (const { vertex } of far) {
    if (vertices.length === most) break;
    if (![...pins, ...vertices].some((pin) => isNear(pin, vertex))) vertices.push(vertex);
  }
  return { mean, vertices };
}
