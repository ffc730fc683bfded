import { type Command, Help, type Option } from 'commander';
import { plural } from '../../src/report/format.ts';
import { type TaskPage, taskAsked, taskNames } from './tasks.ts';

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

const isHelp = ({ long }: Option): boolean => long === '--help';

/** The flags of a verb, or of one of its tasks. */
const flagsOf = (command: Command, helper: Help, task: TaskPage | undefined): Option[] =>
  helper.visibleOptions(command).filter((option) => !task || isHelp(option) || task.hasFlag(option));

/** Those of them that the help shows. */
function shownFlags(command: Command, flags: Option[]): Option[] {
  const common = commonFlagsOf.get(command);
  return common && !wantsAll(command) ? flags.filter((flag) => isHelp(flag) || common.has(flag.long!)) : flags;
}

/** The help of a task is that of its verb, without what is about the others. */
const ofTask = (task: TaskPage): Partial<Help> => ({
  commandUsage: () => task.usage,
  commandDescription: () => task.description,
  visibleArguments: (command) => command.registeredArguments.slice(1),
  argumentDescription: (argument) => task.textOf(argument.description),
  optionDescription: (option) => task.textOf(option.description),
});

/** Commander's help, with its descriptions as they are (flags.ts has put unit, range and default there) and examples. */
export const HELP: Partial<Help> = {
  showGlobalOptions: true,
  // Narrower columns of text would be harder to read than lines that the terminal breaks.
  minWidthToWrap: 15,
  visibleCommands: (command) => [...command.commands],
  subcommandTerm: (command) => command.name(),
  visibleGlobalOptions: (command) =>
    command.parent?.options.filter((option) => !option.hidden && option.long !== '--version') ?? [],
  optionDescription: (option) => option.description,
  argumentDescription: (argument) => argument.description,
  styleTitle: (title) => `\u001b[1m${title}\u001b[22m`,
  formatHelp(command, helper) {
    const task = taskAsked(command);
    const known = flagsOf(command, helper, task);
    const shown = shownFlags(command, known);
    const page: Help = Object.assign(Object.create(helper), task && ofTask(task), { visibleOptions: () => shown });
    const text = Help.prototype.formatHelp.call(page, command, page);
    // After usage, description and arguments.
    const flags = text.indexOf(helper.styleTitle('Options:'));
    const hidden = known.length - shown.length;
    const name = [command.name(), ...(task ? [task.name] : [])].join(' ');
    const more = hidden ? `\n${plural(hidden, 'more flag')}: pliant help ${name} --all\n` : '';
    const [first, ...others] = task ? [] : taskNames(command);
    const parts = first ? `\nFor one task: pliant help ${name} ${first} (also ${others.join(', ')})\n` : '';
    return text.slice(0, flags) + examplesText(command, helper, task) + text.slice(flags) + more + parts;
  },
};

function examplesText(command: Command, helper: Help, task: TaskPage | undefined): string {
  const start = task && `pliant ${command.name()} ${task.name} `;
  const examples = (examplesOf.get(command) ?? []).filter(([line]) => !start || line.startsWith(start));
  const lines = examples.map(([line, effect]) => `  ${line}\n      ${effect}`);
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

const describeFlag = (option: Option, description: string): FlagDescription => ({
  long: option.long!,
  short: option.short,
  description,
  value: option.flags.match(/<(.+)>/)?.[1],
  choices: option.argChoices,
});

/** The facts of a verb's help, or of that of one of its tasks, as `help --json` prints them and shell completion uses them. */
export function describeVerb(verb: Command, task?: TaskPage): VerbDescription {
  const helper = verb.createHelp();
  const flags = flagsOf(verb, helper, task).map((each) =>
    describeFlag(each, task ? task.textOf(each.description) : each.description),
  );
  const everywhere = helper.visibleGlobalOptions(verb).map((each) => describeFlag(each, each.description));
  return {
    name: task ? `${verb.name()} ${task.name}` : verb.name(),
    description: task?.description ?? (verb.summary() || verb.description()),
    usage: task?.usage ?? helper.commandUsage(verb),
    choices: task ? undefined : verb.registeredArguments[0]?.argChoices,
    flags: [...flags, ...everywhere],
  };
}
