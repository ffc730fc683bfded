import { Argument, type Command } from 'commander';
import { chosenFrom } from '../flags/flags.ts';
import { describeVerb, withExamples } from '../flags/help.ts';
import { taskPage } from '../flags/tasks.ts';
import { action, type GlobalFlags } from '../terminal/session.ts';
import { loadVerb } from '../verbs.ts';

export function define(command: Command, signal: AbortSignal): void {
  const program = command.parent!;
  const verbs = program.commands.map((verb) => verb.name());
  command
    .description('Shows help for a verb, or lists all verbs.')
    .addArgument(chosenFrom('help', new Argument('[verb]', 'verb to show help for'), verbs))
    .argument('[task]', 'task of the verb, if it has some [default all on one page]')
    .option('--all', 'show all flags', false)
    .action(
      action(signal, async (_run, name: string | undefined, taskName: string | undefined) => {
        const verb = program.commands.find((candidate) => candidate.name() === name);
        if (verb) {
          await loadVerb(verb);
          const task = taskName === undefined ? undefined : taskPage(verb, taskName);
          return { json: describeVerb(verb, task), text: () => verb.helpInformation().trimEnd() };
        }
        if (command.optsWithGlobals<GlobalFlags>().json) await Promise.all(program.commands.map(loadVerb));
        return {
          json: { description: program.description(), verbs: program.commands.map((each) => describeVerb(each)) },
          text: () => program.helpInformation().trimEnd(),
        };
      }),
    );
  withExamples(command, [
    ['pliant help skin', 'what skin does, with its most common flags'],
    ['pliant help cloth run', 'one task of a verb'],
    ['pliant help fit --all', 'every flag of fit'],
  ]);
}
