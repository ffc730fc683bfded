import type { Command } from 'commander';
import { PliantError } from '../../src/error.ts';
import type { SequenceGlbOptions } from '../../src/io/glb/options.ts';
import { type WriteAlembicOptions, writeAlembic } from '../../src/io/write-alembic.ts';
import { writeSequenceGlb } from '../../src/io/write-glb.ts';
import { writeMdd } from '../../src/io/write-mdd.ts';
import { writeObj, writeObjSequence } from '../../src/io/write-obj.ts';
import { type WritePc2Options, writePc2 } from '../../src/io/write-pc2.ts';
import type { OptionSpecs, OptionsOf } from '../../src/model/options.ts';
import type { Report } from '../../src/model/report.ts';
import type { MeshSequence } from '../../src/model/sequence.ts';
import { givenFlags, kebab } from '../flags/flags.ts';
import type { Run } from '../terminal/session.ts';
import type { Output, OutputKind } from './output.ts';
import { givenWithSmall, isSmall } from './small.ts';

/** What a sequence can be written as. */
export const SEQUENCE_KINDS: readonly OutputKind[] = ['glb', 'frames', 'abc', 'pc2', 'mdd', 'obj'];

/** Flags of GLB files that mean something to other kinds too. */
const SHARED_FLAGS: Partial<Record<OutputKind, readonly string[]>> = { abc: ['normals'] };

/** The flags of GLB files that were given; with an output to which they mean nothing they are refused. */
export function givenGlbFlags<T extends OptionSpecs>(
  command: Command,
  specs: T,
  kind: OutputKind,
): Partial<OptionsOf<T>> {
  const names = [...Object.keys(givenFlags(command, specs)), ...(isSmall(command) ? ['small'] : [])];
  const stray = names.find((name) => kind !== 'glb' && !SHARED_FLAGS[kind]?.includes(name));
  if (stray === undefined) return givenWithSmall(command, specs);
  throw new PliantError('bad-option', command.name(), `--${kebab(stray)} applies to .glb only`);
}

/** Kinds that hold any number of meshes; the others hold one. */
export const holdsSeveral = (kind: OutputKind): boolean => kind === 'glb' || kind === 'abc';

/** Options of all writers: each takes its own. */
export type SequenceWriteOptions = Partial<SequenceGlbOptions & WritePc2Options & WriteAlembicOptions>;

/** Writes sequences to an open output: all of them where it holds several, else the only one. Returns the reports of the writers. */
export async function writeSequences(
  output: Output,
  sequences: readonly MeshSequence[],
  options: SequenceWriteOptions,
  run: Run,
): Promise<Report[]> {
  if (output.kind === 'glb') {
    const { bytes, report } = await writeSequenceGlb(sequences, { ...options, ...run });
    await output.sink.write(bytes);
    return [report];
  }
  if (output.kind === 'abc') {
    const { report } = await writeAlembic(sequences, output.sink, { ...options, ...run });
    return [report];
  }
  const [sequence] = sequences;
  switch (output.kind) {
    case 'obj':
      await output.sink.write(writeObj(sequence.rest));
      return [];
    case 'frames':
      await writeObjSequence(sequence, output.folder, run);
      return [];
    case 'pc2': {
      await output.rest?.write(writeObj(sequence.rest));
      const { report } = await writePc2(sequence, output.sink, { ...options, ...run });
      return [report];
    }
    case 'mdd': {
      await output.rest?.write(writeObj(sequence.rest));
      const { report } = await writeMdd(sequence, output.sink, run);
      return [report];
    }
  }
}
