import { readFile } from 'node:fs/promises';
import { type Command, Option } from 'commander';
import { PliantError } from '../../src/error.ts';
import { SEQUENCE_GLB_OPTIONS, SMALL_MODEL_GLB } from '../../src/io/glb/options.ts';
import { READ_DEFAULTS, READ_OPTIONS } from '../../src/io/read-asset.ts';
import { writeModelGlb } from '../../src/io/write-glb.ts';
import { drivenClip, drivenSequence, type PointPath } from '../../src/learn/drive-sequence.ts';
import { pointRanges } from '../../src/learn/point-ranges.ts';
import { predictorModel } from '../../src/learn/predictor-model.ts';
import { vertexCount } from '../../src/model/mesh.ts';
import type { Predictor } from '../../src/model/predictor.ts';
import type { Report } from '../../src/model/report.ts';
import { fileError } from '../../src/platform/node/index.ts';
import { plural } from '../../src/report/format.ts';
import { addFlags, givenFlags } from '../flags/flags.ts';
import { withCommonFlags, withExamples } from '../flags/help.ts';
import { closeAsset, expandPaths, openAsset } from '../input/open-input.ts';
import { type Move, movesPath, parseMove, parsePointPath } from '../input/point-path.ts';
import {
  addOutputFlags,
  type Output,
  type OutputFlags,
  planOutput,
  requireOtherFiles,
  withOutput,
} from '../output/output.ts';
import { givenGlbFlags, SEQUENCE_KINDS, writeSequences } from '../output/sequences.ts';
import { addSmallFlag, isSmall } from '../output/small.ts';
import { type Answer, action, type Run } from '../terminal/session.ts';
import { writtenAnswer } from '../text/report-text.ts';

interface Flags extends OutputFlags {
  points?: string;
  by?: Move[];
  skinned: boolean;
}

async function openPredictor(file: string): Promise<Predictor> {
  const asset = await openAsset('drive', file);
  await closeAsset(asset);
  const predictor = asset.predictors?.[0];
  if (predictor) return predictor;
  throw new PliantError('not-found', 'drive', 'holds no predictor (expected a GLB that `pliant learn` wrote)', {
    file,
  });
}

/** A JSON path, or a sequence: of the same mesh, whose vertices are looked up, or of the control points alone. */
async function openPath(file: string, predictor: Predictor, framesPerSecond: number | undefined): Promise<PointPath> {
  const { points, mesh } = predictor;
  if (/\.json$/i.test(file)) {
    const text = await readFile(file, 'utf8').catch((error: unknown) => {
      throw fileError(error, 'drive', file);
    });
    return parsePointPath(text, pointRanges(predictor), file);
  }
  const asset = await openAsset('drive', file, { framesPerSecond });
  try {
    const [sequence] = asset.sequences;
    const expected = `expected a sequence of ${vertexCount(mesh)} vertices, or of the ${points.length} control points`;
    if (!sequence) throw new PliantError('not-found', 'drive', `holds no sequence (${expected})`, { file });
    const n = vertexCount(sequence.rest);
    const whole = n === vertexCount(mesh);
    if (!whole && n !== points.length) {
      throw new PliantError('bad-input', 'drive', `${sequence.name} has ${n} vertices (${expected})`, { file });
    }
    const path = new Float64Array(sequence.frameCount * 3 * points.length);
    for (let k = 0; k < sequence.frameCount; k++) {
      const frame = await sequence.readFrame(k);
      points.forEach((i, l) => {
        for (let c = 0; c < 3; c++) path[3 * (k * points.length + l) + c] = frame[3 * (whole ? i : l) + c];
      });
    }
    return { times: sequence.times, points: path };
  } finally {
    await closeAsset(asset);
  }
}

interface Job {
  predictor: Predictor;
  path: PointPath;
  skinned: boolean;
  small: boolean;
  glb: ReturnType<typeof givenGlbFlags<typeof SEQUENCE_GLB_OPTIONS>>;
}

