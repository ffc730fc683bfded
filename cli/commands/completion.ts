import { Argument, type Command } from 'commander';
import { completionScript, SHELLS, type Shell } from '../flags/completion.ts';
import { chosenFrom } from '../flags/flags.ts';
import { describeVerb, withExamples } from '../flags/help.ts';
import { action } from '../terminal/session.ts';
import { loadVerb } from '../verbs.ts';

export function define(command: Command, signal: AbortSignal): void {
  command
    .description('Prints a script that completes verbs, flags and their values in your shell.')
    .addArgument(chosenFrom('completion', new Argument('<shell>', SHELLS.join(', ')), SHELLS))
    .action(
      action(signal, async (_run, shell: Shell, self: Command) => {
        const verbs = await Promise.all(self.parent!.commands.map(loadVerb));
        const script = completionScript(
          shell,
          verbs.map((each) => describeVerb(each)),
        );
        return { json: { shell, script }, text: () => script.trimEnd() };
      }),
    );
  withExamples(command, [
    ['source <(pliant completion bash)', 'completion in this bash; add the line to ~/.bashrc to keep it'],
    ['pliant completion zsh > ~/.zfunc/_pliant', 'completion in zsh, if ~/.zfunc is in $fpath'],
    ['pliant completion fish > ~/.config/fish/completions/pliant.fish', 'completion in fish'],
  ]);
}
