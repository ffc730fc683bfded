import { parseArgs } from 'node:util';
import { type MeshSequence, readAsset } from '../src/index.ts';
import { nodeFiles } from '../src/platform/node/index.ts';
import { makeSample } from '../src/samples.ts';
import { realData } from './data.ts';

/** The sequences that benchmarks run on: made by others (see data.ts), or generated. */
export interface SequenceCase {
  name: string;
  byOthers: boolean;
  /** Opens it anew, or makes it. */
  open: () => Promise<MeshSequence>;
}

export const given = (name: string): SequenceCase => ({
  name,
  byOthers: true,
  open: async () => (await readAsset(nodeFiles, [realData(`sequences/${name}`) as string])).sequences[0],
});

/** A sample of about so many vertices and frames; 0 is its default. */
export const generated = (name: string, resolution = 0, frames = 0): SequenceCase => ({
  name,
  byOthers: false,
  open: async () => (await makeSample(name, { resolution, frames })).sequence!,
});

export const { values: flags } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    write: { type: 'boolean', default: false },
  },
});

/** The cases whose names contain `--only`; of those by others the ones that are there. */
export function chosen<Case extends SequenceCase>(cases: readonly Case[]): Case[] {
  return cases.filter(
    ({ name, byOthers }) => name.includes(flags.only) && (!byOthers || realData(`sequences/${name}`) !== undefined),
  );
}
