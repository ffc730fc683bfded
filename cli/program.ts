import { existsSync } from 'node:fs';
import { Command, CommanderError, Option } from 'commander';
import { HELP, withExamples } from './flags/help.ts';
import { didYouMean } from './flags/suggest.ts';
import { requireTask } from './flags/tasks.ts';
import { printFlags } from './terminal/failure.ts';
import { loadVerb, makeVerb, type Verb } from './verbs.ts';
import { VERSION } from './version.ts';

/** The verbs. A module, and with it the part of the library that it needs, is loaded when its verb is used. */
const VERBS: readonly Verb[] = [
  ['batch', 'run a verb over many inputs', () => import('./commands/batch.ts')],
  ['cloth', 'simulate a garment on a moving body', () => import('./commands/cloth.ts')],
  ['convert', 'convert sequences, rigs and meshes to other formats', () => import('./commands/convert.ts')],
  ['demo', 'run a short example: simulate a cloth and fit it', () => import('./commands/demo.ts')],
  ['drive', 'deform a learned surface with its control points', () => import('./commands/drive.ts')],
  ['fit', 'turn a mesh animation into a small skinned model', () => import('./commands/fit.ts')],
  ['info', 'show the contents of files, and problems found', () => import('./commands/info.ts')],
  ['learn', 'learn from examples how a few control points deform a surface', () => import('./commands/learn.ts')],
  ['light', 'bake, measure and draw soft light on a moving rig', () => import('./commands/light.ts')],
  ['linearize', 'make linear blending look like dual quaternions', () => import('./commands/linearize.ts')],
  ['lod', 'make levels of detail that know how a model moves', () => import('./commands/lod.ts')],
  ['measure', 'compare two sequences, meshes or rigs', () => import('./commands/measure.ts')],
  ['mix', 'solve for the best mix of linear blending and dual quaternions', () => import('./commands/mix.ts')],
  ['sample', 'make test data: simulated cloth and small rigs', () => import('./commands/sample.ts')],
  ['skin', 'pose a rig with a skinning operator and write the motion', () => import('./commands/skin.ts')],
  ['studio', 'open, fit and compare in the browser', () => import('./commands/studio.ts')],
  ['weights', 'bind a mesh to a skeleton, or trim the weights of a rig', () => import('./commands/weights.ts')],
  ['worker', 'do the jobs of a queue', () => import('./commands/worker.ts')],
  ['completion', 'print a shell completion script', () => import('./commands/completion.ts')],
  ['help', 'show help for a verb, or list all verbs', () => import('./commands/help.ts')],
];

/** Instead of ending the process, commander throws; a usage error then says where to read more. */
function throwWithHint(command: Command, hint: string): void {
  command.exitOverride((error: CommanderError) => {
    if (error.code === 'commander.missingArgument') requireTask(command, command.parent?.args ?? [], 1);
    if (error.exitCode !== 0) error.message += `${meant(error, command)} (see ${hint})`;
    throw error;
  });
}

/** What may have been meant: a verb, a flag, or a file whose name looks like a flag. */
function meant(error: CommanderError, command: Command): string {
  const word = error.message.match(/'(.*)'/)?.[1] ?? '';
  if (error.code === 'commander.unknownCommand')
    return didYouMean(
      word,
      VERBS.map(([name]) => name),
    );
  if (error.code !== 'commander.unknownOption') return '';
  if (existsSync(word)) return `; write ./${word} for the file`;
  const flags = [command, command.parent].flatMap((each) => each?.options.filter(({ hidden }) => !hidden) ?? []);
  const names = flags.map(({ long = '' }) => long.slice(2));
  return didYouMean(word.replace(/^--/, ''), names, '--');
}

/** As soon as the flag is met, whatever else is on the line. */
function printVersion(): never {
  const { json } = printFlags(process.argv);
  process.stdout.write(`${json ? JSON.stringify({ version: VERSION }) : VERSION}\n`);
  throw new CommanderError(0, 'commander.version', VERSION);
}

/** The whole command line as a tree: what runs, what the help and docs/cli.md print, what the shells complete. */
export function buildProgram(signal: AbortSignal): Command {
  const program = new Command('pliant')
    .description(
      'Turns deforming meshes into small skinned models, and makes skinned models bend, move, scale down and shine better.',
    )
    .usage('<verb> [options]')
    .option('-v, --version', 'print the version')
    .addOption(new Option('-V').hideHelp())
    .helpOption('-h, --help', 'print this help')
    .helpCommand(false)
    .showSuggestionAfterError(false)
    .option('--json', 'print one JSON object instead of a table', false)
    .option('--quiet', 'no progress; print nothing when files are written', false)
    .option('--debug', 'print stack traces of errors', false)
    .commandsGroup('Verbs:')
    .configureHelp(HELP)
    // main.ts prints every error itself, on one line.
    .configureOutput({ writeErr: () => {} })
    .hook('preSubcommand', async (_program, verb) => {
      await loadVerb(verb);
    });
  program.on('option:version', printVersion).on('option:V', printVersion);
  throwWithHint(program, 'pliant help');
  for (const entry of VERBS) {
    const verb = makeVerb(entry, signal).copyInheritedSettings(program);
    throwWithHint(verb, `pliant help ${verb.name()}`);
    program.addCommand(verb);
  }
  return withExamples(program, [
    ['pliant fit cloth/ -o cloth.glb', 'turns a mesh animation into a small skinned model, with a report'],
    ['pliant sample flag', 'simulates a flag in the wind and writes flag.glb'],
    ['pliant info flag.glb', 'shows the contents of the file'],
    ['pliant help skin', 'shows help for a verb'],
  ]);
}
