import { Argument, Command } from 'commander';
import { PliantError } from '../../src/error.ts';
import { describeVerb, withExamples } from '../help.ts';
import { action } from '../session.ts';
import { didYouMean } from '../suggest.ts';

export function helpCommand(signal: AbortSignal): Command {
  const command = new Command('help')
    .summary('explain a verb, or list them all')
    .description('Explains a verb and its flags, or lists all verbs.')
    .addArgument(new Argument('[verb]', 'the verb to explain'))
    .action(
      action(signal, (_run, name: string | undefined, self: Command) => {
        const program = self.parent!;
        if (name === undefined) {
          const verbs = program.commands.map(describeVerb);
          return {
            json: { description: program.description(), verbs },
            text: () => program.helpInformation().trimEnd(),
          };
        }
        const verb = program.commands.find((candidate) => candidate.name() === name);
        if (!verb) {
          const names = program.commands.map((candidate) => candidate.name());
          throw new PliantError(
            'bad-option',
            'help',
            `no such verb (got ${name}, expected ${names.join(', ')})${didYouMean(name, names)}`,
          );
        }
        return { json: describeVerb(verb), text: () => verb.helpInformation().trimEnd() };
      }),
    );
  return withExamples(command, [['pliant help skin', 'what skin does, and its flags']]);
}
