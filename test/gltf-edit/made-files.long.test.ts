import { describe, expect, it } from 'vitest';
import { babylonPlayer } from '../../bench/engines/babylon-player.ts';
import { comparePlayers, momentsOf } from '../../bench/engines/moments.ts';
import { pliantPlayer } from '../../bench/engines/pliant-player.ts';
import { RIG_FILES } from '../../bench/engines/rig-files.ts';
import { threePlayer } from '../../bench/engines/three-player.ts';
import { MAKING_VERBS, openGlb } from '../../bench/engines/verbs.ts';
import { writeSequenceGlb } from '../../src/io/write-glb.ts';
import { sample } from '../../src/verbs/sample.ts';
import { jsonOf } from '../io/gltf/fixtures.ts';
import { expectValidGlb } from '../validate-glb.ts';

/** What only our predictor refers to, the validator cannot know to be used. */
function predictorData(glb: Uint8Array): string[] {
  const predictor = jsonOf(glb).extensions?.PLIANT_predictor as { accessor: number } | undefined;
  return predictor ? [`/accessors/${predictor.accessor}`] : [];
}

async function expectAlike(glb: Uint8Array): Promise<void> {
  const moments = momentsOf(glb);
  const ours = await pliantPlayer(glb);
  for (const load of [threePlayer, babylonPlayer]) {
    const player = await load(glb);
    const { atKeys, between } = await comparePlayers(player, ours, moments);
    player.dispose?.();
    expect(atKeys, load.name).toBeLessThan(0.01);
    expect(between, load.name).toBeLessThan(0.02);
  }
}

const FILES = RIG_FILES.filter(({ name }) => /scale 0.01|z up|two skins|sword|every texture|morph/.test(name));

describe.each(Object.entries(MAKING_VERBS))('%s makes a new file', (_, verb) => {
  it.each(FILES)('valid, with rigid joints at rest, and alike in all players: $name', async ({ make }) => {
    const glb = await verb(await openGlb(make()));
    await expectValidGlb(glb, predictorData(glb));
    // Armatures of Blender, Maya and Unreal have no scale at rest.
    const { nodes = [], skins = [] } = jsonOf(glb);
    const joints = skins.flatMap((skin) => skin.joints.map((joint) => nodes[joint]));
    expect(joints.filter(({ scale, matrix }) => matrix || scale?.some((s) => Math.abs(s - 1) > 1e-6))).toEqual([]);
    await expectAlike(glb);
  });
});

describe('sample makes a new file', () => {
  it.each(['tube', 'box'])('valid, and alike in all players: %s', async (name) => {
    const { file, sequences } = await sample(name, { glb: {} });
    const glb = file ?? (await writeSequenceGlb(sequences)).bytes;
    await expectValidGlb(glb);
    await expectAlike(glb);
  });
});
