import { type Command, Option } from 'commander';
import { PliantError } from '../../src/error.ts';
import type { Move, PathData } from '../../src/index.ts';
import { MODEL_GLB_OPTIONS, SEQUENCE_GLB_OPTIONS } from '../../src/io/glb/options.ts';
import { READ_OPTIONS } from '../../src/io/read-asset.ts';
import { plural } from '../../src/report/format.ts';
import { drive } from '../../src/verbs/drive.ts';
import { addFlags, givenFlags } from '../flags/flags.ts';
import { withCommonFlags, withExamples } from '../flags/help.ts';
import { addOutputFlags, addSmallFlag, givenWithSmall, type OutputFlags } from '../flags/shared-flags.ts';
import type { Inputs } from '../input/inputs.ts';
import { readJson } from '../input/read-json.ts';
import { planOutput } from '../output/output.ts';
import { givenGlbFlags, MOTION_KINDS, writeSequences } from '../output/sequences.ts';
import { answerWith } from '../terminal/answer.ts';
import { action, type Run } from '../terminal/session.ts';
import { figuresText } from '../text/report-text.ts';

const { framesPerSecond } = READ_OPTIONS;

interface Flags extends OutputFlags {
  points?: string;
  by?: Move[];
  skinned: boolean;
}

/** `chin=0,-0.1,0`. */
export function parseMove(text: string): Move {
  const [, name, list] = /^(.+)=([^=]+)$/.exec(text) ?? [];
  const offset = list?.split(',').map((x) => (x.trim() === '' ? Number.NaN : Number(x))) ?? [];
  if (offset.length === 3 && offset.every(Number.isFinite)) return { name: name.trim(), offset };
  const cause = `(got ${text}, expected a point and three numbers, as in "chin=0,-0.1,0")`;
  throw new PliantError('bad-option', 'drive', cause, { option: 'by' });
}

/** A path in JSON, or a sequence. */
const openPath = (inputs: Inputs, file: string, rate: { framesPerSecond?: number }) =>
  /\.json$/i.test(file) ? (readJson('drive', file) as Promise<PathData>) : inputs.open(file, rate);

async function driveFile(run: Run, file: string, self: Command) {
  const { output: path, force, points, by, skinned } = self.opts<Flags>();
  const plan = await planOutput('drive', path, MOTION_KINDS);
  const glb = givenGlbFlags(self, SEQUENCE_GLB_OPTIONS, plan.kind);
  if (skinned && plan.kind !== 'glb') {
    throw new PliantError('bad-option', 'drive', 'applies to .glb only', { option: 'skinned' });
  }
  const rate = givenFlags(self, { framesPerSecond });
  return answerWith({ verb: 'drive', reads: [file, points], plan, force }, async (inputs, output) => {
    const {
      report,
      sequences,
      file: bytes,
    } = await drive(await inputs.open(file), {
      ...rate,
      ...run,
      by,
      points: points === undefined ? undefined : await openPath(inputs, points, rate),
      ...(skinned && { glb: givenWithSmall(self, MODEL_GLB_OPTIONS) }),
    });
    if (bytes && output.kind === 'glb') await output.sink.write(bytes);
    else await writeSequences(output, sequences, glb, run, report);
    const { predictor } = report.detail;
    const along = points ?? plural(by?.length ?? 0, 'move');
    const heading = `${predictor} driven by ${along}: ${plural(report.clips[0].frames, 'frame')}`;
    return { report, text: (page) => [page.strong(heading), figuresText(report.figures)] };
  });
}

export function define(command: Command, signal: AbortSignal): void {
  command
    .description(
      'Moves the control points of a predictor from `pliant learn` along a path, and writes the surface. The path is JSON, ' +
        '{"times": [s, …], "frames": [[[x, y, z], …], …]}, with the points in the order of `learn` or of "points": ' +
        '[name, …]; or a sequence of the same mesh, or of the points alone. "offsets" instead of "frames" are relative to ' +
        'the rest positions, and may name only some of the points. `pliant info` lists the points.',
    )
    .argument('<model>', 'a GLB from `pliant learn`');
  addOutputFlags(command, 'out.glb (morph targets), out.abc, out.pc2 or out.mdd (plus out.obj), frames/ (OBJ files)');
  command
    .option('--points <file>', 'path of the control points: JSON or a sequence')
    .addOption(
      new Option(
        '--by <point=x,y,z>',
        'instead of a path: move a point by this offset from its rest position over one second; may be repeated',
      ).argParser((text, before: Move[] = []) => [...before, parseMove(text)]),
    )
    .option(
      '--skinned',
      'a small GLB with bones and a few morph targets, instead of one morph target per frame',
      false,
    );
  addFlags(command, { framesPerSecond });
  addFlags(addSmallFlag(command.optionsGroup('GLB output:')), SEQUENCE_GLB_OPTIONS).action(action(signal, driveFile));
  withCommonFlags(command, 'output force points by skinned frames-per-second small quantize compress');
  withExamples(command, [
    ['pliant info face.glb', 'lists the control points, with rest positions and ranges'],
    ['pliant drive face.glb --by "chin=0,-0.02,0" -o out.glb', 'one point, moved down'],
    ['pliant drive face.glb --points path.json -o out.glb', 'points moved along a path, as morph targets'],
    ['pliant drive cloth.glb --points capture.pc2 -o frames/', 'points of another motion of the same mesh'],
  ]);
}
