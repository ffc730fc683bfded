import { createRequire } from 'node:module';
import { Command, CommanderError, Option } from 'commander';
import { completionCommand } from './commands/completion.ts';
import { convertCommand } from './commands/convert.ts';
import { demoCommand } from './commands/demo.ts';
import { driveCommand } from './commands/drive.ts';
import { fitCommand } from './commands/fit.ts';
import { helpCommand } from './commands/help.ts';
import { infoCommand } from './commands/info.ts';
import { learnCommand } from './commands/learn.ts';
import { linearizeCommand } from './commands/linearize.ts';
import { measureCommand } from './commands/measure.ts';
import { mixCommand } from './commands/mix.ts';
import { sampleCommand } from './commands/sample.ts';
import { skinCommand } from './commands/skin.ts';
import { studioCommand } from './commands/studio.ts';
import { weightsCommand } from './commands/weights.ts';
import { HELP, withExamples } from './help.ts';

const VERBS = [
  convertCommand,
  demoCommand,
  driveCommand,
  fitCommand,
  infoCommand,
  learnCommand,
  linearizeCommand,
  measureCommand,
  mixCommand,
  sampleCommand,
  skinCommand,
  studioCommand,
  weightsCommand,
  completionCommand,
];

const { version } = createRequire(import.meta.url)('pliant/package.json') as { version: string };

/** Instead of ending the process, commander throws; a usage error then says where to read more. */
function throwWithHint(command: Command, hint: string): void {
  command.exitOverride((error: CommanderError) => {
    if (error.exitCode !== 0) error.message += ` (see ${hint})`;
    throw error;
  });
}

/** As soon as the flag is met, whatever else is on the line. */
function printVersion(): never {
  const json = process.argv.includes('--json');
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
    .configureOutput({ writeErr: () => {} });
  program.on('option:version', printVersion).on('option:V', printVersion);
  throwWithHint(program, 'pliant help');
  const verbs = VERBS.map((make) => make(signal));
  verbs.push(helpCommand(signal, [...verbs.map((verb) => verb.name()), 'help']));
  for (const verb of verbs) {
    verb.copyInheritedSettings(program);
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
