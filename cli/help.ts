import { type Command, Help, type Option } from 'commander';

/** A command line to try, and what it does. */
export type Example = readonly [line: string, effect: string];

const examplesOf = new WeakMap<Command, readonly Example[]>();

/** Adds examples to the end of a verb's help. */
export function withExamples(command: Command, examples: readonly Example[]): Command {
  examplesOf.set(command, examples);
  return command;
}

/** Commander's help, with its descriptions as they are (flags.ts has put unit, range and default there) and examples. */
export const HELP: Partial<Help> = {
  showGlobalOptions: true,
  visibleCommands: (command) => [...command.commands],
  subcommandTerm: (command) => command.name(),
  visibleGlobalOptions: (command) =>
    command.parent?.options.filter((option) => !option.hidden && option.long !== '--version') ?? [],
  optionDescription: (option) => option.description,
  argumentDescription: (argument) => argument.description,
  styleTitle: (title) => `\u001b[1m${title}\u001b[22m`,
  formatHelp(command, helper) {
    const text = Help.prototype.formatHelp.call(helper, command, helper);
    const examples = examplesOf.get(command);
    if (!examples) return text;
    const lines = examples.map(([line, effect]) => `  ${line}\n      ${effect}`);
    return `${text}\n${helper.styleTitle('Examples:')}\n${lines.join('\n')}\n`;
  },
};

export interface FlagDescription {
  /** `--operator`. */
  long: string;
  /** `-o`. */
  short?: string;
  description: string;
  /** What its value is called, absent for switches. */
  value?: string;
  choices?: readonly string[];
}

export interface VerbDescription {
  name: string;
  description: string;
  usage: string;
  /** The values that its first argument may take, where they are known. */
  choices?: readonly string[];
  flags: FlagDescription[];
}

const describeFlag = (option: Option): FlagDescription => ({
  long: option.long!,
  short: option.short,
  description: option.description,
  value: option.flags.match(/<(.+)>/)?.[1],
  choices: option.argChoices,
});

/** The facts of a verb's help, as `help --json` prints them and shell completion uses them. */
export function describeVerb(verb: Command): VerbDescription {
  const helper = verb.createHelp();
  return {
    name: verb.name(),
    description: verb.summary() || verb.description(),
    usage: helper.commandUsage(verb),
    choices: verb.registeredArguments[0]?.argChoices,
    flags: [...helper.visibleOptions(verb), ...helper.visibleGlobalOptions(verb)].map(describeFlag),
  };
}
