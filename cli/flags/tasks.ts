import { Argument, type Command, type Option } from 'commander';
import { type ErrorFacts, PliantError } from '../../src/error.ts';
import { commandLine } from '../text/command-line.ts';

/** A task of a verb, as in `cloth run`: the first argument names it. */
export interface Task {
  /** Goes on after `cloth run`, and may be several sentences. */
  does: string;
  /** Names of the flags that it knows. */
  flags: readonly string[];
  /** It gets along without what the verb works on. */
  withoutInput?: true;
}

export type Tasks = Readonly<Record<string, Task>>;

const tasksOf = new WeakMap<Command, Tasks>();

/** Describes a verb by its tasks, and gives it the argument that names one. */
export function withTasks(
  command: Command,
  tasks: Tasks,
  { about = '', each }: { about?: string; each: string },
): Command {
  tasksOf.set(command, tasks);
  const sentences = Object.entries(tasks).map(([name, { does }]) => `${command.name()} ${name} ${does}`);
  return command.description([about, ...sentences].filter(Boolean).join(' ')).addArgument(
    new Argument('<task>', each).choices(Object.keys(tasks)).argParser((word: string) => {
      requireTask(command, [...command.parent!.args], 1);
      return word;
    }),
  );
}

/** Whether a word is rather a file than a misspelt name. */
export const isPath = (word: string): boolean => /[./\\*]/.test(word);

/** Throws where a line, the words after `pliant`, does not name a task of the verb at a place; says what may have been meant. */
export function requireTask(command: Command, line: readonly string[], place: number): void {
  const tasks = tasksOf.get(command);
  const got = line[place];
  if (!tasks || Object.hasOwn(tasks, got ?? '')) return;
  const candidates = Object.keys(tasks);
  const verb = command.name();
  const expected = `expected ${candidates.join(', ')}`;
  const error = (cause: string, facts: ErrorFacts = {}) =>
    new PliantError('bad-option', verb, cause, { ...facts, candidates });
  if (got === undefined) throw error(`${verb} needs a task (${expected}; see pliant help ${verb})`);
  if (!isPath(got) && !got.startsWith('-')) throw error(`unknown task "${got}" of ${verb} (${expected})`, { got });
  const given = givenNames(command);
  const meant = candidates.find((name) => given.every((flag) => tasks[name].flags.includes(flag))) ?? candidates[0];
  const example = commandLine([], [...line.slice(0, place), meant, ...line.slice(place)]);
  throw error(`${verb} needs a task (${expected}), as in ${example}`);
}

const givenNames = (command: Command): string[] =>
  command.options.map((each) => each.attributeName()).filter((name) => command.getOptionValueSource(name) === 'cli');

/** Refuses flags that say nothing to the task that is asked for. */
export function requireFlagsOf(command: Command, task: string): void {
  const { flags } = tasksOf.get(command)![task];
  const given = givenNames(command).find((name) => !flags.includes(name));
  if (!given) return;
  const option = command.getOptionValue(given) === false ? `no-${given}` : given;
  throw new PliantError('bad-option', command.name(), `does not apply to ${command.name()} ${task}`, { option });
}

/** What the help of one task says, where that of its verb tells them apart: `run: out.glb; pair: a folder`. */
export interface TaskPage {
  name: string;
  usage: string;
  description: string;
  hasFlag(option: Option): boolean;
  textOf(description: string): string;
}

/** The page of a task. Throws where the verb has none of this name. */
export function taskPage(command: Command, name: string): TaskPage {
  requireTask(command, [command.name(), name], 1);
  const tasks = tasksOf.get(command);
  if (!tasks) throw new PliantError('bad-option', 'help', `${command.name()} has no tasks (got ${name})`);
  const { does, flags, withoutInput } = tasks[name];
  const [, ...inputs] = command.registeredArguments.map((each) => each.name());
  const terms = inputs.map((input) => (withoutInput ? `[${input}]` : `<${input}>`));
  const names = `(?:${Object.keys(tasks).join('|')})`;
  const start = new RegExp(`^(${names}(, ${names})*): `);
  const between = new RegExp(`; (?=${names}(?:, ${names})*: )`);
  return {
    name,
    usage: ['pliant', command.name(), name, '[options]', ...terms].join(' '),
    description: does[0].toUpperCase() + does.slice(1),
    hasFlag: (option) => flags.includes(option.attributeName()),
    textOf: (description) =>
      description
        .split(between)
        .filter((part) => start.exec(part)?.[1].split(', ').includes(name) ?? true)
        .map((part) => part.replace(start, ''))
        .join('; '),
  };
}

/** The tasks of a verb, if it has any. */
export const taskNames = (command: Command): string[] => Object.keys(tasksOf.get(command) ?? {});

/** The task that a command line asks help for: `pliant help cloth run`, `pliant cloth run --help`. */
export function taskAsked(command: Command): TaskPage | undefined {
  const tasks = tasksOf.get(command) ?? {};
  const name = command.parent?.args.find((word) => Object.hasOwn(tasks, word));
  return name === undefined ? undefined : taskPage(command, name);
}
