// What three.js, Babylon.js and Blender show of the files that every verb writes, against our own positions. Blender where it is
// installed (apt-get install blender python3-numpy).
//
//   node dist/bench/engines.js [--only armature] [--write]

import { readFileSync } from 'node:fs';
import { realData } from './data.ts';
import { babylonPlayer } from './engines/babylon-player.ts';
import { blenderPlayer, blenderVersion } from './engines/blender-player.ts';
import { comparePlayers, type Moment, momentsOf, type PlayerErrors } from './engines/moments.ts';
import type { Player } from './engines/player.ts';
import { pliantPlayer } from './engines/pliant-player.ts';
import { RIG_FILES } from './engines/rig-files.ts';
import { threePlayer } from './engines/three-player.ts';
import { EDITING_VERBS, MAKING_VERBS, openGlb } from './engines/verbs.ts';
import { flags } from './sequences.ts';
import { machine, markdownTable, ROOT, writeResults } from './tables.ts';

const GIVEN = ['CesiumMan', 'Fox', 'RiggedFigure', 'RiggedSimple', 'RobotExpressive'];

const files = [
  ...RIG_FILES,
  ...GIVEN.flatMap((name) => {
    const path = realData(`gltf/${name}.glb`);
    return path ? [{ name, make: () => new Uint8Array(readFileSync(path)) }] : [];
  }),
].filter(({ name }) => name.includes(flags.only));

const blender = blenderVersion();
if (!blender) console.error('blender is not installed: its columns are left out');
type Load = (glb: Uint8Array, moments: readonly Moment[]) => Player | Promise<Player>;
const PLAYERS: [string, Load][] = [
  ['three.js', threePlayer],
  ['Babylon.js', babylonPlayer],
  ...(blender
    ? [['Blender', (glb, moments) => blenderPlayer(glb, moments, `${ROOT}bench/blender.py`)] as [string, Load]]
    : []),
];

/** Largest distance in % of the diagonal: at keys, between keys. */
const MUST: PlayerErrors = { atKeys: 0.01, between: 0.02 };
const percent = (error: number, must: number): string => {
  if (error === Number.POSITIVE_INFINITY) return 'other vertices';
  return `${error < 1 ? error.toFixed(4) : error.toFixed(0)}${error > must ? ' ✗' : ''}`;
};

async function cells(glb: Uint8Array, moments: readonly Moment[]): Promise<string[]> {
  const ours = await pliantPlayer(glb);
  const out: string[] = [];
  for (const [, load] of PLAYERS) {
    const player = await load(glb, moments);
    const { atKeys, between } = await comparePlayers(player, ours, moments);
    player.dispose?.();
    out.push(percent(atKeys, MUST.atKeys), percent(between, MUST.between));
  }
  return out;
}

const verbs = { 'as given': undefined, ...EDITING_VERBS, ...MAKING_VERBS };
const rows: string[][] = [];
for (const { name, make } of files) {
  for (const [verb, run] of Object.entries(verbs)) {
    console.error(`${name}: ${verb} …`);
    const given = make();
    const glb = run ? await run(await openGlb(given)) : given;
    // An edited file has the tracks of the given one: Blender blends quaternions by components, which is exact half-way only.
    const moments = momentsOf(verb in MAKING_VERBS ? glb : given);
    rows.push([name, verb, ...(await cells(glb, moments))]);
    console.error(rows.at(-1)!.slice(2).join(' '));
  }
}

const text = `# Other players

${machine()}${blender ? `, ${blender}` : ''}. Written by \`node dist/bench/engines.js --write\`.

Files that Pliant writes, as three.js, Babylon.js${blender ? ' and Blender' : ''} show them, against the positions that Pliant itself reads from
them: the largest distance of a vertex in % of the diagonal, at up to five keys of every clip, and half-way to the next. For verbs
that edit, these are the keys of the given file. Must: ≤ ${MUST.atKeys} at keys, ≤ ${MUST.between} between; ✗ marks what is not.

Blender blends quaternions by their components, which is exact half-way between two keys and about 0.1 % off elsewhere, in given files
as in ours. It does not read the tangents of cubic splines.

${markdownTable(['file', 'verb', ...PLAYERS.flatMap(([name]) => [`${name}, keys`, 'between'])], rows)}
`;
console.log(text);
if (flags.write) writeResults('engines', text);
