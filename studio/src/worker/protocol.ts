import type { TrainedCloth } from '../../../src/doors/cloth.ts';
import type {
  FitOptions,
  FitSoFar,
  LearnSoFar,
  LinearizeSoFar,
  ModelGlbOptions,
  Note,
  PliantErrorCode,
  Predictor,
  RunOptions,
  SampleOptions,
  SkinnedModel,
  SkinOperator,
} from '../../../src/index.ts';
import type { Breeze, ClothFormat, Dress } from '../core/cloth/dress.ts';
import type { PlayedPair, TrainedData, TrainOptions } from '../core/cloth/pair-work.ts';
import type { Content, PairData, SequenceData } from '../core/content/content.ts';
import type { Thumb, ThumbName } from '../core/content/thumb.ts';
import type { FitData } from '../core/fit/fit-results.ts';
import type { CoarseData, DeformationData } from '../core/inspect/inspection.ts';
import type { LevelOptions, LevelsData } from '../core/levels/levels-work.ts';
import type { BakeOptions, LightData, OwnSky, TracedData } from '../core/light/light-work.ts';
import type { RigOperator } from '../core/rig/rig-operators.ts';
import type { BendCurves } from '../core/rig/rig-work.ts';
import type { SessionData, SessionDoc } from '../core/session/session.ts';
import type { Crossing } from './crossing.ts';
import type { FileErrors } from './file-errors.ts';
import type { Opened, RigFile } from './rig-file.ts';

/** Messages between page and workers. Every job has its own worker, which ends with it. */

/** The verbs that run in workers. */
export type Verbs = Pick<typeof import('../../../src/index.ts'), 'drive' | 'fit' | 'learn' | 'linearize' | 'mix'>;

export type VerbKind = keyof Verbs;

/** The input of a verb, as plain data. */
export type AssetData = Partial<Pick<Content, 'name' | 'sequences' | 'models' | 'predictors'>>;

type VerbJobs = {
  [V in VerbKind]: {
    input: {
      asset: AssetData;
      options: Omit<NonNullable<Parameters<Verbs[V]>[1]>, keyof RunOptions | 'pool'>;
      /** Number of threads [default: no pool]. */
      threads?: number;
    };
    output: Crossing<Awaited<ReturnType<Verbs[V]>>>;
  };
};

export interface Jobs extends VerbJobs {
  open: { input: { files: [path: string, file: File][]; paths: string[] }; output: Content };
  /** Frames of a small picture on the start page. */
  thumb: { input: { name: ThumbName }; output: Thumb[] };
  sample: { input: { name: string; options: Partial<SampleOptions> }; output: Content };
  /** Clips of rigs as a motion. */
  bake: {
    input: { name: string; models: SkinnedModel[]; clips: string[]; operator?: SkinOperator };
    output: Content;
  };
  /** A motion as positions of vertices; of a fit, as its bones move them. */
  sequenceFile: {
    input: {
      parts: SequenceData[];
      fit?: { models: SkinnedModel[]; options: Partial<FitOptions> };
      format: 'glb' | 'abc' | 'pc2';
    };
    output: { ending: string; file: Blob }[];
  };
  page: {
    input: {
      parts: SequenceData[];
      fit: FitData;
      options: Partial<FitOptions>;
      title: string;
    };
    output: string;
  };
  /** Deformation of the motion, or of a result, over all frames. */
  deformation: {
    input: { parts: SequenceData[]; fit?: { models: SkinnedModel[]; firstFrame: number } };
    output: DeformationData;
  };
  /** The decimated motion. */
  coarse: { input: { parts: SequenceData[]; placement: FitOptions['placement'] }; output: CoarseData };
  /** A garment simulated on a clip, as a file. */
  clothFile: {
    /** The model has the clip. */
    input: { dress: Dress; model: SkinnedModel; breeze: Breeze; bending: number; format: ClothFormat };
    output: { file: Blob; notes: Note[] };
  };
  /** Learns folds from pairs of coarse and fine cloth. */
  clothTrain: { input: { pairs: PairData[]; options: TrainOptions }; output: TrainedData };
  /** The fine cloth of a pair, by what was learned or by physics alone. */
  clothPlay: { input: { pair: PairData; cloth?: TrainedCloth }; output: PlayedPair };
  /** Levels of detail of all rigs, and the file with them. */
  levels: {
    input: { models: SkinnedModel[]; opened: Opened; options: LevelOptions & { images?: boolean } };
    output: LevelsData;
  };
  /** Light for all rigs, and the file with it. */
  lightBake: { input: { models: SkinnedModel[]; opened: Opened; options: BakeOptions }; output: LightData };
  /** Light on rigs in a pose, and on points of a floor. */
  lightTrace: {
    input: {
      models: SkinnedModel[];
      parts: { transforms: Float32Array; morphWeights?: Float32Array }[];
      floor: { points: Float32Array; normals: Float32Array };
      bounces: number;
      albedo: number;
    };
    output: TracedData;
  };
  /** Surroundings of a file, HDR or EXR. */
  sky: { input: { file: File }; output: OwnSky };
  pictures: { input: { predictor: Predictor }; output: string[] };
  bend: {
    input: Pick<BendCurves, 'axis' | 'angles'> & {
      /** Part → its joint that turns, or −1. */
      joints: number[];
      shown: { operator: RigOperator; models: SkinnedModel[] }[];
    };
    output: BendCurves;
  };
  glb: {
    input: {
      models: SkinnedModel[];
      options: Partial<ModelGlbOptions>;
      predictor?: Predictor;
      /** For a fit: the motion that the file is compared with. */
      fit?: { parts: SequenceData[]; options: Partial<FitOptions>; diagonal: number };
      opened?: Opened;
    };
    /** `unmeasured`: why there are no errors. */
    output: RigFile & { errors?: FileErrors; unmeasured?: string };
  };
  save: { input: SessionData; output: Blob };
  /** A session: of a file, or of content that is open; with what was kept of its only document. */
  load: {
    input: { name: string; kept?: { results?: Blob; state: SessionDoc['state'] } } & (
      | { file: Blob; content?: undefined }
      | { file?: undefined; content: Content }
    );
    output: SessionData;
  };
}

export type JobKind = keyof Jobs;

/** What jobs have found, while they go on. */
export interface SoFar {
  fit: FitSoFar;
  learn: LearnSoFar;
  /** Of the rigs that are finished and the one in work. */
  linearize: LinearizeSoFar[];
}

/** `onSoFar`: takes what a job has found, while it goes on. */
export type JobRun = Required<RunOptions> & { onSoFar?: (look: () => SoFar[keyof SoFar]) => void };

export type JobTable = {
  [K in JobKind]: (input: Jobs[K]['input'], run: JobRun) => Promise<Jobs[K]['output']>;
};

/** `life`: name of a lock that the worker holds until it ends. */
export type ToWorker = { start: JobKind; input: unknown; life: string } | { cancel: true };

export type FromWorker =
  | { alive: true }
  | { progress: { done: number; total: number; label: string } }
  | { soFar: SoFar[keyof SoFar] }
  | { done: unknown }
  | { failed: { code: PliantErrorCode; message: string } };
