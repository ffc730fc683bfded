import type { GltfSource } from './gltf-source.ts';
import type { Mesh, Space } from './mesh.ts';
import type { Note } from './note.ts';
import type { Predictor } from './predictor.ts';
import type { MeshSequence } from './sequence.ts';
import type { Clip, Skeleton } from './skeleton.ts';
import type { SkinnedModel } from './skinned-model.ts';
import type { TrainedCloth } from './trained-cloth.ts';

/** A skeleton with its clips and no mesh: motion capture. */
export interface Motion {
  name: string;
  skeleton: Skeleton;
  clips: Clip[];
  /** Clips that begin from the rest pose, as in a scene. Absent where they have an origin of their own. */
  fromRest?: boolean;
}

/** Where in a glTF file a static mesh was read from. */
export interface MeshOrigin {
  node: number;
  /** 12: what moved the stored mesh to where it stands. */
  place: Float64Array;
}

/** An entry of the tree of objects that some files have, whether it is read or not. */
export interface AssetObject {
  /** From the root: "/Bone/BoneShape". */
  path: string;
  /** "transform", "mesh", "camera". */
  kind: string;
  /** Samples over time; 1 where nothing changes. */
  samples: number;
  /** Seconds of the first and last sample. */
  from: number;
  to: number;
  /** Bytes of all samples. */
  bytes: number;
}

/** Everything that one file, folder or list of files holds. Each mesh appears once, as the most that is known of it. */
export interface Asset {
  /** The path it was read from, the first of several. */
  name?: string;
  /** Human-readable format: "Wavefront OBJ", "glTF 2.0 (binary)". */
  format: string;
  /** Static meshes. */
  meshes: Mesh[];
  sequences: MeshSequence[];
  models: SkinnedModel[];
  motions: Motion[];
  /** What `learn` made; absent where a file has none. */
  predictors?: Predictor[];
  /** What `cloth train` made; absent where a file has none. */
  cloths?: TrainedCloth[];
  /** Names of the file's clips in its order; each model has those that move it. Absent where a file has none. */
  clipNames?: string[];
  /** Clips that are as long as each other and move different things, as `a+b`: what plays them at once. */
  clipsTogether?: string;
  /** The file's own tree, parents first. Absent where a format has none. */
  objects?: AssetObject[];
  space?: Space;
  /** Whether sequences have times of their own; otherwise the reader was told a rate. */
  ownTimes?: boolean;
  /** The file itself, where it is glTF. */
  source?: GltfSource;
  /** Of each of `meshes`: where in that file it was read from. */
  meshOrigins?: MeshOrigin[];
  /** Bytes read or to be read, over all files. */
  bytes: number;
  /** What was repaired or left out. */
  notes: Note[];
}

/** An asset to be filled by a reader. */
export function emptyAsset(format: string, bytes: number): Asset {
  return { format, meshes: [], sequences: [], models: [], motions: [], bytes, notes: [] };
}
