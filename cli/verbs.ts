import { Command } from 'commander';

/** Gives a verb its description, arguments, flags and action. */
export type DefineVerb = (command: Command, signal: AbortSignal) => void;

/** A verb as `pliant help` lists it, and the module that knows the rest. */
export interface Verb {
  name: string;
  summary: string;
  load(): Promise<DefineVerb>;
}

const loaders = new WeakMap<Command, () => Promise<void>>();

/** The command of a verb: its name and summary. The rest is there after `loadVerb`. */
export function makeVerb({ name, summary, load }: Verb, signal: AbortSignal): Command {
  const command = new Command(name).summary(summary);
  loaders.set(command, async () => (await load())(command, signal));
  return command;
}

/** Completes the command of a verb: most of the time that a command line takes to start is for loading modules. */
export async function loadVerb(command: Command): Promise<Command> {
  const load = loaders.get(command);
  loaders.delete(command);
  await load?.();
  return command;
}
