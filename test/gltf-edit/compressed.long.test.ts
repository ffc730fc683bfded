import { describe, expect, it } from 'vitest';
import { babylonPlayer } from '../../bench/engines/babylon-player.ts';
import { dracoGlb, meshoptGlb, plainGlb } from '../../bench/engines/compressed.ts';
import { comparePlayers, momentsOf } from '../../bench/engines/moments.ts';
import { pliantPlayer } from '../../bench/engines/pliant-player.ts';
import { RIG_FILES } from '../../bench/engines/rig-files.ts';
import { threePlayer } from '../../bench/engines/three-player.ts';
import { EDITING_VERBS, openGlb } from '../../bench/engines/verbs.ts';
import { jsonOf } from '../io/gltf/fixtures.ts';
import { newIssues } from '../validate-glb.ts';

const MESHOPT = 'EXT_meshopt_compression';
const DRACO = 'KHR_draco_mesh_compression';

/** How many views are compressed by meshopt, and how many primitives by Draco. */
function compressed(glb: Uint8Array): { views: number; primitives: number } {
  const { bufferViews = [], meshes = [] } = jsonOf(glb);
  const primitives = meshes.flatMap((mesh) => mesh.primitives);
  return {
    views: bufferViews.filter(({ extensions }) => extensions?.[MESHOPT]).length,
    primitives: primitives.filter(({ extensions }) => extensions?.[DRACO]).length,
  };
}

const plain = RIG_FILES[0].make();
const FILES = [
  { name: 'meshopt', glb: await meshoptGlb(plain) },
  { name: 'Draco', glb: await dracoGlb(plain) },
];

describe.each(FILES)('a file compressed by $name', ({ glb }) => {
  it.each(Object.entries(EDITING_VERBS))('stays so after %s, and plays alike', async (verb, run) => {
    const after = await run(await openGlb(glb));
    expect(await newIssues(glb, after)).toEqual([]);
    const [was, is] = [compressed(glb), compressed(after)];
    expect(was.views + was.primitives).toBeGreaterThan(0);
    expect(is.primitives).toBe(was.primitives);
    // Replaced at most: joints and weights, inverse binds.
    expect(is.views).toBeGreaterThanOrEqual(was.views - (verb === 'convert' || verb === 'mix' ? 0 : 3));
    const ours = await pliantPlayer(after);
    // Decoded by other code than ours.
    const decoded = await plainGlb(after);
    for (const load of [threePlayer, babylonPlayer]) {
      const player = await load(decoded);
      const { atKeys, between } = await comparePlayers(player, ours, momentsOf(decoded));
      player.dispose?.();
      expect(atKeys, load.name).toBeLessThan(0.01);
      expect(between, load.name).toBeLessThan(0.02);
    }
  });
});
