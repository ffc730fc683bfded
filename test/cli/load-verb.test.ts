import { setTimeout } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { loadVerb, makeVerb } from '../../cli/verbs.ts';

it('loads a verb once, and all who ask meanwhile wait for it', async () => {
  let loads = 0;
  const load = async () => {
    loads++;
    await setTimeout(5);
    return { define: (command: ReturnType<typeof makeVerb>) => void command.option('--output <file>') };
  };
  const command = makeVerb(['lift', 'lifts', load], new AbortController().signal);
  const both = await Promise.all(
    [loadVerb(command), loadVerb(command)].map(async (each) => (await each).options.length),
  );
  expect([both, loads]).toEqual([[1, 1], 1]);
});
