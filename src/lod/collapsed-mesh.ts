import type { Features } from './features.ts';
import type { CollapsedMesh } from './records.ts';
import type { FanMesh } from './weld.ts';

/** The mesh before any collapse. */
export function uncollapsed({ triangles }: FanMesh, { wedgeOf }: Features): CollapsedMesh {
  const alive = new Uint8Array(triangles.length / 3);
  for (let f = 0; f < alive.length; f++) if (triangles[3 * f] !== triangles[3 * f + 1]) alive[f] = 1;
  const last = new Int32Array(alive.length).fill(-1);
  return { vertices: triangles.slice(), wedges: wedgeOf.slice(), alive, last, isSoft: false };
}

/** From now on the wedges of the lines without hard edges: each is made of some of those before. */
export function soften(state: CollapsedMesh, features: Features, soft: Features): void {
  const softOf = new Uint32Array(features.splitOf.length);
  for (let c = 0; c < features.wedgeOf.length; c++) softOf[features.wedgeOf[c]] = soft.wedgeOf[c];
  for (let c = 0; c < state.wedges.length; c++) state.wedges[c] = softOf[state.wedges[c]];
  state.isSoft = true;
}
