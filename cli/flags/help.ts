import { type Command, Help, type Option } from 'commander';
import { plural } from '../../src/report/format.ts';

/** A command line to try, and what it does. */
export type Example = readonly [line: string, effect: string];

const examplesOf = new WeakMap<Command, readonly Example[]>();
const commonFlagsOf = new WeakMap<Command, ReadonlySet<string>>();

/** Examples of a verb, which its help shows before the flags. */
export function withExamples(command: Command, examples: readonly Example[]): Command {
  examplesOf.set(command, examples);
  return command;
}

/** The flags that most people need, by name, with spaces between: the help shows no others unless it is asked for all. */
export function withCommonFlags(command: Command, names: string): Command {
  const flags = names.split(' ').map((name) => `--${name}`);
  const unknown = flags.find((flag) => command.options.every((option) => option.long !== flag));
  if (unknown) throw new Error(`${command.name()} has no flag ${unknown}`);
  commonFlagsOf.set(command, new Set(flags));
  return command;
}

/** Whether the command line asks for every flag: `pliant help fit --all`, `pliant fit --help --all`. */
const wantsAll = (command: Command): boolean => (command.parent ?? command).args.includes('--all');

/** The flags that the help of a verb shows. */
function shownFlags(command: Command, helper: Help): Option[] {
  const flags = helper.visibleOptions(command);
  const common = commonFlagsOf.get(command);
  if (!common || wantsAll(command)) return flags;
  return flags.filter(({ long }) => long === '--help' || common.has(long!));
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
    const shown = shownFlags(command, helper);
    const page: Help = Object.assign(Object.create(helper), { visibleOptions: () => shown });
    const text = Help.prototype.formatHelp.call(page, command, page);
    // After usage, description and arguments.
    const flags = text.indexOf(helper.styleTitle('Options:'));
    const hidden = helper.visibleOptions(command).length - shown.length;
    const more = hidden ? `\n${plural(hidden, 'more flag')}: pliant help ${command.name()} --all\n` : '';
    return text.slice(0, flags) + examplesText(command, helper) + text.slice(flags) + more;
  },
};

function examplesText(command: Command, helper: Help): string {
  const lines = (examplesOf.get(command) ?? []).map(([line, effect]) => `  ${line}\n      ${effect}`);
  return `${helper.formatItemList('Examples:', lines, helper).join('\n')}\n`;
}

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
