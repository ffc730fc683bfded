import { DisjointSets } from '../math/disjoint-sets.ts';
import { gatherRows } from '../math/rows.ts';
import { meshEdges } from '../mesh/adjacency.ts';
import { weldVertices } from '../mesh/seams.ts';
import { faceNormal } from '../mesh/triangle.ts';
import type { PosedSurface } from './surface.ts';

/**
 * The surface as collapses want it: every point of it once, every edge between two faces at most, every vertex in the
 * middle of one fan.
 */

/** A manifold with one vertex per fan of faces, n of them. */
export interface FanMesh {
  /** 3F. A face that uses a vertex of the mesh twice is 0 0 0. */
  triangles: Uint32Array;
  /** n: vertex → that of the mesh. */
  vertexOf: Uint32Array;
  /** 3F: the corner of the face across the side from corner c to the next one, where that side begins; −1 at a border. */
  twins: Int32Array;
}

/**
 * Welds a mesh without seams by position, skin, morphs and poses; readers have done so to meshes that have them. What
 * comes back has the same split vertices.
 */
export function weldSurface(surface: PosedSurface): PosedSurface {
  const { mesh, poses, skin, morphs } = surface;
  if (mesh.seams) return surface;
  const keys: ArrayLike<number>[] = [...poses, ...(morphs ?? []).map(({ positions }) => positions)];
  if (skin) keys.push(skin.weights.joints, skin.weights.weights);
  const welded = weldVertices(mesh, { keys });
  if (welded.mesh === mesh) return surface;
  const firstOf = new Uint32Array(welded.mesh.positions.length / 3);
  for (let w = welded.vertexOf.length - 1; w >= 0; w--) firstOf[welded.vertexOf[w]] = w;
  const rows = (values: Float32Array): Float32Array => gatherRows(values, 3, firstOf);
  return {
    ...surface,
    mesh: welded.mesh,
    poses: poses.map(rows),
    ...(skin && {
      skin: {
        bones: skin.bones,
        weights: {
          influences: skin.weights.influences,
          joints: gatherRows(skin.weights.joints, skin.weights.influences, firstOf),
          weights: gatherRows(skin.weights.weights, skin.weights.influences, firstOf),
        },
      },
    }),
    ...(morphs && { morphs: morphs.map((morph) => ({ ...morph, positions: rows(morph.positions) })) }),
  };
}

/** One vertex per fan. Where more than two faces meet in an edge, those that bend least go together (`positions`: 3N). */
export function fanMesh(triangles: Uint32Array, positions: ArrayLike<number>): FanMesh {
  const twins = pairSides(triangles, positions);
  const corners = triangles.length;

  // Corners of one fan: joined across every side that has two faces.
  const fans = new DisjointSets(corners);
  for (let c = 0; c < corners; c++) {
    const d = twins[c];
    if (d < c) continue; // each pair once
    fans.join(c, after(d));
    fans.join(after(c), d);
  }

  const fanOf = new Int32Array(corners).fill(-1);
  const out = new Uint32Array(corners);
  const vertexOf: number[] = [];
  for (let t = 0; t < corners; t += 3) {
    if (isFlat(triangles, t)) continue;
    for (let c = t; c < t + 3; c++) {
      const fan = fans.root(c);
      if (fanOf[fan] < 0) {
        fanOf[fan] = vertexOf.length;
        vertexOf.push(triangles[c]);
      }
      out[c] = fanOf[fan];
    }
  }
  return { triangles: out, vertexOf: Uint32Array.from(vertexOf), twins };
}

/** The corner after c in its triangle. */
export const after = (c: number): number => (c % 3 === 2 ? c - 2 : c + 1);
/** The corner before c in its triangle. */
export const before = (c: number): number => (c % 3 === 0 ? c + 2 : c - 1);

const isFlat = (triangles: Uint32Array, t: number): boolean =>
  triangles[t] === triangles[t + 1] || triangles[t + 1] === triangles[t + 2] || triangles[t + 2] === triangles[t];

/** Which two sides belong together along every edge: one of each direction. */
function pairSides(triangles: Uint32Array, positions: ArrayLike<number>): Int32Array {
  const twins = new Int32Array(triangles.length).fill(-1);
  const { offsets, items } = meshEdges(triangles, positions.length / 3).corners;
  for (let e = 0; e + 1 < offsets.length; e++) {
    const sides = Array.from(items.subarray(offsets[e], offsets[e + 1])).filter((c) => !isFlat(triangles, c - (c % 3)));
    const there = sides.filter((c) => triangles[c] === triangles[sides[0]]);
    const back = sides.filter((c) => triangles[c] !== triangles[sides[0]]);
    const pairs =
      sides.length > 2
        ? there
            .flatMap((c) => back.map((d) => ({ c, d, bend: cosine(triangles, positions, c, d) })))
            .sort((p, q) => q.bend - p.bend)
        : there.flatMap((c) => back.map((d) => ({ c, d })));
    for (const { c, d } of pairs) {
      if (twins[c] >= 0 || twins[d] >= 0) continue;
      twins[c] = d;
      twins[d] = c;
    }
  }
  return twins;
}

const normalC = new Float64Array(3);
const normalD = new Float64Array(3);

function cosine(triangles: Uint32Array, positions: ArrayLike<number>, c: number, d: number): number {
  if (faceNormal(normalC, positions, triangles, c - (c % 3)) === 0) return 0;
  if (faceNormal(normalD, positions, triangles, d - (d % 3)) === 0) return 0;
  return normalC[0] * normalD[0] + normalC[1] * normalD[1] + normalC[2] * normalD[2];
}
