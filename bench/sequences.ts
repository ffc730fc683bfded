import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { readAsset } from '../src/io/read-asset.ts';
import type { MeshSequence } from '../src/model/sequence.ts';
import { nodeFiles } from '../src/platform/node/index.ts';
import { makeSample } from '../src/samples.ts';
import { ROOT } from './tables.ts';

/** The sequences that benchmarks run on: made by others, in a folder `shared/data` beside the checkout, or generated. */
export interface SequenceCase {
  name: string;
  byOthers: boolean;
  /** Opens it anew, or makes it. */
  open: () => Promise<MeshSequence>;
}

const DATA = `${ROOT}../shared/data/sequences/`;

export const given = (name: string): SequenceCase => ({
  name,
  byOthers: true,
  open: async () => (await readAsset(nodeFiles, [`${DATA}${name}`])).sequences[0],
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

/** The cases whose names contain `--only`; those by others only where these are. */
export function chosen<Case extends SequenceCase>(cases: readonly Case[]): Case[] {
  return cases.filter(({ name, byOthers }) => {
    if (!name.includes(flags.only)) return false;
    if (byOthers && !existsSync(`${DATA}${name}`)) {
      console.error(`${name}: left out, ${DATA} is not here`);
      return false;
    }
    return true;
  });
}
