import { decimate } from '../mesh/decimation/decimate.ts';
import { levelOf } from '../mesh/decimation/levels.ts';
import { faceArea } from '../mesh/triangle.ts';
import { type Mesh, vertexCount } from '../model/mesh.ts';
import type { RunOptions } from '../model/options.ts';

/** A mesh that is simulated in place of a finer one, and which of its vertices are pinned. */
export interface CoarseMesh {
  mesh: Mesh;
  pinned: Uint32Array;
}

/** Cloth is flat, where quadrics leave the choice of vertices open: even triangles matter more than the last fold. */
const POINT_WEIGHT = 0.1;

/**
 * About `count` of the vertices of a garment, by edge contractions. A pinned vertex is only merged into another pinned one,
 * so that what holds the garment stays. Triangles without area are left out, and vertices that they leave alone.
 */
export async function coarseMesh(
  fine: Mesh,
  pinned: Uint32Array,
  count: number,
  run: RunOptions = {},
): Promise<CoarseMesh> {
  const { positions } = fine;
  const isPinned = new Uint8Array(vertexCount(fine));
  for (const i of pinned) isPinned[i] = 1;
  const keep = Math.min(1, count / vertexCount(fine));
  const decimation = await decimate(
    { triangles: fine.triangles, poses: [positions] },
    { ...run, keep, pointWeight: POINT_WEIGHT, rules: { mayContract: (i, j) => !isPinned[i] || isPinned[j] === 1 } },
  );
  const { vertices, triangles } = levelOf(decimation, count);
  const corners = triangles.map((v) => vertices[v]);
  const solid = corners.filter((_, c) => faceArea(positions, corners, c - (c % 3)) > 0);
  const used = Uint32Array.from(new Set(solid)).sort();
  const indexOf = new Map(Array.from(used, (i, v) => [i, v]));
  return {
    mesh: {
      name: fine.name,
      positions: Float32Array.from(
        { length: 3 * used.length },
        (_, c) => positions[3 * used[Math.floor(c / 3)] + (c % 3)],
      ),
      triangles: solid.map((i) => indexOf.get(i)!),
      space: fine.space,
    },
    pinned: Uint32Array.from(used.keys()).filter((v) => isPinned[used[v]] === 1),
  };
}
