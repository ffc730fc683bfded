import { type Command, Option } from 'commander';
import { PliantError } from '../../src/error.ts';
import { MODEL_GLB_OPTIONS } from '../../src/io/glb/options.ts';
import { READ_OPTIONS } from '../../src/io/read-asset.ts';
import { type RigBones, rigBones } from '../../src/learn/bones/rig-bones.ts';
import { requireLimit } from '../../src/learn/given.ts';
import type { LearnGiven } from '../../src/learn/learn.ts';
import { LEARN_OPTIONS } from '../../src/learn/learn-options.ts';
import type { Mesh } from '../../src/model/mesh.ts';
import { plural } from '../../src/report/format.ts';
import { addFlags, givenFlags, only } from '../flags/flags.ts';
import { withCommonFlags, withExamples } from '../flags/help.ts';
import { openFitInput } from '../input/fit-input.ts';
import { closeAsset, expandPaths, openAsset } from '../input/open-input.ts';
import { BLEND_OPTIONS } from '../input/rigs.ts';
import { runLearn } from '../jobs/learn-job.ts';
import { addOutputFlags, type OutputFlags, planOutput, requireOtherFiles, withOutput } from '../output/output.ts';
import { addSmallFlag, givenWithSmall } from '../output/small.ts';
import { type Answer, action, type Run } from '../terminal/session.ts';
import { learnAnswer } from '../text/learn-text.ts';
import { filesText } from '../text/report-text.ts';

/** --names are those of the control points here. */
const WRITE_OPTIONS = only(MODEL_GLB_OPTIONS, ['reorder', 'quantize', 'compress', 'joints', 'weights', 'rotations']);

interface Flags extends OutputFlags {
  vertices?: number[];
  axes?: number[];
  names?: string[];
  object?: string;
  clip?: string[];
  rig?: string;
}

/** `12,80,933` → vertices. */
function parseVertices(text: string): number[] {
  const list = text.split(',').map((entry) => (/^\s*\d+\s*$/.test(entry) ? Number(entry) : Number.NaN));
  if (list.every(Number.isSafeInteger)) return list;
  throw new PliantError(
    'bad-option',
    'learn',
    `--vertices (got ${text || 'nothing'}, expected whole numbers, as in 12,80,933)`,
  );
}

/** `xyz,xy,z` → 3n_c flags: which coordinates of each control point steer. */
function parseAxes(text: string): number[] {
  return text.split(',').flatMap((entry) => {
    const letters = entry.trim();
    if (!/^[xyz]{0,3}$/.test(letters)) {
      throw new PliantError('bad-option', 'learn', `--axes (got ${entry}, expected letters of xyz, as in xyz,xy,z)`);
    }
    return ['x', 'y', 'z'].map((axis) => (letters.includes(axis) ? 1 : 0));
  });
}

const NAMES_OF_CHOSEN = 'names go to the points in the order in which they were chosen; --vertices chooses your own';

/** The bones of the one rig in a file. */
async function openRig(file: string, rest: Mesh): Promise<RigBones> {
  const asset = await openAsset('learn', file);
  await closeAsset(asset);
  if (asset.models.length !== 1) {
    const cause = `--rig (got ${plural(asset.models.length, 'rig')}, expected one, as \`pliant fit\` writes)`;
    throw new PliantError(asset.models.length ? 'bad-option' : 'not-found', 'learn', cause, { file });
  }
  return rigBones(asset.models[0], rest);
}

