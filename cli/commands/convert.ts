import { realpath } from 'node:fs/promises';
import { type Command, Option } from 'commander';
import { PliantError } from '../../src/error.ts';
import { SEQUENCE_GLB_OPTIONS, type SequenceGlbOptions } from '../../src/io/glb/options.ts';
import { READ_DEFAULTS, READ_OPTIONS, type ReadOptions } from '../../src/io/read-asset.ts';
import { writeMeshGlb } from '../../src/io/write-glb.ts';
import { writeObj } from '../../src/io/write-obj.ts';
import { vertexNormals } from '../../src/mesh/normals.ts';
import { type Mesh, triangleCount, vertexCount } from '../../src/model/mesh.ts';
import { emptyReport, type Report } from '../../src/model/report.ts';
import type { MeshSequence } from '../../src/model/sequence.ts';
import { plural } from '../../src/report/format.ts';
import { addFlags, flagOf, givenFlags, parseNumber } from '../flags/flags.ts';
import { withCommonFlags, withExamples } from '../flags/help.ts';
import { type ConvertInput, openConvertInput } from '../input/convert-input.ts';
import { requireTriangles } from '../input/fit-input.ts';
import { FRAME_OPTIONS } from '../input/frame-choice.ts';
import { expandPaths } from '../input/open-input.ts';
import { addRigFlags, givenRigFlags } from '../input/rigs.ts';
import { conversionNotes, startOf } from '../output/conversion-notes.ts';
import {
  addOutputFlags,
  type Output,
  type OutputFlags,
  type OutputPlan,
  planOutput,
  requireOtherFiles,
  withOutput,
} from '../output/output.ts';
import { givenGlbFlags, holdsSeveral, SEQUENCE_KINDS, writeSequences } from '../output/sequences.ts';
import { addSmallFlag } from '../output/small.ts';
import { type Answer, action, type Run } from '../terminal/session.ts';
import { filesText, writtenAnswer } from '../text/report-text.ts';

interface Flags extends OutputFlags {
  object?: string;
  merge: boolean;
}

/** The last path is the output, unless -o names it. */
function splitPaths(paths: readonly string[], output: string | undefined): { files: string[]; output?: string } {
  if (output !== undefined || paths.length < 2) return { files: [...paths], output };
  return { files: paths.slice(0, -1), output: paths[paths.length - 1] };
}

/** From one cache to another of the same name: the mesh that they share is there already, and stays as it is. */
async function withoutGivenRest(plan: OutputPlan, files: readonly string[], read: Partial<ReadOptions>) {
  const isPair = files.length === (read.cache === undefined ? 2 : 1) && read.rest === undefined;
  if (plan.rest === undefined || !isPair) return plan;
  const real = (path: string) => realpath(path).catch(() => undefined);
  const there = await real(plan.rest);
  return there !== undefined && there === (await real(files[0])) ? { ...plan, rest: undefined } : plan;
}

/** A kind of file with room for one mesh gets one. */
function requireOneMesh({ parts }: ConvertInput, file: string): void {
  if (parts.length === 1) return;
  const names = parts.map(({ name }) => name).join(', ');
  const cause = `holds ${parts.length} meshes, the output one: choose with --object, or --merge (got ${names})`;
  throw new PliantError('bad-option', 'convert', cause, { file });
}

/** The mesh in its only frame. */
async function meshOf({ rest, frameCount, readFrame, name }: MeshSequence, file: string): Promise<Mesh> {
  if (frameCount > 1) {
    const cause = `${frameCount} frames into one OBJ file (expected a folder that ends in /, or one frame by --first-frame and --last-frame)`;
    throw new PliantError('bad-option', 'convert', cause, { file });
  }
  const positions = await readFrame(0);
  const atRest = positions.every((x, c) => x === rest.positions[c]);
  const normals = rest.normals && !atRest ? vertexNormals(rest, positions) : rest.normals;
  return { ...rest, name: rest.name ?? name, positions, normals };
}

interface Writing {
  glb: Partial<SequenceGlbOptions>;
  /** In which PC2 counts its frames. */
  framesPerSecond?: number;
  /** For messages. */
  file: string;
}

async function writeInput(
  output: Output,
  input: ConvertInput,
  { glb, framesPerSecond, file }: Writing,
  run: Run,
): Promise<Report[]> {
  if (!holdsSeveral(output.kind)) requireOneMesh(input, file);
  if (output.kind === 'glb') for (const part of input.parts) requireTriangles('convert', part, file);
  if (output.kind === 'obj') {
    await output.sink.write(writeObj(await meshOf(input.parts[0], file)));
    return [];
  }
  if (output.kind === 'glb' && input.still) {
    const { bytes, report } = await writeMeshGlb(input.still, glb);
    await output.sink.write(bytes);
    return [report];
  }
  const parts = output.kind === 'glb' ? fromZero(input.parts) : input.parts;
  return writeSequences(output, parts, { ...glb, framesPerSecond }, run);
}

/** Players of glTF start at 0: a shot that begins at frame 1001 would stand still for most of a minute first. */
function fromZero(parts: readonly MeshSequence[]): MeshSequence[] {
  const start = startOf(parts);
  return parts.map((part) => ({ ...part, times: part.times.map((t) => t - start) }));
}

