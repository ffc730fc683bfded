import { realpath } from 'node:fs/promises';
import type { Command } from 'commander';
import type { ReadOptions } from '../../src/index.ts';
import { SEQUENCE_GLB_OPTIONS } from '../../src/io/glb/options.ts';
import { writeMeshGlb } from '../../src/io/write-glb.ts';
import { writeObj } from '../../src/io/write-obj.ts';
import { FRAME_OPTIONS } from '../../src/model/frames.ts';
import { plural } from '../../src/report/format.ts';
import { POSE_OPTIONS } from '../../src/verbs/choose.ts';
import { CONVERT_OPTIONS, convert } from '../../src/verbs/convert.ts';
import { SEQUENCE_FORMATS } from '../../src/verbs/sequence-formats.ts';
import { addFlags, givenFlags } from '../flags/flags.ts';
import { withCommonFlags, withExamples } from '../flags/help.ts';
import {
  addOutputFlags,
  addReadFlags,
  addSmallFlag,
  filesOfReading,
  givenReadFlags,
  type OutputFlags,
  READ_OR_POSE_OPTIONS,
} from '../flags/shared-flags.ts';
import { expandPaths } from '../input/inputs.ts';
import { type OutputPlan, planOutput } from '../output/output.ts';
import { givenGlbFlags, writeSequences } from '../output/sequences.ts';
import { answerWith } from '../terminal/answer.ts';
import { action, type Run } from '../terminal/session.ts';
import { filesText } from '../text/report-text.ts';

const NO_OUTPUT = 'no output: name it last, as in pliant convert flag.glb flag.abc';

/** The last path is the output, unless -o names it. */
function splitPaths(paths: readonly string[], output: string | undefined): { files: string[]; output?: string } {
  if (output !== undefined || paths.length < 2) return { files: [...paths], output };
  return { files: paths.slice(0, -1), output: paths[paths.length - 1] };
}

/** From one cache to another of the same name: the mesh that they share is there already, and stays as it is. */
async function withoutGivenRest<P extends OutputPlan>(
  plan: P,
  files: readonly string[],
  read: Partial<ReadOptions>,
): Promise<P> {
  const isPair = files.length === (read.cache === undefined ? 2 : 1) && read.rest === undefined;
  if (plan.rest === undefined || !isPair) return plan;
  const real = (path: string) => realpath(path).catch(() => undefined);
  const there = await real(plan.rest);
  return there !== undefined && there === (await real(files[0])) ? { ...plan, rest: undefined } : plan;
}

async function convertFiles(run: Run, paths: string[], self: Command) {
  const { force, output: named } = self.opts<OutputFlags>();
  const { files: given, output: path } = splitPaths(paths, named);
  const planned = await planOutput('convert', path, SEQUENCE_FORMATS, NO_OUTPUT);
  const glb = givenGlbFlags(self, SEQUENCE_GLB_OPTIONS, planned.kind);
  const read = givenReadFlags(self);
  const { framesPerSecond } = read;
  const files = await expandPaths('convert', given);
  const plan = await withoutGivenRest(planned, files, read);
  const task = { verb: 'convert', reads: [...files, ...filesOfReading(read)], plan, force } as const;
  return answerWith(task, async (inputs, output) => {
    const { sequences, meshes, report } = await convert(await inputs.open(files, read), {
      ...givenFlags(self, { ...CONVERT_OPTIONS, ...FRAME_OPTIONS, ...POSE_OPTIONS }),
      framesPerSecond,
      format: plan.kind,
      glb,
      sink: 'sink' in output ? output.sink : undefined,
    });
    if (output.kind === 'obj') await output.sink.write(writeObj(meshes[0]));
    else if (output.kind === 'glb' && meshes.length > 0) {
      const { bytes, report: writing } = await writeMeshGlb(meshes, glb);
      await output.sink.write(bytes);
      report.notes.push(...writing.notes);
    } else if (sequences.length > 0) await writeSequences(output, sequences, { ...glb, framesPerSecond }, run, report);

    const { figures, parts, detail } = report;
    const what = detail.clip === undefined ? filesText(files) : `clip "${detail.clip}" of ${filesText(files)}`;
    const size = [
      plural(parts.length, 'mesh', 'meshes'),
      plural(figures.vertices ?? 0, 'vertex', 'vertices'),
      plural(figures.frames ?? 0, 'frame'),
    ];
    return { report, text: (page) => [page.strong(`${what}: ${size.join(', ')}`)] };
  });
}

export function define(command: Command, signal: AbortSignal): void {
  command
    .description(
      'Converts a sequence, a rig or meshes to another format, frame by frame, so files can be larger than memory. Rigs are ' +
        'posed first, unless they become a GLB and no clip or frames are asked for: then they stay rigs, and a glTF file ' +
        'without other options is packed with all it has. Without -o, the last path is the output.',
    )
    .argument('<paths...>', 'a file, a folder, a mesh and its cache, or frames; then the output');
  addOutputFlags(
    command,
    'out.glb (morph targets), out.abc, out.pc2 or out.mdd (plus out.obj), frames/ (OBJ files), out.obj (one mesh)',
  );
  addFlags(addReadFlags(command.optionsGroup('Input:'), READ_OR_POSE_OPTIONS), CONVERT_OPTIONS);
  addFlags(command.optionsGroup('Frames:'), FRAME_OPTIONS);
  addFlags(command.optionsGroup('Skinning:'), POSE_OPTIONS);
  addFlags(addSmallFlag(command.optionsGroup('GLB output:')), SEQUENCE_GLB_OPTIONS);
  command.action(action(signal, convertFiles));
  withCommonFlags(
    command,
    'output force cache rest up frames-per-second object merge first-frame last-frame frame-step clip operator small quantize compress',
  );
  withExamples(command, [
    ['pliant convert flag.glb flag.abc', 'morph targets as an Alembic cache'],
    ['pliant convert sim.abc frames/', 'an Alembic cache as a folder of OBJ files'],
    ['pliant convert body.obj --cache body.mdd -o out.pc2', 'a mesh and its cache; also writes out.obj'],
    ['pliant convert figure.glb --clip walk --frames-per-second 30 walk.mdd', 'a rig, posed at 30 frames per second'],
    ['pliant convert sim/ --first-frame 10 --frame-step 2 half.glb', 'every second frame, starting at frame 10'],
  ]);
}
