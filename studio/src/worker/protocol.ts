import type { PliantErrorCode } from '../../../src/error.ts';
import type { FitResult } from '../../../src/fit/fit.ts';
import type { FitOptions } from '../../../src/fit/fit-options.ts';
import type { ModelGlbOptions } from '../../../src/io/glb/options.ts';
import type { PointPath } from '../../../src/learn/drive-sequence.ts';
import type { LearnOptions } from '../../../src/learn/learn-options.ts';
import type { Decimation } from '../../../src/mesh/decimation/levels.ts';
import type { Predictor } from '../../../src/model/predictor.ts';
import type { Report } from '../../../src/model/report.ts';
import type { SkinnedModel } from '../../../src/model/skinned-model.ts';
import type { Setting } from '../../../src/report/sections.ts';
import type { LinearizeOptions } from '../../../src/rig/linearize/linearize-options.ts';
import type { MixOptions } from '../../../src/rig/mix/mix-options.ts';
import type { SampleOptions } from '../../../src/sample-list.ts';
import type { Content, SequenceData } from '../core/content/content.ts';
import type { Component } from '../core/paint/vertex-deformation.ts';
import type { RigOperator } from '../core/rig/rig-operators.ts';
import type { Linearized } from '../core/rig/rig-work.ts';
import type { SessionData } from '../core/session/session.ts';
import type { FileErrors } from './file-errors.ts';

/** What page and workers say to each other. Every job has a worker of its own, which ends with it. */

/** A fit as plain data. */
export interface FitData extends Omit<FitResult, 'model' | 'fitted'> {
  /** Of all parts as one mesh. */
  merged: SkinnedModel;
  /** One per part; they share one skeleton. */
  models: SkinnedModel[];
  /** Size of the GLB as it is exported by default. */
  bytes: number;
}

export interface Jobs {
  open: { input: { files: [path: string, file: File][]; paths: string[] }; output: Content };
  sample: { input: { name: string; options: Partial<SampleOptions> }; output: Content };
  fit: { input: { parts: SequenceData[]; options: Partial<FitOptions>; threads: number }; output: FitData };
  page: {
    input: {
      parts: SequenceData[];
      fit: FitData;
      options: Partial<FitOptions>;
      title: string;
      settings: Setting[];
    };
    output: string;
  };
  learn: { input: { parts: SequenceData[]; options: Partial<LearnOptions> }; output: LearnData };
  /** How a motion, or a result at its times, deforms over all its frames. */
  deformation: {
    input: { parts: SequenceData[]; fit?: { models: SkinnedModel[]; firstFrame: number } };
    output: DeformationData;
  };
  /** The motion with fewer and fewer vertices. */
  coarse: { input: { parts: SequenceData[]; placement: FitOptions['placement'] }; output: CoarseData };
  drive: { input: { predictor: Predictor; path: PointPath }; output: Uint8Array<ArrayBuffer> };
  pictures: { input: { predictor: Predictor }; output: string[] };
  linearize: { input: { rigs: SkinnedModel[]; options: Partial<LinearizeOptions> }; output: Linearized };
  mix: { input: { rigs: SkinnedModel[]; options: Partial<MixOptions> }; output: SkinnedModel[] };
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

export interface LearnData {
  predictor: Predictor;
  /** What plays the examples in other players. */
  model: SkinnedModel;
  report: Report;
}

export interface DeformationData {
  /** Per part N each: means over the frames. */
  averages: Record<Component, Float32Array>[];
  /** Where scales end: in any frame, and of the averages. */
  tops: { frames: Record<Component, number>; average: Record<Component, number> };
}

export interface CoarseData {
  /** Of all parts as one mesh. */
  decimation: Decimation;
  /** What each of a few levels costs, from all vertices down. */
  levels: CoarseLevel[];
}

/** Distances are between the surfaces, in % of the diagonal, over the poses that were looked at. */
export interface CoarseLevel {
  /** Share of the vertices that were merged away, asked for. */
  merged: number;
  vertices: number;
  triangles: number;
  mean: number;
  most: number;
}

/** What a joint does to the surface while it turns about one of its axes. */
export interface BendCurves {
  /** 0, 1, 2: x, y, z. */
  axis: number;
  /** Degrees, rising. */
  angles: number[];
  /** For each operator, at each angle. */
  curves: { operator: RigOperator; area: Float64Array; volume: Float64Array }[];
  rest: { area: number; volume: number };
}

export type JobKind = keyof Jobs;

/** `life` names a lock that the worker holds for as long as it lives. */
export type ToWorker = { start: JobKind; input: unknown; life: string } | { cancel: true };

export type FromWorker =
  | { alive: true }
  | { progress: { done: number; total: number; label: string } }
  | { done: unknown }
  | { failed: { code: PliantErrorCode; message: string } };
