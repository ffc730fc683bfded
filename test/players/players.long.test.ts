import { describe, expect, it } from 'vitest';
import { babylonPlayer } from '../../bench/engines/babylon-player.ts';
import { comparePlayers, momentsOf } from '../../bench/engines/moments.ts';
import { pliantPlayer } from '../../bench/engines/pliant-player.ts';
import { threePlayer } from '../../bench/engines/three-player.ts';
import { ALL_FILES, others } from '../gltf-edit/rigs.ts';

const PLAYERS = { 'three.js': threePlayer, 'Babylon.js': babylonPlayer };

describe.each(Object.entries(PLAYERS))(`what we read is what %s shows${others}`, (_, load) => {
  it.each(ALL_FILES)('$name', async ({ make, between: straight = 0.02 }) => {
    const glb = make();
    const player = await load(glb);
    const { atKeys, between } = await comparePlayers(player, await pliantPlayer(glb), momentsOf(glb));
    player.dispose?.();
    expect(atKeys).toBeLessThan(0.003);
    expect(between).toBeLessThan(straight);
  });
});
