// What three.js, Babylon.js and Blender show of the files that every verb writes, against our own positions. Blender where it is
// installed (apt-get install blender python3-numpy).
//
//   node dist/bench/engines.js [--only armature] [--write]

import { readFileSync } from 'node:fs';
import { sheet } from '../src/cloth/shapes.ts';
import { clothRun } from '../src/doors/cloth.ts';
import { type FileAccess, memorySource, readAsset, sample, writeModelGlb, writeSequenceGlb } from '../src/index.ts';
import { realData } from './data.ts';
import { babylonPlayer } from './engines/babylon-player.ts';
import { blenderPlayers, blenderVersion, type ShownFile } from './engines/blender-player.ts';
import { dracoGlb, meshoptGlb, plainGlb } from './engines/compressed.ts';
import { type EngineRow, engineTables } from './engines/engines-text.ts';
import { comparePlayers, momentsOf, type PlayerErrors } from './engines/moments.ts';
import type { Player } from './engines/player.ts';
import { pliantPlayer } from './engines/pliant-player.ts';
import { RIG_FILES, type RigFile } from './engines/rig-files.ts';
import { threePlayer } from './engines/three-player.ts';
import { EDITING_VERBS, MAKING_VERBS, openGlb } from './engines/verbs.ts';
import { flags } from './sequences.ts';
import { machine, ROOT, writeResults } from './tables.ts';

/** A file to judge, which may take time to make. */
type BenchFile = Omit<RigFile, 'make'> & { make(): Uint8Array | Promise<Uint8Array> };

const GIVEN = ['CesiumMan', 'Fox', 'RiggedFigure', 'RiggedSimple', 'RobotExpressive'];

/** Files of the data folder. */
function given(path: string, name: string, make: (bytes: Uint8Array) => BenchFile['make']): BenchFile[] {
  const full = realData(path);
  return full ? [{ name, make: make(new Uint8Array(readFileSync(full))) }] : [];
}

/** A rig of another format as a GLB. */
async function rigOf(path: string, bytes: Uint8Array): Promise<Uint8Array> {
  const file: FileAccess = {
    open: async () => memorySource(path, bytes),
    kind: async () => 'file',
    list: async () => [],
  };
  const { models } = await readAsset(file, [path]);
  return (await writeModelGlb(models)).bytes;
}

const files = [
  ...RIG_FILES,
  { name: 'compressed by meshopt', make: () => meshoptGlb(RIG_FILES[0].make()) },
  { name: 'compressed by Draco', make: () => dracoGlb(RIG_FILES[0].make()) },
  ...GIVEN.flatMap((name) => given(`gltf/${name}.glb`, name, (bytes) => () => bytes)),
  ...given('collada/stormtrooper.dae', 'stormtrooper, from COLLADA', (bytes) => () => rigOf('stormtrooper.dae', bytes)),
].filter(({ name }) => name.includes(flags.only));

const blender = blenderVersion();
if (!blender) console.error('blender is not installed: its columns are left out');
type Load = (files: readonly ShownFile[]) => Promise<Player[]>;
const each =
  (load: (glb: Uint8Array) => Player | Promise<Player>): Load =>
  (all) =>
    Promise.all(all.map(({ glb }) => load(glb)));
const PLAYERS: [string, Load][] = [
  ['three.js', each(threePlayer)],
  ['Babylon.js', each(babylonPlayer)],
  ...(blender ? [['Blender', async (all) => blenderPlayers(all, `${ROOT}bench/blender.py`)] as [string, Load]] : []),
];

const SCENE = 'cape on the sample figure';
const verbs = { 'as given': undefined, ...EDITING_VERBS, ...MAKING_VERBS };
const rows: EngineRow[] = [];
for (const { name, make, reason } of files) {
  const before = await make();
  const made: [verb: string, glb: Uint8Array, keysOf: Uint8Array][] = [];
  for (const [verb, run] of Object.entries(verbs)) {
    const glb = run ? await run(await openGlb(before)) : before;
    // An edited file has the tracks of the given one: Blender blends quaternions by components, which is exact half-way only.
    made.push([verb, glb, verb in MAKING_VERBS ? glb : before]);
  }
  await addRows(name, made, reason);
}
if (SCENE.includes(flags.only)) {
  const glb = await wornCape();
  await addRows(SCENE, [['cloth run', glb, glb]]);
}

/** What all players show of a file after each verb. */
async function addRows(
  file: string,
  made: readonly [verb: string, glb: Uint8Array, keysOf: Uint8Array][],
  reason?: string,
): Promise<void> {
  const shown: ShownFile[] = [];
  for (const [, glb, keysOf] of made) {
    shown.push({ glb: await plainGlb(glb), moments: momentsOf(await plainGlb(keysOf)) });
  }
  const ours = await Promise.all(made.map(([, glb]) => pliantPlayer(glb)));
  const errors: PlayerErrors[][] = made.map(() => []);
  for (const [, load] of PLAYERS) {
    for (const [m, player] of (await load(shown)).entries()) {
      errors[m].push(await comparePlayers(player, ours[m], shown[m].moments));
      player.dispose?.();
    }
  }
  for (const [m, [verb]] of made.entries()) {
    rows.push({ file, verb, errors: errors[m], reason });
    console.error(`${file}, ${verb}: ${errors[m].map(({ atKeys, between }) => `${atKeys} ${between}`).join(' ')}`);
  }
}

/** A sheet that hangs on the shoulders of the sample figure, as it walks. */
async function wornCape(): Promise<Uint8Array> {
  const { models } = await sample('figure', { resolution: 2500, frames: 8 });
  const cape = sheet('cape', 240, [0.2, 1.42, -0.16], [-0.4, 0, 0], [0, -0.9, 0]);
  const { sequences } = await clothRun(cape, { body: models[0], clip: 'walk', pinVertices: '0-5', coarseVertices: 60 });
  return (await writeSequenceGlb(sequences)).bytes;
}

const text = `# Other players

${machine()}${blender ? `, ${blender}` : ''}. Written by \`node dist/bench/engines.js --write\`.

Files that Pliant writes, as three.js, Babylon.js${blender ? ' and Blender' : ''} show them, against the positions that Pliant itself reads from
them: the largest distance of a vertex in % of the diagonal, at up to five keys of every clip, and half-way to the next. For verbs
that edit, these are the keys of the given file.

Blender blends quaternions by their components, which is exact half-way between two keys and about 0.1 % off elsewhere, in given files
as in ours. It does not read the tangents of cubic splines. Compressed files are shown after glTF-Transform has decoded them.

${engineTables(
  rows,
  PLAYERS.map(([name]) => name),
)}`;
console.log(text);
if (flags.write) writeResults('engines', text);
