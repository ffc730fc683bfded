import { Command } from 'commander';

/** A verb as `pliant help` lists it, and the module that gives its command arguments, flags and an action. */
export type Verb = readonly [
  name: string,
  summary: string,
  load: () => Promise<{ define(command: Command, signal: AbortSignal): void }>,
];

const loaders = new WeakMap<Command, () => Promise<void>>();
/** Verbs that are being loaded, or were: two jobs of a worker may ask for one at once. */
const loaded = new WeakMap<Command, Promise<void>>();

/** The command of a verb: its name and summary. The rest is there after `loadVerb`. */
export function makeVerb([name, summary, load]: Verb, signal: AbortSignal): Command {
  const command = new Command(name).summary(summary);
  loaders.set(command, async () => (await load()).define(command, signal));
  return command;
}

/** Completes the command of a verb: most of the time that a command line takes to start is for loading modules. */
export async function loadVerb(command: Command): Promise<Command> {
  const loading = loaded.get(command) ?? loaders.get(command)?.();
  if (loading) loaded.set(command, loading);
  await loading;
  return command;
}
