import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Command, CommanderError, Option } from 'commander';
import { HELP, withExamples } from './flags/help.ts';
import { didYouMean } from './flags/suggest.ts';
import { printFlags } from './terminal/failure.ts';
import { loadVerb, makeVerb, type Verb } from './verbs.ts';

/** What there is to do. A verb's module, and with it the part of the library that it needs, is loaded when it is used. */
const VERBS: readonly Verb[] = [
  {
    name: 'convert',
    summary: 'turn sequences, rigs and meshes into other formats',
    load: async () => (await import('./commands/convert.ts')).convertCommand,
  },
  {
    name: 'demo',
    summary: 'see what Pliant does, in a few seconds',
    load: async () => (await import('./commands/demo.ts')).demoCommand,
  },
  {
    name: 'drive',
    summary: 'move a learned surface by its control points',
    load: async () => (await import('./commands/drive.ts')).driveCommand,
  },
  {
    name: 'fit',
    summary: 'turn a mesh animation into a small skinned model',
    load: async () => (await import('./commands/fit.ts')).fitCommand,
  },
  {
    name: 'info',
    summary: 'show what files hold, and problems found',
    load: async () => (await import('./commands/info.ts')).infoCommand,
  },
  {
    name: 'learn',
    summary: 'learn from examples to deform a surface by a few control points',
    load: async () => (await import('./commands/learn.ts')).learnCommand,
  },
  {
    name: 'linearize',
    summary: 'make a rig bend like dual quaternions where players only blend linearly',
    load: async () => (await import('./commands/linearize.ts')).linearizeCommand,
  },
  {
    name: 'measure',
    summary: 'compare two sequences, meshes or rigs',
    load: async () => (await import('./commands/measure.ts')).measureCommand,
  },
  {
    name: 'mix',
    summary: 'solve for the mix of linear blending and dual quaternions',
    load: async () => (await import('./commands/mix.ts')).mixCommand,
  },
  {
    name: 'sample',
    summary: 'make test data: simulated cloth and small rigs',
    load: async () => (await import('./commands/sample.ts')).sampleCommand,
  },
  {
    name: 'skin',
    summary: 'pose a rig with an operator, and write the motion',
    load: async () => (await import('./commands/skin.ts')).skinCommand,
  },
  {
    name: 'studio',
    summary: 'see, fit and compare in the browser',
    load: async () => (await import('./commands/studio.ts')).studioCommand,
  },
  {
    name: 'weights',
    summary: 'bind a mesh to a skeleton, or trim the weights of a rig',
    load: async () => (await import('./commands/weights.ts')).weightsCommand,
  },
  {
    name: 'completion',
    summary: 'print a script that completes verbs in your shell',
    load: async () => (await import('./commands/completion.ts')).completionCommand,
  },
  {
    name: 'help',
    summary: 'explain a verb, or list them all',
    load: async () => (await import('./commands/help.ts')).helpCommand,
  },
];

const { version } = createRequire(import.meta.url)('pliant/package.json') as { version: string };

/** Instead of ending the process, commander throws; a usage error then says where to read more. */
function throwWithHint(command: Command, hint: string): void {
  command.exitOverride((error: CommanderError) => {
    if (error.exitCode !== 0)
      error.message += `${meant(
        error,
        VERBS.map(({ name }) => name),
      )} (see ${hint})`;
    throw error;
  });
}

/** What may have been meant, where commander does not say: a verb in capitals, a file whose name looks like a flag. */
function meant(error: CommanderError, verbs: readonly string[]): string {
  const word = error.message.match(/'(.*)'/)?.[1] ?? '';
  if (error.code === 'commander.unknownOption' && existsSync(word)) return `; the file of that name is ./${word}`;
  const known = error.code !== 'commander.unknownCommand' || error.message.includes('Did you mean');
  return known ? '' : didYouMean(word, verbs);
}

/** As soon as the flag is met, whatever else is on the line. */
function printVersion(): never {
  const { json } = printFlags(process.argv);
  process.stdout.write(`${json ? JSON.stringify({ version }) : version}\n`);
  throw new CommanderError(0, 'commander.version', version);
}

/** The whole command line as a tree: what runs, what the help and docs/cli.md print, what the shells complete. */
export function buildProgram(signal: AbortSignal): Command {
  const program = new Command('pliant')
    .description('Turns deforming meshes into small skinned models, and makes skinned models bend better.')
    .usage('<verb> [options]')
    .option('-v, --version', 'print the version')
    .addOption(new Option('-V').hideHelp())
    .helpOption('-h, --help', 'print this help')
    .helpCommand(false)
    .option('--json', 'print one JSON object instead of a table', false)
    .option('--quiet', 'no progress, and no summary of files written', false)
    .option('--debug', 'print where an error came from', false)
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
    ['pliant info flag.glb', 'shows what the file holds'],
    ['pliant help skin', 'explains a verb and its flags'],
  ]);
}