async function convertFiles(run: Run, paths: string[], self: Command): Promise<Answer> {
  const flags = self.opts<Flags>();
  const { files: given, output } = splitPaths(paths, flags.output);
  const named = await planOutput('convert', output, SEQUENCE_KINDS);
  const glb = givenGlbFlags(self, SEQUENCE_GLB_OPTIONS, named.kind);
  const read = givenFlags(self, READ_OPTIONS);
  const files = await expandPaths('convert', given);
  const plan = await withoutGivenRest(named, files, read);
  await requireOtherFiles('convert', plan, [...files, read.cache, read.rest]);

  const { framesPerSecond } = read;
  const { result, written } = await withOutput(plan, flags.force, async (open) => {
    const frames = givenFlags(self, FRAME_OPTIONS);
    const { object, merge } = flags;
    const input = await openConvertInput(files, { object, merge, frames, rig: givenRigFlags(self), read });
    try {
      const writing = { glb, framesPerSecond, file: files[0] };
      const reports = await writeInput(open, input, writing, run);
      const notes = [
        ...input.notes,
        ...(await conversionNotes(plan.kind, input.parts, framesPerSecond ?? READ_DEFAULTS.framesPerSecond)),
      ];
      return { input, reports: [{ ...emptyReport('convert'), notes }, ...reports] };
    } finally {
      await input.close();
    }
  });

  const { input, reports } = result;
  const objects = input.parts.map(({ name, rest, frameCount, times }) => ({
    name,
    vertices: vertexCount(rest),
    triangles: triangleCount(rest),
    frames: frameCount,
    seconds: times[frameCount - 1] - times[0],
  }));
  const answer = writtenAnswer(headingOf(files, input), {}, reports, written);
  const { clip, format, bytes } = input;
  return { ...answer, json: { ...answer.json, input: { files, format, bytes, clip }, objects } };
}

/** `sim.abc: 2 meshes, 5 000 vertices, 100 frames`. */
function headingOf(files: readonly string[], { parts, clip }: ConvertInput): string {
  const what = filesText(files);
  const vertices = parts.reduce((sum, { rest }) => sum + vertexCount(rest), 0);
  const frames = Math.max(...parts.map(({ frameCount }) => frameCount));
  const size = [
    plural(parts.length, 'mesh', 'meshes'),
    plural(vertices, 'vertex', 'vertices'),
    plural(frames, 'frame'),
  ];
  return `${clip === undefined ? what : `clip "${clip}" of ${what}`}: ${size.join(', ')}`;
}

const RATE = 'rate of files that count frames or have no times [default 24], or to pose a rig at [default at its keys]';

export function convertCommand(command: Command, signal: AbortSignal): void {
  command
    .description(
      'Reads a sequence, a rig or meshes and writes them in another format, frame by frame, so that files may be larger ' +
        'than memory. A rig is posed first. The last path is the output when -o does not name it.',
    )
    .argument('<paths...>', 'a file, a folder, a mesh and its cache, or frames; then the output');
  addOutputFlags(
    command,
    'out.glb (morph targets), out.abc, out.pc2 or out.mdd (with out.obj beside), frames/ (a folder of OBJs), out.obj (one mesh)',
  );
  command.optionsGroup('Input:');
  command
    .addOption(flagOf('convert', 'cache', READ_OPTIONS.cache, 'file'))
    .addOption(flagOf('convert', 'rest', READ_OPTIONS.rest, 'file or frame'))
    .addOption(
      new Option('--frames-per-second <number>', RATE).argParser((text) =>
        parseNumber('convert', 'frames-per-second', READ_OPTIONS.framesPerSecond, text),
      ),
    )
    .option('--object <name>', 'one of several meshes [default all]')
    .option('--merge', 'join several meshes to one, for formats that hold one', false);
  addFlags(command.optionsGroup('Frames:'), FRAME_OPTIONS);
  addRigFlags(command);
  addSmallFlag(command.optionsGroup('GLB output:'));
  addFlags(command, SEQUENCE_GLB_OPTIONS).action(
    action(signal, (run, paths: string[], self: Command) => convertFiles(run, paths, self)),
  );
  withCommonFlags(command, [
    '--output',
    '--force',
    '--cache',
    '--rest',
    '--frames-per-second',
    '--object',
    '--merge',
    '--first-frame',
    '--last-frame',
    '--frame-step',
    '--clip',
    '--operator',
    '--small',
    '--quantize',
    '--compress',
  ]);
  withExamples(command, [
    ['pliant convert flag.glb flag.abc', 'morph targets as an Alembic cache'],
    ['pliant convert sim.abc frames/', 'an Alembic cache as a folder of OBJ files'],
    ['pliant convert body.obj --cache body.mdd -o out.pc2', 'a mesh and its cache; out.obj is the mesh of the new one'],
    ['pliant convert figure.glb --clip walk --frames-per-second 30 walk.mdd', 'a rig, posed 30 times a second'],
    ['pliant convert sim/ --first-frame 10 --frame-step 2 half.glb', 'every other frame from the eleventh on'],
  ]);
}
