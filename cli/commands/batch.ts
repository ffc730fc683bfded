import { availableParallelism } from 'node:os';
import { type Command, Option } from 'commander';
import { PliantError } from '../../src/error.ts';
import type { BatchLine, OptionSpecs } from '../../src/index.ts';
import { bytes, plural } from '../../src/report/format.ts';
import { type BatchPlan, runBatch } from '../batch/batch.ts';
import { batchInputs, filesOf, OUTPUT_FORMATS, type OutputFormat } from '../batch/batch-inputs.ts';
import { type HashedFile, processes } from '../batch/engine.ts';
import { hashOfFile } from '../batch/hashes.ts';
import { queueEngine } from '../batch/queue-engine.ts';
import { addQueueFlags, openQueueOf, type QueueFlags } from '../batch/queue-flags.ts';
import { splitWords } from '../batch/split-words.ts';
import { findBatchVerb, findFlag, takesFile } from '../batch/verb-job.ts';
import { addFlags, givenFlags } from '../flags/flags.ts';
import { withExamples } from '../flags/help.ts';
import { addOutputFlags, type OutputFlags } from '../flags/shared-flags.ts';
import type { Answer } from '../terminal/answer.ts';
import { action, type GlobalFlags, type Run } from '../terminal/session.ts';

const BATCH_OPTIONS = {
  jobs: {
    type: 'number',
    default: 0,
    min: 0,
    max: 256,
    integer: true,
    description: 'inputs at once, each in a process of its own; 0: one per core',
  },
} as const satisfies OptionSpecs;

interface Flags extends OutputFlags {
  to: OutputFormat;
}

/** The flags of the verb, with the files that they name under names of their own. */
async function sharedFiles(verb: Command, flags: BatchPlan['flags']) {
  const shared: HashedFile[] = [];
  const renamed: BatchPlan['flags'] = [];
  for (const [flag, value] of flags) {
    if (value === undefined || !takesFile(findFlag(verb, flag), value)) {
      renamed.push(value === undefined ? [flag] : [flag, value]);
      continue;
    }
    const { name, files } = await filesOf(value);
    const folder = `with/${renamed.length}`;
    for (const file of files) {
      shared.push({ name: `${folder}/${file.name}`, path: file.path, hash: await hashOfFile(file.path) });
    }
    renamed.push([flag, `${folder}/${name}`]);
  }
  return { shared, flags: renamed };
}

/** Verbs that use all cores get one each where several run at once. */
const withThreads = (verb: Command, flags: BatchPlan['flags'], atOnce: number): BatchPlan['flags'] =>
  atOnce > 1 && verb.options.some(({ long }) => long === '--threads') && !flags.some(([flag]) => flag === '--threads')
    ? [...flags, ['--threads', '1']]
    : flags;

async function batchFiles(run: Run, words: string[], self: Command): Promise<Answer> {
  const { output: folder, force, to } = self.opts<Flags>();
  const { json } = self.optsWithGlobals<GlobalFlags>();
  const { jobs = 0 } = givenFlags(self, BATCH_OPTIONS);
  const { verb, count } = await findBatchVerb(self.parent!, words);
  const { inputs: patterns, flags } = splitWords(verb, words.slice(count));
  if (!folder) throw new PliantError('bad-option', 'batch', 'no output folder: add -o out/');
  if (patterns.length === 0) throw new PliantError('bad-option', 'batch', 'no inputs (expected files or patterns)');
  const inputs = await batchInputs(patterns, folder, words.slice(0, count).join(' ') === 'cloth pair' ? 'folder' : to);
  const client = await openQueueOf('batch', self.opts<QueueFlags>());
  const engine = client ? queueEngine(client) : processes(jobs || availableParallelism());
  const { shared, flags: renamed } = await sharedFiles(verb, withThreads(verb, flags, engine.atOnce));
  const plan = { words: words.slice(0, count), flags: renamed, shared, inputs, folder, force };
  const lines: BatchLine[] = [];
  try {
    await runBatch(plan, engine, run, (line) => {
      lines.push(line);
      if (json) process.stdout.write(`${JSON.stringify(line)}\n`);
    });
  } finally {
    await engine.close();
  }
  return told(plan, lines);
}

/** All in numbers, then what failed. */
function told({ words, inputs }: BatchPlan, lines: readonly BatchLine[]): Answer {
  const of = (state: BatchLine['state']) => lines.filter((line) => line.state === state);
  const failed = of('failed').sort((a, b) => (a.input < b.input ? -1 : 1));
  const size = of('written').reduce((sum, { output }) => sum + output.reduce((all, file) => all + file.bytes, 0), 0);
  const ours = failed.some(({ error }) => error?.code === 'internal' || error?.code === 'system');
  const counts = [
    `${of('written').length} written (${bytes(size)})`,
    `${of('kept').length} kept`,
    `${failed.length} failed`,
  ];
  return {
    text: (page) => page.strong(`${words.join(' ')}: ${plural(inputs.length, 'input')}, ${counts.join(', ')}`),
    summary: true,
    complaints: failed.map(({ input, error }) =>
      error!.message.startsWith(input) ? error!.message : `${input}: ${error!.message}`,
    ),
    exitCode: failed.length === 0 ? 0 : ours ? 1 : 2,
  };
}

export function define(command: Command, signal: AbortSignal): void {
  command
    .description(
      'Runs a verb over many inputs, each in a process of its own, or on the machines of a queue. Outputs are named after their inputs, in the ' +
        'same subfolders. What an earlier batch wrote of the same input with the same flags is kept: a batch that was ' +
        'interrupted goes on. What fails is listed at the end and stops nothing else. --json prints a line per input.',
    )
    .argument('<verb>', 'a verb that reads and writes files, with its task if it has one')
    .argument(
      '[words...]',
      'inputs: files, folders, quoted patterns (a pattern ending in / names folders); flags of the verb',
    )
    .allowUnknownOption();
  addOutputFlags(command, 'folder to write to; inputs in it are left out').addOption(
    new Option('--to <format>', `what to write [${OUTPUT_FORMATS.join(', ')}; default glb]`)
      .choices(OUTPUT_FORMATS)
      .default('glb'),
  );
  addQueueFlags(addFlags(command, BATCH_OPTIONS)).action(
    action(signal, (run: Run, verb: string, words: string[], self: Command) => batchFiles(run, [verb, ...words], self)),
  );
  withExamples(command, [
    [
      "pliant batch fit 'shots/**/*.abc' -o out/ --bones 60",
      'fits every cache; shots/a/walk.abc becomes out/a/walk.glb',
    ],
    ["pliant batch convert 'takes/*/' -o caches/ --to abc", 'folders of OBJ frames as Alembic caches'],
    ["pliant batch lod 'cast/*.glb' -o lods/ --levels 3 --json", 'a line of JSON for each character'],
    ["pliant batch fit 'a/*.abc' -o out/ --queue redis://localhost --store /mnt/q", 'by all that run pliant worker'],
    ["pliant batch cloth run 'capes/*.glb' -o worn/ --body rig.glb --pin-bone chest", 'several garments on one body'],
  ]);
}
