import type { Envelope, InputFiles, Note, OutputFile, VerbDetails, VerbName, VerbReport } from '../../src/index.ts';
import { noteText } from '../../src/report/note-text.ts';
import { flagName } from '../flags/flags.ts';
import { Inputs } from '../input/inputs.ts';
import { type Output, type OutputKind, type OutputPlan, requireFiles, withOutput } from '../output/output.ts';
import { notesText, writtenText } from '../text/report-text.ts';
import type { Page } from '../text/table.ts';

/** What a command prints: an object for programs, a text for people. */
export interface Answer {
  /** Absent where it was printed while the verb ran. */
  json?: object;
  text(page: Page): string;
  /** True when the answer only tells of files that were written: `--quiet` leaves it out. */
  summary?: boolean;
  /** What went wrong without ending the verb: a line each on stderr. */
  complaints?: readonly string[];
  /** [default 0] */
  exitCode?: number;
}

/** What a verb found, and its paragraphs for people; notes and files follow them. */
export interface Told<V extends VerbName> {
  report: VerbReport<VerbDetails[V]>;
  text(page: Page): string[];
  /** Notes to print after the text [default those of the report]. */
  notes?: readonly Note[];
}

/** What a verb reads and writes. */
export interface Task<V extends VerbName, K extends OutputKind> {
  verb: V;
  /** Files and patterns as they were typed. */
  reads: readonly (string | undefined)[];
  plan: OutputPlan<K>;
  force: boolean;
}

/**
 * Looks for the inputs, opens the outputs, then the inputs that `work` asks for, and closes them all. After a failure
 * nothing is left of the outputs.
 */
export async function answerWith<V extends VerbName, K extends OutputKind>(
  { verb, reads, plan, force }: Task<V, K>,
  work: (inputs: Inputs, output: Output<K>) => Promise<Told<V>>,
): Promise<Answer> {
  await requireFiles(verb, plan, reads);
  const inputs = new Inputs(verb);
  const { result, written } = await withOutput(plan, force, (output) => inputs.use(() => work(inputs, output)));
  return toldAnswer(verb, result, inputs.list, written);
}

/** The same for a verb that writes nothing. */
export async function answerOf<V extends VerbName>(
  verb: V,
  work: (inputs: Inputs) => Promise<Told<V>>,
): Promise<Answer> {
  const inputs = new Inputs(verb);
  return toldAnswer(verb, await inputs.use(() => work(inputs)), inputs.list, []);
}

function toldAnswer<V extends VerbName>(
  verb: V,
  { report, text, notes: printed = report.notes }: Told<V>,
  input: InputFiles[],
  output: OutputFile[],
): Answer {
  const { figures, clips, parts, seconds, detail } = report;
  const notes = report.notes.map((note) => ({ ...note, text: noteText(note, flagName) }));
  const json: Envelope<V> = { version: 1, verb, input, output, figures, clips, parts, notes, seconds, report: detail };
  return {
    json,
    summary: output.length > 0,
    text: (page) => [...text(page), notesText(printed, page), writtenText(output)].filter(Boolean).join('\n\n'),
  };
}
