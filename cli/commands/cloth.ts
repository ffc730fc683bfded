import type { Command } from 'commander';
import { PliantError } from '../../src/error.ts';
import { GLB_OPTIONS } from '../../src/io/glb/options.ts';
import { CLOTH_PAIR_OPTIONS } from '../../src/verbs/cloth-pair.ts';
import { CLOTH_RUN_OPTIONS } from '../../src/verbs/cloth-run.ts';
import { CLOTH_TRAIN_OPTIONS } from '../../src/verbs/cloth-train.ts';
import { addFlags, collect } from '../flags/flags.ts';
import { withCommonFlags, withExamples } from '../flags/help.ts';
import { addOutputFlags, addReportFlags, addSmallFlag } from '../flags/shared-flags.ts';
import { requireFlagsOf, type Tasks, withTasks } from '../flags/tasks.ts';
import type { Answer } from '../terminal/answer.ts';
import { action, type Run } from '../terminal/session.ts';
import { CLOTH_GLB_OPTIONS, SPACE_OPTIONS } from './cloth/flags.ts';
import { simulatePairs } from './cloth/pair.ts';
import { runGarment } from './cloth/run.ts';
import { trainGarment } from './cloth/train.ts';

const COMMON = ['output', 'force', ...Object.keys(SPACE_OPTIONS)];

/** The tasks of the verb. */
const TASKS = {
  run: {
    does:
      'dresses a moving body. A coarse mesh of the garment is simulated on the body; the garment itself follows it, with ' +
      'folds by a light physics of the detail. No training is needed. The garment is modelled on the rest pose of the body.',
    flags: [...COMMON, 'body', 'coarse', 'small', ...Object.keys(CLOTH_GLB_OPTIONS), ...Object.keys(CLOTH_RUN_OPTIONS)],
  },
  pair: {
    does: 'simulates a coarse and a fine cloth of the same motions, the fine one guided by the coarse one, to learn folds from.',
    flags: [...COMMON, 'body', 'coarse', ...Object.keys(CLOTH_PAIR_OPTIONS)],
  },
  train: {
    does: 'learns folds from pairs, and writes a GLB for cloth run and the library; any player shows its coarse motion.',
    flags: [
      ...COMMON,
      ...['coarse', 'fine', 'body', 'object', 'bodyObject', 'clip', 'framesPerSecond', 'small', 'report'],
      ...Object.keys(GLB_OPTIONS),
      ...Object.keys(CLOTH_TRAIN_OPTIONS),
    ],
    withoutInput: true,
  },
} as const satisfies Tasks;

async function doTask(run: Run, name: keyof typeof TASKS, input: string | undefined, self: Command): Promise<Answer> {
  requireFlagsOf(self, name);
  if (name === 'train') return trainGarment(run, input, self);
  if (input === undefined)
    throw new PliantError('bad-option', 'cloth', `no garment given (see pliant help cloth ${name})`);
  return name === 'run' ? runGarment(run, input, self) : simulatePairs(run, input, self);
}

/** What only `cloth pair` knows. */
const PAIR_ONLY = Object.fromEntries(
  Object.entries(CLOTH_PAIR_OPTIONS).filter(([name]) => !(name in CLOTH_RUN_OPTIONS)),
);

export function define(command: Command, signal: AbortSignal): void {
  withTasks(command, TASKS, {
    each: 'run: a garment on a body; pair: coarse and fine simulations to learn from; train: learn',
  }).argument(
    '[garment]',
    'run, pair: a triangle mesh, open or closed: GLB, glTF, OBJ, PLY, OFF, Alembic; pair: or a scene: flag, drag, skirt, cape; ' +
      'train: a folder of pairs',
  );
  addOutputFlags(
    command,
    'run: out.glb (morph targets), out.abc, out.pc2 or out.mdd (plus out.obj), frames/ (OBJ files); pair: folder to write; train: GLB to write',
  );
  command.option('--body <file>', 'the body that wears it: a rig with clips, or a mesh sequence');
  addFlags(command.optionsGroup('Input:'), SPACE_OPTIONS);
  addFlags(
    command.optionsGroup('Cloth:'),
    {
      ...CLOTH_RUN_OPTIONS,
      clip: {
        ...CLOTH_RUN_OPTIONS.clip,
        description:
          'run: clip of the body [default the first]; pair: clips of the body, as in a,b [default all]; train: a clip of the body for each motion, as in a,b',
      },
    },
    { values: { pinBone: 'names', pinGroup: 'names', pinColor: 'colour', pinVertices: 'numbers', wind: 'x,y,z' } },
  );
  command
    .optionsGroup('Pairs:')
    .option(
      '--coarse <file>',
      'pair: coarse mesh, made where the garment is [default the garment, decimated]; run, train: cache of the coarse mesh, by any simulator; train: once for each motion',
      collect,
    );
  addFlags(command, PAIR_ONLY);
  command
    .optionsGroup('Training:')
    .option('--fine <file>', 'cache of the fine cloth, of the same frames as --coarse; once for each motion', collect);
  addFlags(addReportFlags(command), CLOTH_TRAIN_OPTIONS);
  addFlags(addSmallFlag(command.optionsGroup('GLB output:')), CLOTH_GLB_OPTIONS).action(action(signal, doTask));
  withCommonFlags(
    command,
    'output force body clip pin-bone pin-distance pin-color pin-vertices wind physics small again coarse fine hold-out',
  );
  withExamples(command, [
    ['pliant cloth run cape.glb --body rig.glb --clip walk --pin-bone chest -o a.abc', 'a cape on a clip of a rig'],
    ['pliant cloth run skirt.glb --body rig.glb --pin-color "#ff0000" -o out.glb', 'held where it is painted red'],
    ['pliant cloth run cape.glb --body scan.abc --pin-vertices 0-40 -o out.abc', 'on a mesh sequence of your own'],
    ['pliant cloth pair skirt -o pairs/', 'a scene to learn from: a skirt in several motions'],
    [
      'pliant cloth pair cape.glb --body figure.glb --pin-color "#ff0000" -o pairs/',
      'a garment of your own in all clips of a rig',
    ],
    ['pliant cloth train pairs/ -o trained.glb', 'learns from pairs; also writes trained.report.html'],
    ['pliant cloth run trained.glb --body figure.glb --clip walk -o out.glb', 'runs what was trained'],
    ['pliant cloth train --coarse low.abc --fine high.abc -o trained.glb', 'from caches by another simulator'],
    [
      'pliant cloth train --coarse a/ --fine b/ --coarse c/ --fine d/ -o trained.glb',
      'two motions; folders hold OBJ frames, or a mesh and its PC2 or MDD',
    ],
    ['pliant cloth run trained.glb --coarse other.abc -o out.abc', 'folds for another coarse cache'],
  ]);
}