async function learnFiles(run: Run, files: string[], self: Command): Promise<Answer> {
  const { output, force, vertices, axes, names, object, clip = [], rig: rigFile } = self.opts<Flags>();
  const options = givenFlags(self, LEARN_OPTIONS);
  const read = givenFlags(self, READ_OPTIONS);
  if (options.limit !== undefined) requireLimit(options.limit, '--limit');
  if (axes && !vertices)
    throw new PliantError('bad-option', 'learn', '--axes needs the points that it is for: --vertices');
  if (rigFile !== undefined && options.bones !== undefined) {
    throw new PliantError('bad-option', 'learn', '--bones (got --rig too, which brings its own bones)');
  }
  const given: LearnGiven = { ...(vertices && { points: vertices }), ...(axes && { axes }), ...(names && { names }) };
  const glb = givenWithSmall(self, WRITE_OPTIONS);
  const plan = await planOutput('learn', output, ['glb']);
  await requireOtherFiles('learn', plan, [...(await expandPaths('learn', files)), read.cache, read.rest, rigFile]);
  const { result, written } = await withOutput(plan, force, async (open) => {
    if (open.kind !== 'glb') throw new PliantError('internal', 'learn', `an output of kind ${open.kind}`);
    const rig = givenFlags(self, BLEND_OPTIONS);
    const input = await openFitInput(files, { object, clips: clip, rig, read }, 'learn');
    try {
      if (rigFile !== undefined) given.bones = await openRig(rigFile, input.clips[0].rest);
      const notes = names && !vertices ? [...input.notes, NAMES_OF_CHOSEN] : input.notes;
      return await runLearn({ input: { ...input, notes }, options, given, glb }, open, run);
    } finally {
      await input.close();
    }
  });
  return learnAnswer(filesText(files), result, written);
}

export function learnCommand(command: Command, signal: AbortSignal): void {
  const collect = (value: string, before: string[] = []): string[] => [...before, value];
  command
    .description(
      'Learns from example poses how a surface moves when a few of its points do. The GLB that it writes plays the examples ' +
        'in every viewer, blended linearly, and is driven by `pliant drive`, by the library and in the studio, where dual ' +
        'quaternions blend the bones.',
    )
    .argument(
      '<files...>',
      'examples: a folder of meshes, a sequence, or a rig, posed by its first clip or by those that --clip names',
    );
  addOutputFlags(command, 'the GLB to write');
  addFlags(command.optionsGroup('What to ask for:'), LEARN_OPTIONS, {
    without: ['kernel', 'kappa', 'bases', 'target', 'translations', 'limit', 'residual', 'pointChoice'],
  });
  command
    .addOption(new Option('--vertices <list>', 'your own control points, as in 12,80,933').argParser(parseVertices))
    .addOption(
      new Option('--axes <list>', 'which coordinates of each of them steer, as in xyz,xy,z [default xyz]').argParser(
        parseAxes,
      ),
    )
    .addOption(
      new Option(
        '--names <list>',
        'what the points are called, as in "brow,left cheek,chin"; without --vertices so many are chosen [default as the joints of --rig]',
      ).argParser((text) => text.split(',').map((name) => name.trim())),
    )
    .option(
      '--rig <file>',
      'bones and weights of a rig of the same mesh, such as `pliant fit` writes, instead of new ones',
    )
    .optionsGroup('Input:')
    .option('--object <name>', 'learn from one object of a scene [default all, together]')
    .option('--clip <name>', 'a clip of a rig; may be repeated [default the first]', collect);
  addFlags(command, READ_OPTIONS, { values: { cache: 'file', rest: 'file' } });
  addFlags(command, BLEND_OPTIONS);
  addFlags(command.optionsGroup('Method:'), LEARN_OPTIONS, {
    without: ['method', 'points', 'bones', 'examples'],
  });
  addSmallFlag(command.optionsGroup('GLB output:'), 'compressed, reordered, quantised');
  addFlags(command, WRITE_OPTIONS).action(
    action(signal, (run, files: string[], self: Command) => learnFiles(run, files, self)),
  );
  withCommonFlags(command, [
    '--output',
    '--force',
    '--points',
    '--bones',
    '--examples',
    '--vertices',
    '--names',
    '--rig',
    '--cache',
    '--clip',
    '--small',
  ]);
  withExamples(command, [
    ['pliant learn faces/ -o face.glb', 'a folder of expressions; 8 control points are chosen'],
    ['pliant learn cloth.abc --examples 30 --points 6 -o cloth.glb', 'from 30 frames around which the others gather'],
    ['pliant learn faces/ --vertices 120,512,77 --names brow,cheek,chin -o face.glb', 'with your own points'],
    ['pliant learn cloth.abc --rig fitted.glb -o cloth.glb', 'with the bones that `pliant fit` found'],
    ['pliant drive face.glb --by "chin=0,-0.02,0" -o out.glb', 'then drive it'],
  ]);
}
