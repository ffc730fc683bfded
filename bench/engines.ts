// What three.js, Babylon.js and Blender show of the files that every verb writes, against our own positions. Blender where it is
// installed (apt-get install blender python3-numpy).
//
//   node dist/bench/engines.js [--only armature] [--write]

import { readFileSync } from 'node:fs';
import { realData } from './data.ts';
import { babylonPlayer } from './engines/babylon-player.ts';
import { blenderPlayer, blenderVersion } from './engines/blender-player.ts';
import { type EngineRow, engineTables } from './engines/engines-text.ts';
import { comparePlayers, type Moment, momentsOf, type PlayerErrors } from './engines/moments.ts';
import type { Player } from './engines/player.ts';
import { pliantPlayer } from './engines/pliant-player.ts';
import { RIG_FILES, type RigFile } from './engines/rig-files.ts';
import { threePlayer } from './engines/three-player.ts';
import { EDITING_VERBS, MAKING_VERBS, openGlb } from './engines/verbs.ts';
import { flags } from './sequences.ts';
import { machine, ROOT, writeResults } from './tables.ts';

const GIVEN = ['CesiumMan', 'Fox', 'RiggedFigure', 'RiggedSimple', 'RobotExpressive'];

const files = [
  ...RIG_FILES,
  ...GIVEN.flatMap((name): RigFile[] => {
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

async function errorsOf(glb: Uint8Array, moments: readonly Moment[]): Promise<PlayerErrors[]> {
  const ours = await pliantPlayer(glb);
  const out: PlayerErrors[] = [];
  for (const [, load] of PLAYERS) {
    const player = await load(glb, moments);
    out.push(await comparePlayers(player, ours, moments));
    player.dispose?.();
  }
  return out;
}

const verbs = { 'as given': undefined, ...EDITING_VERBS, ...MAKING_VERBS };
const rows: EngineRow[] = [];
for (const { name, make, reason } of files) {
  for (const [verb, run] of Object.entries(verbs)) {
    console.error(`${name}: ${verb} …`);
    const given = make();
    const glb = run ? await run(await openGlb(given)) : given;
    // An edited file has the tracks of the given one: Blender blends quaternions by components, which is exact half-way only.
    const moments = momentsOf(verb in MAKING_VERBS ? glb : given);
    const errors = await errorsOf(glb, moments);
    rows.push({ file: name, verb, errors, reason });
    console.error(errors.map(({ atKeys, between }) => `${atKeys} ${between}`).join(' '));
  }
}

const text = `# Other players

${machine()}${blender ? `, ${blender}` : ''}. Written by \`node dist/bench/engines.js --write\`.

Files that Pliant writes, as three.js, Babylon.js${blender ? ' and Blender' : ''} show them, against the positions that Pliant itself reads from
them: the largest distance of a vertex in % of the diagonal, at up to five keys of every clip, and half-way to the next. For verbs
that edit, these are the keys of the given file.

Blender blends quaternions by their components, which is exact half-way between two keys and about 0.1 % off elsewhere, in given files
as in ours. It does not read the tangents of cubic splines.

${engineTables(
  rows,
  PLAYERS.map(([name]) => name),
)}`;
console.log(text);
if (flags.write) writeResults('engines', text);
