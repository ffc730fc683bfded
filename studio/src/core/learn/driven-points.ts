import type { Mesh } from '../../../../src/model/mesh.ts';
import type { Predictor } from '../../../../src/model/predictor.ts';
import { type Content, positionsOf } from '../content/content.ts';
import type { Doc } from '../doc.ts';
import { pathFrame } from './learn-work.ts';

/** 3n_c: where the control points are in frame k: dragged, as recorded, or in the motion. */
export function drivenPoints(doc: Doc, { points, mesh }: Predictor, k: number): Float64Array {
  const width = 3 * points.length;
  const dragged = doc.points.value.value;
  const take = doc.learn.shown.value;
  // An undo may bring back what belongs to an earlier predictor.
  if (dragged?.length === width) return dragged;
  if (take?.points.length === width * (take?.times.length ?? 0)) return pathFrame(take, k);
  return pointsAt(doc.content, points, mesh, k);
}

/** 3n_c: where vertices are in frame k, counted through all parts; at rest where nothing moves. */
function pointsAt(content: Content, vertices: Uint32Array, mesh: Mesh, k: number): Float64Array {
  const positions = content.sequences.length === 0 ? mesh.positions : positionsOf(content, k);
  return Float64Array.from(
    { length: 3 * vertices.length },
    (_, c) => positions[3 * vertices[Math.floor(c / 3)] + (c % 3)],
  );
}
