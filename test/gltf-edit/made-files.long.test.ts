import { describe, expect, it } from 'vitest';
import { babylonPlayer } from '../../bench/engines/babylon-player.ts';
import { comparePlayers, momentsOf } from '../../bench/engines/moments.ts';
import { pliantPlayer } from '../../bench/engines/pliant-player.ts';
import { RIG_FILES } from '../../bench/engines/rig-files.ts';
import { threePlayer } from '../../bench/engines/three-player.ts';
import { MAKING_VERBS, openGlb } from '../../bench/engines/verbs.ts';
import { jsonOf } from '../io/gltf/fixtures.ts';
import { expectValidGlb } from '../validate-glb.ts';

const FILES = RIG_FILES.filter(({ name }) => /scale 0.01|z up|two skins|sword|every texture|morph/.test(name));

describe.each(Object.entries(MAKING_VERBS))('%s makes a new file', (_, verb) => {
  it.each(FILES)('valid, with rigid joints at rest, and alike in all players: $name', async ({ make }) => {
    const glb = await verb(await openGlb(make()));
    await expectValidGlb(glb);
    // Armatures of Blender, Maya and Unreal have no scale at rest.
    const { nodes = [], skins = [] } = jsonOf(glb);
    const joints = skins.flatMap((skin) => skin.joints.map((joint) => nodes[joint]));
    expect(joints.filter(({ scale, matrix }) => matrix || scale?.some((s) => Math.abs(s - 1) > 1e-6))).toEqual([]);
    const moments = momentsOf(glb);
    const ours = await pliantPlayer(glb);
    for (const load of [threePlayer, babylonPlayer]) {
      const player = await load(glb);
      const { atKeys, between } = await comparePlayers(player, ours, moments);
      player.dispose?.();
      expect(atKeys, load.name).toBeLessThan(0.01);
      expect(between, load.name).toBeLessThan(0.02);
    }
  });
});
