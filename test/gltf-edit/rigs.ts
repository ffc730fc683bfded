import { readdirSync, readFileSync } from 'node:fs';
import { RIG_FILES, type RigFile } from '../../bench/engines/rig-files.ts';
import { realData } from '../real/data.ts';

/** The generated files, and those by others where they are. */

const { path, absent, why } = realData('gltf/');

const OTHERS: RigFile[] = absent
  ? []
  : readdirSync(path).map((name) => ({ name, make: () => new Uint8Array(readFileSync(path + name)) }));

export const ALL_FILES: readonly RigFile[] = [...RIG_FILES, ...OTHERS];

/** Says in a test's name that files by others were skipped. */
export const others = why;
