import type { ErrorFacts, PliantErrorCode } from '../error.ts';
import type { LodDetail } from '../lod/lod-detail.ts';
import type { Note } from '../model/note.ts';
import type { ClothPairDetail } from './cloth-pair.ts';
import type { ClothDetail } from './cloth-run.ts';
import type { ClothTrainDetail } from './cloth-train.ts';
import type { ConvertDetail } from './convert.ts';
import type { DriveDetail } from './drive.ts';
import type { FitDetail } from './fit.ts';
import type { InfoDetail } from './info.ts';
import type { LearnDetail } from './learn.ts';
import type { LightBakeDetail } from './light-bake.ts';
import type { LightMeasureDetail } from './light-measure.ts';
import type { LightRenderDetail } from './light-render.ts';
import type { LinearizeDetail } from './linearize.ts';
import type { MeasureDetail } from './measure.ts';
import type { MixDetail } from './mix.ts';
import type { MixExperimentDetail } from './mix-experiment.ts';
import type { SampleDetail } from './sample.ts';
import type { SkinDetail } from './skin.ts';
import type { VerbReport } from './verb.ts';
import type { WeightsDetail } from './weights.ts';

/** What each verb reports beyond what all verbs do. */
export interface VerbDetails {
  cloth: ClothDetail | ClothPairDetail | ClothTrainDetail;
  convert: ConvertDetail;
  demo: FitDetail;
  drive: DriveDetail;
  fit: FitDetail;
  info: InfoDetail;
  learn: LearnDetail;
  light: LightBakeDetail | LightMeasureDetail | LightRenderDetail;
  linearize: LinearizeDetail;
  lod: LodDetail;
  measure: MeasureDetail;
  mix: MixDetail | MixExperimentDetail;
  sample: SampleDetail;
  skin: SkinDetail;
  weights: WeightsDetail;
}

/** Verbs that answer with an envelope. */
export type VerbName = keyof VerbDetails;

/** What was read as one asset. */
export interface InputFiles {
  files: string[];
  format?: string;
  bytes?: number;
}

/** A file or folder that was written. */
export interface OutputFile {
  path: string;
  bytes: number;
}

/** A note and its sentence. */
export type NoteWithText = Note & { text: string };

/** What `--json` prints, the same for every verb. `version` changes when a field is renamed or removed. */
export interface Envelope<V extends VerbName = VerbName>
  extends Pick<VerbReport, 'figures' | 'clips' | 'parts' | 'seconds'> {
  version: 1;
  verb: V;
  input: InputFiles[];
  output: OutputFile[];
  notes: NoteWithText[];
  report: VerbDetails[V];
}

/** What `--json` prints of an error. */
export interface Failed {
  error: Omit<ErrorFacts, 'notes'> & { code: PliantErrorCode | 'usage'; message: string; notes?: Note[] };
}

/** What `batch --json` prints of an input, in one line, when it is done. */
export interface BatchLine {
  version: 1;
  verb: 'batch';
  /** The verb that was run, and its task: `fit`, `cloth run`. */
  line: string;
  /** Path of the input. */
  input: string;
  /** `kept`: written by an earlier batch, of the same input with the same flags. */
  state: 'written' | 'kept' | 'failed';
  output: OutputFile[];
  /** Seconds that this input took, with waiting. */
  seconds: number;
  /** What the verb printed. */
  answer?: Envelope;
  /** Why it failed. */
  error?: Failed['error'];
}

/** What `worker --json` prints of a job, in one line, when it is done. */
export interface WorkerLine {
  version: 1;
  verb: 'worker';
  /** `verb`, or the name of a kind of tile. */
  task: string;
  /** SHA-256 of what was asked for. */
  job: string;
  /** `kept`: its result was there already. `handed-back`: the worker was told to stop. */
  state: 'done' | 'kept' | 'failed' | 'handed-back';
  seconds: number;
  error?: Failed['error'];
}

/** Anything that `--json` prints. */
export type Printed = { [V in VerbName]: Envelope<V> }[VerbName] | Failed | BatchLine | WorkerLine;
