import type { Command } from 'commander';
import { PliantError } from '../../src/error.ts';
import type {
  MeshSequence,
  OptionSpecs,
  OptionsOf,
  Report,
  SequenceGlbOptions,
  VerbReport,
  WriteAlembicOptions,
  WritePc2Options,
} from '../../src/index.ts';
import { writeAlembic } from '../../src/io/write-alembic.ts';
import { writeSequenceGlb } from '../../src/io/write-glb.ts';
import { writeMdd } from '../../src/io/write-mdd.ts';
import { writeObj, writeObjSequence } from '../../src/io/write-obj.ts';
import { writePc2 } from '../../src/io/write-pc2.ts';
import { addNotes } from '../../src/model/note.ts';
import { appearanceNotes, SEQUENCE_FORMATS } from '../../src/verbs/sequence-formats.ts';
import { givenFlags } from '../flags/flags.ts';
import { givenWithSmall, isSmall } from '../flags/shared-flags.ts';
import type { Run } from '../terminal/session.ts';
import type { Output, OutputKind } from './output.ts';

/** Flags of GLB files that mean something to other kinds too. */
const SHARED_FLAGS: Partial<Record<OutputKind, readonly string[]>> = { abc: ['normals'] };

/** The flags of GLB files that were given; with an output to which they mean nothing they are refused. */
export function givenGlbFlags<T extends OptionSpecs>(
  command: Command,
  specs: T,
  kind: OutputKind,
): Partial<OptionsOf<T>> {
  const names = [...Object.keys(givenFlags(command, specs)), ...(isSmall(command) ? ['small'] : [])];
  const option = names.find((name) => kind !== 'glb' && !SHARED_FLAGS[kind]?.includes(name));
  if (option === undefined) return givenWithSmall(command, specs);
  throw new PliantError('bad-option', command.name(), 'applies to .glb only', { option });
}

/** Outputs that hold a motion, which a single OBJ does not. */
export const MOTION_KINDS = SEQUENCE_FORMATS.filter((kind) => kind !== 'obj');

/** Outputs that hold sequences. */
type SequenceKind = Exclude<OutputKind, 'png' | 'apng' | 'html'>;

/** Options of all writers: each takes its own. */
type SequenceWriteOptions = Partial<SequenceGlbOptions & WritePc2Options & WriteAlembicOptions>;

/** Writes sequences: all of them where the output holds several, else the only one. Adds the writer's notes to the report. */
export async function writeSequences(
  output: Output<SequenceKind>,
  sequences: readonly MeshSequence[],
  options: SequenceWriteOptions,
  run: Run,
  { notes }: VerbReport,
): Promise<void> {
  try {
    const written = await writeTo(output, sequences, { ...options, ...run });
    addNotes(notes, ...appearanceNotes(output.kind, sequences), ...(written?.report.notes ?? []));
  } finally {
    for (const sequence of sequences) await sequence.close?.();
  }
}

async function writeTo(
  output: Output<SequenceKind>,
  sequences: readonly MeshSequence[],
  options: SequenceWriteOptions & Run,
): Promise<{ report: Report } | undefined> {
  const [sequence] = sequences;
  if ('rest' in output) await output.rest?.write(writeObj(sequence.rest));
  switch (output.kind) {
    case 'glb': {
      const written = await writeSequenceGlb(sequences, options);
      await output.sink.write(written.bytes);
      return written;
    }
    case 'abc':
      return writeAlembic(sequences, output.sink, options);
    case 'pc2':
      return writePc2(sequence, output.sink, options);
    case 'mdd':
      return writeMdd(sequence, output.sink, options);
    case 'obj':
      await output.sink.write(writeObj(sequence.rest));
      return undefined;
    case 'frames':
      await writeObjSequence(sequence, output.folder, options);
      return undefined;
  }
}
