import type {
  FitOptions,
  ModelGlbOptions,
  PliantErrorCode,
  Predictor,
  RunOptions,
  SampleOptions,
  SkinnedModel,
} from '../../../src/index.ts';
import type { Content, SequenceData } from '../core/content/content.ts';
import type { FitData } from '../core/fit/fit-results.ts';
import type { CoarseData, DeformationData } from '../core/inspect/inspection.ts';
import type { RigOperator } from '../core/rig/rig-operators.ts';
import type { BendCurves } from '../core/rig/rig-work.ts';
import type { SessionData } from '../core/session/session.ts';
import type { Crossing } from './crossing.ts';
import type { FileErrors } from './file-errors.ts';

/** What page and workers say to each other. Every job has a worker of its own, which ends with it. */

/** The verbs that run in workers. */
export type Verbs = Pick<typeof import('../../../src/index.ts'), 'drive' | 'fit' | 'learn' | 'linearize' | 'mix'>;

export type VerbKind = keyof Verbs;

/** The asset that a verb works on, as plain data. */
export type AssetData = Partial<Pick<Content, 'name' | 'sequences' | 'models' | 'predictors'>>;

type VerbJobs = {
  [V in VerbKind]: {
    input: {
      asset: AssetData;
      options: Omit<NonNullable<Parameters<Verbs[V]>[1]>, keyof RunOptions | 'pool'>;
      /** Of its own [default none]. */
      threads?: number;
    };
    output: Crossing<Awaited<ReturnType<Verbs[V]>>>;
  };
};

export interface Jobs extends VerbJobs {
  open: { input: { files: [path: string, file: File][]; paths: string[] }; output: Content };
  sample: { input: { name: string; options: Partial<SampleOptions> }; output: Content };
  page: {
    input: {
      parts: SequenceData[];
      fit: FitData;
      options: Partial<FitOptions>;
      title: string;
    };
    output: string;
  };
  /** How a motion, or a result at its times, deforms over all its frames. */
  deformation: {
    input: { parts: SequenceData[]; fit?: { models: SkinnedModel[]; firstFrame: number } };
    output: DeformationData;
  };
  /** The motion with fewer and fewer vertices. */
  coarse: { input: { parts: SequenceData[]; placement: FitOptions['placement'] }; output: CoarseData };
  pictures: { input: { predictor: Predictor }; output: string[] };
  bend: {
    input: Pick<BendCurves, 'axis' | 'angles'> & {
      /** Part → the joint of it that turns, −1 where none does. */
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
      /** Where the models are a fit: the motion, to measure the file by. */
      fit?: { parts: SequenceData[]; options: Partial<FitOptions>; diagonal: number };
    };
    /** `unmeasured`: why it has no errors, where it should have some. */
    output: { bytes: Uint8Array<ArrayBuffer>; errors?: FileErrors; unmeasured?: string };
  };
  save: { input: SessionData; output: Blob };
  load: { input: { file: File; name: string }; output: SessionData };
}

export type JobKind = keyof Jobs;

export type JobTable = {
  [K in JobKind]: (input: Jobs[K]['input'], run: Required<RunOptions>) => Promise<Jobs[K]['output']>;
};

/** `life` names a lock that the worker holds for as long as it lives. */
export type ToWorker = { start: JobKind; input: unknown; life: string } | { cancel: true };

export type FromWorker =
  | { alive: true }
  | { progress: { done: number; total: number; label: string } }
  | { done: unknown }
  | { failed: { code: PliantErrorCode; message: string } };
