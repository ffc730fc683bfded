import type { Mesh } from '../model/mesh.ts';
import type { MeshSequence } from '../model/sequence.ts';
import type { SkinnedModel } from '../model/skinned-model.ts';

/** What is told about levels of detail. */

/** A level of a part, or of all parts together. */
export interface LodLevelFigures {
  triangles: number;
  /** Split vertices: what renderers draw. */
  vertices: number;
  /** Root mean square and largest distance from the given surface, over poses, in % of the whole diagonal. */
  rmsPercent: number;
  maxPercent: number;
  /** What vertices and triangles take in the file; absent for sequences. */
  bytes?: number;
  /** From where on the largest distance takes less than a pixel of 1080 lines seen at 50°; in metres. */
  onePixelDistance: number;
  /** Where the largest distance is: a clip, or what else posed it, and the second. */
  worstPose: { name: string; time: number };
}

/** What only `lod` reports. */
export interface LodDetail {
  /** The surface as given. */
  original: { triangles: number; vertices: number };
  /** Levels after the given surface, finest first. */
  levels: LodLevelFigures[];
  parts: { name: string; levels: LodLevelFigures[] }[];
  /** How many poses levels were fitted to, and by how many more they were judged. */
  poses: { fitted: number; held: number };
}

/** Everything at one level. */
export interface LodLevel {
  models: SkinnedModel[];
  meshes: Mesh[];
  sequences: MeshSequence[];
}
