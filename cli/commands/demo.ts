import { mkdir } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { dirname } from 'node:path';
import type { Command } from 'commander';
import { PliantError } from '../../src/error.ts';
import { fileError, nodeFiles } from '../../src/platform/node/index.ts';
import { makeSample } from '../../src/samples.ts';
import { withExamples } from '../flags/help.ts';
import { inputOfSequence } from '../input/fit-input.ts';
import { runFit } from '../jobs/fit-job.ts';
import { planOutput, reportPath, withOutput } from '../output/output.ts';
import { type Answer, action, type Run } from '../terminal/session.ts';
import { fitAnswer } from '../text/fit-text.ts';
import { pageOrigin } from '../text/page-origin.ts';

/** Makes a folder and those above it, one by one: Node's own way never ends where nothing can be created. */
async function makeFolder(path: string): Promise<void> {
  if ((await nodeFiles.kind(path)) !== 'missing') return;
  await makeFolder(dirname(path));
  await mkdir(path).catch((error: unknown) => {
    throw fileError(error, 'demo', path);
  });
}

/** A first look at the main job: simulate a tablecloth, fit it, write the model and its page. */
async function demonstrate(run: Run, path: string): Promise<Answer> {
  const plan = await planOutput('demo', path, ['glb']);
  await makeFolder(dirname(path));
  // Its own output of an earlier run is what it replaces.
  const { result, written } = await withOutput({ ...plan, report: reportPath(path) }, true, async (output) => {
    if (output.kind !== 'glb') throw new PliantError('internal', 'demo', `an output of kind ${output.kind}`);
    const { sequence } = await makeSample('tablecloth', run);
    if (!sequence) throw new PliantError('internal', 'demo', 'the tablecloth is no sequence');
    const origin = pageOrigin(path, ['a simulation']);
    const threads = availableParallelism();
    return runFit(
      { input: inputOfSequence(sequence), origin, options: { preset: 'fast' }, glb: {}, threads },
      output,
      run,
    );
  });
  return fitAnswer('a tablecloth, simulated and fitted', result, written);
}

export function demoCommand(command: Command, signal: AbortSignal): void {
  command
    .description(
      'Simulates a cloth that falls on a table, turns the motion into a skinned model, prints the figures, and writes a ' +
        'GLB for any viewer and a page with curves and pictures.',
    )
    .option('-o, --output <path>', 'the GLB to write; an older one is replaced', 'out/tablecloth.glb')
    .action(action(signal, (run, self: Command) => demonstrate(run, self.opts<{ output: string }>().output)));
  withExamples(command, [['pliant demo', 'figures on the terminal, out/tablecloth.glb and its report page']]);
}
