import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Command } from 'commander';
import { fileError, nodeFiles } from '../../src/platform/node/index.ts';
import { sample } from '../../src/verbs/sample.ts';
import { withExamples } from '../flags/help.ts';
import { planWithReport } from '../output/output.ts';
import { answerWith } from '../terminal/answer.ts';
import { action, type Run } from '../terminal/session.ts';
import { pageOrigin } from '../text/command-line.ts';
import { fitInto } from './fit.ts';

/** Makes a folder and those above it, one by one: Node's own way never ends where nothing can be created. */
async function makeFolder(path: string): Promise<void> {
  if ((await nodeFiles.kind(path)) !== 'missing') return;
  await makeFolder(dirname(path));
  await mkdir(path).catch((error: unknown) => {
    throw fileError(error, 'demo', path);
  });
}

/** A first look at the main job: simulate a tablecloth, fit it, write the model and its page. */
async function demonstrate(run: Run, self: Command) {
  const { output: path } = self.opts<{ output: string }>();
  const plan = await planWithReport('demo', { output: path, report: true });
  await makeFolder(dirname(path));
  // It replaces its own output of an earlier run.
  return answerWith({ verb: 'demo', reads: [], plan, force: true }, async (_, output) => {
    const { sequences } = await sample('tablecloth', run);
    const origin = pageOrigin(path, ['a simulation']);
    const title = 'a tablecloth, simulated and fitted';
    return fitInto(output, sequences[0], { preset: 'fast', glb: {} }, { title, origin }, run);
  });
}

export function define(command: Command, signal: AbortSignal): void {
  command
    .description(
      'Simulates a cloth falling on a table, turns the motion into a skinned model, prints the figures, and writes a GLB ' +
        'and a report page.',
    )
    .option(
      '-o, --output <path>',
      'GLB to write; replaced if it exists [default out/tablecloth.glb]',
      'out/tablecloth.glb',
    )
    .action(action(signal, demonstrate));
  withExamples(command, [['pliant demo', 'prints figures; writes out/tablecloth.glb and its report page']]);
}
