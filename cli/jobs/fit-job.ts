import { type FitResult, fit } from '../../src/fit/fit.ts';
import { FIT_OPTIONS, FIT_PRESETS, type FitOptions } from '../../src/fit/fit-options.ts';
import type { FitGiven } from '../../src/fit/solve.ts';
import { MODEL_GLB_OPTIONS, type ModelGlbOptions, type SequenceGlbOptions } from '../../src/io/glb/options.ts';
import { writeModelGlb, writeSequenceGlb } from '../../src/io/write-glb.ts';
import { splitVertexCount } from '../../src/model/mesh.ts';
import type { Notes } from '../../src/model/note.ts';
import { lapTimer } from '../../src/model/report.ts';
import { checkpoint } from '../../src/model/run.ts';
import type { MeshSequence } from '../../src/model/sequence.ts';
import { nodePool } from '../../src/platform/node/index.ts';
import { fitPage } from '../../src/report/fit-page.ts';
import { bytes } from '../../src/report/format.ts';
import type { Setting } from '../../src/report/sections.ts';
import type { FitInput } from '../input/fit-input.ts';
import type { GlbOutput } from '../output/output.ts';
import type { Run } from '../terminal/session.ts';
import type { PageOrigin } from '../text/page-origin.ts';
import { settingRows } from '../text/settings.ts';

/** What `fit` does with an open output: fits, compares, writes the GLB and its page. */
export interface FitJob {
  input: FitInput;
  /** For the page. */
  origin: PageOrigin;
  /** As the user gave them. */
  options: Partial<FitOptions>;
  glb: Partial<ModelGlbOptions>;
  /** 1 is none beside the main one. */
  threads: number;
  /** Half of the solution, when a rig provides it. */
  known?: FitGiven;
}

export interface FitOutcome {
  result: FitResult;
  bytes: number;
  /** Of the same motion as morph targets, written the same way. */
  before: BaselineSize;
  /** Stages → seconds, in order. */
  seconds: Record<string, number>;
  notes: Notes;
  /** True where `maxError` was asked for and is exceeded. */
  missed: boolean;
}

export async function runFit(job: FitJob, output: GlbOutput, run: Run): Promise<FitOutcome> {
  const { input, options, glb, origin } = job;
  const pool = job.threads > 1 ? await nodePool(job.threads) : undefined;
  try {
    const write = (model: FitResult['model']) =>
      writeModelGlb(input.split(model), { ...glb, influences: model.weights.influences });
    const sizeOf = async (model: FitResult['model']) => (await write(model)).bytes.length;
    const result = await fit(input.clips, { ...options, ...run, pool, sizeOf, given: job.known });
    const seconds = { ...result.report.seconds };
    const lap = lapTimer(seconds);

    await checkpoint(run, 'fit', 0, 1, 'writing');
    const { bytes: glbBytes, report } = await write(result.model);
    await output.sink.write(glbBytes);
    await checkpoint(run, 'fit', 1, 1, 'writing');
    lap('write');
    const before = await baselineSize(input.splitSequence(result.fitted.sequence), glb, run);
    lap('compare');
    const notes = [
      ...new Set([
        ...input.notes,
        ...result.report.notes,
        ...report.notes,
        ...largerThanMorphs(glbBytes.length, before, !options.maxError && !options.maxSize && result.bones > 1),
      ]),
    ];
    if (output.report) {
      const size = { bytes: glbBytes.length, bytesBefore: before.bytes, estimated: before.estimated };
      const settings = fitSettings(options, glb);
      const page = await fitPage(result, { ...origin, size, settings, seconds, notes }, run);
      await output.report.write(new TextEncoder().encode(page));
      lap('report page');
    }
    return { result, bytes: glbBytes.length, before, seconds, notes, missed: missesTarget(options, result) };
  } finally {
    await pool?.close();
  }
}

/** Every setting with its value; a preset's and the user's own stand over the defaults. */
function fitSettings(given: Partial<FitOptions>, glb: Partial<ModelGlbOptions>): Setting[] {
  const preset = FIT_PRESETS[given.preset ?? FIT_OPTIONS.preset.default];
  return [...settingRows(FIT_OPTIONS, given, preset), ...settingRows(MODEL_GLB_OPTIONS, glb, {}, ['influences'])];
}

/** A file that is larger by less is as large; an estimate may be off by more. */
const WORTH_A_NOTE = { measured: 1.1, estimated: 1.5 };

/** Short motions of small meshes may be better off without bones, or with fewer, where these can be chosen. */
function largerThanMorphs(after: number, { bytes: before, estimated }: BaselineSize, canHaveFewer: boolean): string[] {
  if (after <= WORTH_A_NOTE[estimated ? 'estimated' : 'measured'] * before) return [];
  const advice = `\`pliant convert\` writes them${canHaveFewer ? ', or ask for fewer --bones' : ''}`;
  return [
    `as morph targets with the same settings the motion would be smaller (${estimated ? 'about ' : ''}${bytes(before)}): ${advice}`,
  ];
}

function missesTarget(
  { maxError, errorMeasure = FIT_OPTIONS.errorMeasure.default }: Partial<FitOptions>,
  { errors }: FitResult,
): boolean {
  const error = errorMeasure === 'rmse' ? errors.rmsePercent : errors.maxErrorPercent;
  return maxError !== undefined && maxError > 0 && error !== undefined && error > maxError;
}

export interface BaselineSize {
  bytes: number;
  /** True where the file would be so large that only a part of it was written to tell. */
  estimated: boolean;
}

/** Morph targets beyond this many bytes, before compression, are not written whole just to know their size. */
const MOST_BASELINE = 40e6;

/** The size of the same motion as morph targets. */
async function baselineSize(
  parts: readonly MeshSequence[],
  { normals, uvs, materials, names, reorder, quantize, compress }: Partial<SequenceGlbOptions>,
  run: Run,
): Promise<BaselineSize> {
  const options = { normals, uvs, materials, names, reorder, quantize, compress, signal: run.signal };
  const onProgress: Run['onProgress'] = (done, total) => run.onProgress(done, total, 'comparing with morph targets');
  const sizeOf = async (sequences: readonly MeshSequence[]) =>
    (await writeSequenceGlb(sequences, { ...options, onProgress })).bytes.length;

  const frames = Math.max(...parts.map(({ frameCount }) => frameCount));
  const perFrame = parts.reduce((sum, { rest }) => sum + 12 * splitVertexCount(rest), 0);
  if (frames * perFrame <= MOST_BASELINE) return { bytes: await sizeOf(parts), estimated: false };
  // Size is that of the mesh plus so much per frame: two files of few frames, spread over the motion, tell both.
  const most = Math.max(2, Math.floor(MOST_BASELINE / 4 / perFrame));
  const [few, many] = [
    await sizeOf(parts.map((part) => spread(part, 1))),
    await sizeOf(parts.map((part) => spread(part, most))),
  ];
  return { bytes: Math.round(few + ((many - few) / (most - 1)) * (frames - 1)), estimated: true };
}

/** `count` frames of a sequence, evenly spread. */
function spread(sequence: MeshSequence, count: number): MeshSequence {
  const frame = (k: number): number => Math.floor((k * sequence.frameCount) / count);
  return {
    ...sequence,
    frameCount: count,
    times: Float64Array.from({ length: count }, (_, k) => sequence.times[frame(k)]),
    readFrame: (k, out) => sequence.readFrame(frame(k), out),
  };
}