async function writeDriven(output: Output, { predictor, path, skinned, small, glb }: Job, run: Run): Promise<Report[]> {
  const { clip, report } = await drivenClip(predictor, path, run);
  if (skinned && output.kind === 'glb') {
    const options = { ...(small && SMALL_MODEL_GLB), ...glb };
    const { bytes, report: writing } = await writeModelGlb(predictorModel(predictor, [clip], true), options);
    await output.sink.write(bytes);
    return [report, writing];
  }
  const sequence = drivenSequence(predictor, path);
  try {
    return [report, ...(await writeSequences(output, [sequence], glb, run))];
  } finally {
    await sequence.close?.();
  }
}

export function driveCommand(command: Command, signal: AbortSignal): void {
  command
    .description(
      'Moves the control points of what `pliant learn` wrote along a path, and writes how the surface follows. The path is ' +
        'JSON, {"times": [s, …], "frames": [[[x, y, z], …], …]} with the points in the order that `learn` listed them or ' +
        'that "points": [name, …] says, or a sequence: of the same mesh, or of the points alone. "offsets" instead of ' +
        '"frames" count from where the points rest, and may be of some points only. `pliant info` lists the points, where ' +
        'they rest, and where the examples took them.',
    )
    .argument('<model>', 'a GLB that `pliant learn` wrote');
  addOutputFlags(command, 'out.glb (morph targets), frames/ (a folder of OBJs), out.abc, out.pc2, out.mdd');
  command
    .option('--points <file>', 'where the control points go: a JSON path or a sequence')
    .addOption(
      new Option(
        '--by <point=x,y,z>',
        'instead of a path: how far a point goes from where it rests, in a second, with as many frames as --frames-per-second says; for several points, several times',
      ).argParser((text, before: Move[] = []) => [...before, parseMove(text)]),
    )
    .option(
      '--skinned',
      'a small GLB of bones, and a few morph targets for what they cannot express, instead of one per frame',
      false,
    );
  addFlags(command, { framesPerSecond: READ_OPTIONS.framesPerSecond });
  addSmallFlag(command.optionsGroup('GLB output:'));
  addFlags(command, SEQUENCE_GLB_OPTIONS).action(action(signal, drive));
  withCommonFlags(command, [
    '--output',
    '--force',
    '--points',
    '--by',
    '--skinned',
    '--frames-per-second',
    '--small',
    '--quantize',
    '--compress',
  ]);
  withExamples(command, [
    ['pliant info face.glb', 'lists the control points, where they rest and where the examples took them'],
    ['pliant drive face.glb --by "chin=0,-0.02,0" -o out.glb', 'a point dragged down from where it rests'],
    ['pliant drive face.glb --points path.json -o out.glb', 'points dragged along a path, as morph targets'],
    ['pliant drive cloth.glb --points capture.pc2 -o frames/', 'points of another motion of the same mesh'],
  ]);
}

/** Moves the points of the model in `file` as the flags say. */
async function drive(run: Run, file: string, self: Command): Promise<Answer> {
  const { output, force, points, by, skinned } = self.opts<Flags>();
  if ((points === undefined) === (by === undefined)) {
    const got = points === undefined ? 'none' : 'both';
    const cause = `a path for the control points (got ${got}, expected --points with a JSON file or a sequence, or --by)`;
    throw new PliantError('bad-option', 'drive', cause);
  }
  const plan = await planOutput(
    'drive',
    output,
    SEQUENCE_KINDS.filter((kind) => kind !== 'obj'),
  );
  const glb = givenGlbFlags(self, SEQUENCE_GLB_OPTIONS, plan.kind);
  if (skinned && plan.kind !== 'glb') {
    throw new PliantError('bad-option', 'drive', '--skinned applies to .glb only');
  }
  await requireOtherFiles('drive', plan, await expandPaths('drive', points === undefined ? [file] : [file, points]));
  const predictor = await openPredictor(file);
  const { framesPerSecond } = givenFlags(self, READ_OPTIONS);
  const path =
    points === undefined
      ? movesPath(by ?? [], pointRanges(predictor), framesPerSecond ?? READ_DEFAULTS.framesPerSecond)
      : await openPath(points, predictor, framesPerSecond);
  const job: Job = { predictor, path, skinned, small: isSmall(self), glb };
  const { result, written } = await withOutput(plan, force, (open) => writeDriven(open, job, run));
  const heading = `${predictor.name} driven by ${points ?? plural(by!.length, 'move')}: ${plural(path.times.length, 'frame')}`;
  return writtenAnswer(heading, result[0].figures, result, written);
}
