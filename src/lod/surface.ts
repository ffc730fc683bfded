import type { Mesh } from '../model/mesh.ts';
import type { Morph, SkinWeights } from '../model/skinned-model.ts';

/** One surface in all the poses that count, and what makes it move: what levels of detail are made of. */
export interface PosedSurface {
  /** As given: N vertices, W split vertices with normals, uvs and attributes, groups with materials. */
  mesh: Mesh;
  /**
   * K ≥ 1 poses, 3N each; the first is the default pose, and lengths are measured in it. Of a sequence they are its
   * frames, of a still mesh its positions.
   */
  poses: readonly Float32Array[];
  /** What poses the mesh, by linear blending. Absent for still meshes and sequences. */
  skin?: SurfaceSkin;
  /** M displacements of the mesh before skinning, which travel along. */
  morphs?: readonly Morph[];
  /** K × M: how much of each morph is in each pose; none when absent. */
  morphWeights?: readonly ArrayLike<number>[];
}

/** Bones and their poses. */
export interface SurfaceSkin {
  /** Of the N vertices. */
  weights: SkinWeights;
  /** K arrays of 12B: rest → pose. */
  bones: readonly ArrayLike<number>[];
}

/** How far a level is from the surface it was made of. */
export interface LevelFigures {
  triangles: number;
  /** Split vertices: what renderers draw. */
  vertices: number;
  /** Root mean square and largest distance between the surfaces over the K poses, in % of the default pose's diagonal. */
  rmsPercent: number;
  maxPercent: number;
  /** The pose of the largest distance. */
  worstPose: number;
}

/** A coarser version of a surface: the same skeleton, materials and morphs, fewer triangles. */
export interface SurfaceLevel {
  /** Seams, uvs, normals and attributes as the given mesh has them; groups and materials in the same order. */
  mesh: Mesh;
  /** At most 4 influences each, sum 1. */
  weights?: SkinWeights;
  morphs?: Morph[];
  /** K poses, 3n each: of a skin they follow from weights and bones, of a sequence each is fitted by itself. */
  poses: Float32Array[];
  figures: LevelFigures;
}
