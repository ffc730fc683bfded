// What three.js, Babylon.js and Blender show of the files that every verb writes, against our own positions. Blender where it is
// installed (apt-get install blender python3-numpy).
//
//   node dist/bench/engines.js [--only armature] [--write]

import { readFileSync } from 'node:fs';
import { convert, type FileAccess, memorySource, readAsset, writeModelGlb } from '../src/index.ts';
import { realData } from './data.ts';
import { babylonPlayer } from './engines/babylon-player.ts';
import { blenderPlayers, blenderVersion, type ShownFile } from './engines/blender-player.ts';
import { dracoGlb, meshoptGlb, plainGlb } from './engines/compressed.ts';
import { type EngineRow, engineTables } from './engines/engines-text.ts';
import { comparePlayers, momentsOf, type PlayerErrors } from './engines/moments.ts';
import { movedPlayer, withMovedArmature } from './engines/moved-armature.ts';
import type { Player } from './engines/player.ts';
import { pliantPlayer } from './engines/pliant-player.ts';
import { RIG_FILES, type RigFile } from './engines/rig-files.ts';
import { SCENES } from './engines/scenes.ts';
import { threePlayer } from './engines/three-player.ts';
import { EDITING_VERBS, LEVEL_FILES, MAKING_VERBS, openGlb } from './engines/verbs.ts';
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

const verbs = { 'as given': undefined, ...EDITING_VERBS, ...LEVEL_FILES, ...MAKING_VERBS };
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
  if (reason) {
    const edited = made.filter(([verb]) => verb in EDITING_VERBS);
    await addRows(
      name,
      await Promise.all(
        edited.map(async ([verb, glb]) => [`${verb}, then linear keys`, await linearKeys(glb), before]),
      ),
    );
  }
  const linearized = made.find(([verb]) => verb === 'linearize')![1];
  if (!reason) await addMovedRow(name, linearized, before);
}
for (const { file, verb, make } of SCENES) {
  if (!file.includes(flags.only)) continue;
  const glb = await make();
  await addRows(file, [[verb, glb, glb]]);
}

/** As Blender plays it as well. */
async function linearKeys(glb: Uint8Array): Promise<Uint8Array> {
  return (await convert(await openGlb(glb), { format: 'glb', linearKeys: 0.01 })).file!;
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
  const errors = await errorsOf(shown, ours);
  for (const [m, [verb]] of made.entries()) addRow({ file, verb, errors: errors[m], reason });
}

/** Whether a linearized character follows its armature: the same as without the move, moved as a whole. */
async function addMovedRow(file: string, linearized: Uint8Array, keysOf: Uint8Array): Promise<void> {
  const glb = await plainGlb(linearized);
  const moved = withMovedArmature(glb);
  if (!moved) return;
  const shown = { glb: moved, unmoved: glb, moments: momentsOf(await plainGlb(keysOf)) };
  const [errors] = await errorsOf([shown], [movedPlayer(await pliantPlayer(glb))]);
  addRow({ file, verb: 'linearize, then the armature is moved', errors });
}

/** File → player → how far it is from ours. */
async function errorsOf(shown: readonly ShownFile[], ours: readonly Player[]): Promise<PlayerErrors[][]> {
  const errors: PlayerErrors[][] = shown.map(() => []);
  for (const [, load] of PLAYERS) {
    for (const [m, player] of (await load(shown)).entries()) {
      errors[m].push(await comparePlayers(player, ours[m], shown[m].moments));
      player.dispose?.();
    }
  }
  return errors;
}

function addRow(row: EngineRow): void {
  rows.push(row);
  console.error(`${row.file}, ${row.verb}: ${row.errors.map((each) => `${each?.atKeys} ${each?.between}`).join(' ')}`);
}

const text = `# Other players

${machine()}${blender ? `, ${blender}` : ''}. Written by \`node dist/bench/engines.js --write\`.

Files that Pliant writes, as three.js, Babylon.js${blender ? ' and Blender' : ''} show them, against the positions that Pliant itself reads from
them: the largest distance of a vertex in % of the diagonal, at up to five keys of every clip, and half-way to the next. For verbs
that edit, these are the keys of the given file.

Blender blends quaternions by their components, which is exact half-way between two keys and up to 0.2 % off elsewhere, in given files
as in ours. It does not read the tangents of cubic splines: \`convert --linear-keys\` writes files without. Moved armatures are compared
with the same file unmoved; in Blender, the armature of the unmoved file is moved after importing it. Compressed files are shown
after glTF-Transform has decoded them.

${engineTables(
  rows,
  PLAYERS.map(([name]) => name),
)}`;
console.log(text);
if (flags.write) writeResults('engines', text);
