import { Argument, Command } from 'commander';
import { completionScript, SHELLS, type Shell } from '../completion.ts';
import { chosenFrom } from '../flags.ts';
import { describeVerb, withExamples } from '../help.ts';
import { action } from '../session.ts';

export function completionCommand(signal: AbortSignal): Command {
  const command = new Command('completion')
    .summary('print a script that completes verbs in your shell')
    .description('Prints a script that completes verbs, flags and their values in your shell.')
    .addArgument(chosenFrom('completion', new Argument('<shell>', SHELLS.join(', ')), SHELLS))
    .action(
      action(signal, (_run, shell: Shell, self: Command) => {
        const script = completionScript(shell, self.parent!.commands.map(describeVerb));
        return { json: { shell, script }, text: () => script.trimEnd() };
      }),
    );
  return withExamples(command, [
    ['source <(pliant completion bash)', 'completion in this bash; put the line into ~/.bashrc to keep it'],
    ['pliant completion zsh > ~/.zfunc/_pliant', 'completion in zsh, when ~/.zfunc is in $fpath'],
    ['pliant completion fish > ~/.config/fish/completions/pliant.fish', 'completion in fish'],
  ]);
}
