import { gatherRows } from '../../math/rows.ts';
import { weldVertices } from '../../mesh/seams.ts';
import { transformMesh } from '../../mesh/transform-mesh.ts';
import { uniqueRows } from '../../mesh/unique-rows.ts';
import type { GeometryImages } from '../../model/geometry-images.ts';
import type { Mesh, MeshGroup } from '../../model/mesh.ts';
import type { SkinWeights } from '../../model/skinned-model.ts';
import { baseComplex } from './base-complex.ts';
import { Stitcher, stitchedMesh, stitchedNormals, stitchedPositions } from './stitch.ts';

/** All patches at one level, or at their finest where that is coarser: a mesh like any other, as the images store it. */
export interface ImageMesh {
  mesh: Mesh;
  /** Of the N vertices; absent without a skin. */
  weights?: SkinWeights;
}

/**
 * @param like Where groups and materials come from.
 * @param place 12: from the space of the images to that of the mesh; absent: the same.
 */
export function meshOfImages(images: GeometryImages, level: number, like: Mesh, place?: Float64Array): ImageMesh {
  const levels = images.depths.map((depth) => Math.min(depth, level));
  const words = new Uint32Array(levels.length);
  new Stitcher(baseComplex(images.corners)).sew(levels, words);
  const stitched = stitchedMesh(images, words);

  // (1) What every sample of every patch has; those that are alike in all become one.
  const positions = stitchedPositions(images, stitched);
  const normals = stitchedNormals(images, stitched);
  const n = stitched.texels.length;
  const uvs = images.uvs && new Float32Array(2 * n);
  const skinned = images.levels[0].joints !== undefined;
  const joints = new Uint16Array(skinned ? 4 * n : 0);
  const shares = new Float32Array(skinned ? 4 * n : 0);
  stitched.texels.forEach((t, v) => {
    const from = images.levels[stitched.levels[v]];
    for (let d = 0; uvs && d < 2; d++) {
      uvs[2 * v + d] = images.uvs!.origin[d] + images.uvs!.step[d] * from.uvs![2 * t + d];
    }
    for (let c = 0; skinned && c < 4; c++) {
      joints[4 * v + c] = from.joints![4 * t + c];
      shares[4 * v + c] = from.weights![4 * t + c] / 65535;
    }
  });
  const { classOf, firstOf } = uniqueRows(n, [positions, normals, ...(uvs ? [uvs] : []), joints, shares]);

  // (2) Triangles by group.
  const { triangles, groups } = byGroup(images, stitched, like);
  const split: Mesh = {
    ...(images.name !== undefined && { name: images.name }),
    positions: gatherRows(positions, 3, firstOf),
    normals: gatherRows(normals, 3, firstOf),
    ...(uvs && { uvs: gatherRows(uvs, 2, firstOf) }),
    triangles: triangles.map((v) => classOf[v]),
    ...(groups && { groups }),
    ...(like.materials && { materials: like.materials }),
    ...(like.space && { space: like.space }),
  };

  // (3) One vertex per place.
  const keys = skinned ? [gatherRows(joints, 4, firstOf), gatherRows(shares, 4, firstOf)] : [];
  const welded = weldVertices(split, { keys });
  const mesh = place ? transformMesh(welded.mesh, place) : welded.mesh;
  if (!skinned) return { mesh };
  const rows = new Uint32Array(mesh.positions.length / 3);
  for (let w = welded.vertexOf.length - 1; w >= 0; w--) rows[welded.vertexOf[w]] = w;
  return {
    mesh,
    weights: {
      influences: 4,
      joints: gatherRows(keys[0] as Uint16Array, 4, rows),
      weights: gatherRows(keys[1] as Float32Array, 4, rows),
    },
  };
}

function byGroup(
  { groups: names, groupOf }: GeometryImages,
  { triangles, patchOf }: { triangles: Uint32Array; patchOf: Uint32Array },
  like: Mesh,
): { triangles: Uint32Array; groups?: MeshGroup[] } {
  if (!names || !groupOf || !like.groups) return { triangles };
  const out = new Uint32Array(triangles.length);
  let start = 0;
  const groups = names.map((group, g): MeshGroup => {
    let count = 0;
    for (let f = 0; f < patchOf.length; f++) {
      if (groupOf[patchOf[f]] !== g) continue;
      out.set(triangles.subarray(3 * f, 3 * f + 3), 3 * (start + count++));
    }
    start += count;
    return { ...group, start: start - count, count };
  });
  return { triangles: out, groups };
}
