import { Argument, Command } from 'commander';
import { chosenFrom } from '../flags.ts';
import { describeVerb, withExamples } from '../help.ts';
import { action } from '../session.ts';

/** `verbs`: the names of all verbs, this one included. */
export function helpCommand(signal: AbortSignal, verbs: readonly string[]): Command {
  const command = new Command('help')
    .summary('explain a verb, or list them all')
    .description('Explains a verb and its flags, or lists all verbs.')
    .addArgument(chosenFrom('help', new Argument('[verb]', 'the verb to explain'), verbs))
    .action(
      action(signal, (_run, name: string | undefined, self: Command) => {
        const program = self.parent!;
        const verb = program.commands.find((candidate) => candidate.name() === name);
        return verb
          ? { json: describeVerb(verb), text: () => verb.helpInformation().trimEnd() }
          : {
              json: { description: program.description(), verbs: program.commands.map(describeVerb) },
              text: () => program.helpInformation().trimEnd(),
            };
      }),
    );
  return withExamples(command, [['pliant help skin', 'what skin does, and its flags']]);
}
