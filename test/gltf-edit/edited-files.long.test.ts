import { describe, expect, it } from 'vitest';
import { babylonPlayer } from '../../bench/engines/babylon-player.ts';
import { comparePlayers, momentsOf } from '../../bench/engines/moments.ts';
import { pliantPlayer } from '../../bench/engines/pliant-player.ts';
import { threePlayer } from '../../bench/engines/three-player.ts';
import { EDITING_VERBS, openGlb } from '../../bench/engines/verbs.ts';
import { jsonOf } from '../io/gltf/fixtures.ts';
import { newIssues } from '../validate-glb.ts';
import { ALLOWED } from './allowed.ts';
import { compareGltf, unexpected } from './compare-gltf.ts';
import { ALL_FILES, others } from './rigs.ts';

/** Files with a skin, each read and edited once. */
const RIGS = ALL_FILES.filter(({ make }) => jsonOf(make()).skins);

/** Where a file is played: of many clips at the ends of each and once between. */
const played = (glb: Uint8Array) => momentsOf(glb, (jsonOf(glb).animations ?? []).length > 4 ? 2 : 5);

describe.each(Object.keys(EDITING_VERBS) as (keyof typeof EDITING_VERBS)[])(
  `%s edits the given file${others}`,
  (verb) => {
    describe.each(RIGS)('$name', ({ make, between: straight = 0.02 }) => {
      const before = make();
      let edited: Promise<Uint8Array> | undefined;
      const output = () => (edited ??= openGlb(before).then(EDITING_VERBS[verb]));

      it('changes nothing else', async () => {
        expect(unexpected(compareGltf(before, await output()), ALLOWED[verb])).toEqual([]);
      });

      it('passes the validator as before', async () => {
        expect(await newIssues(before, await output())).toEqual([]);
      });

      it('plays alike in three.js and Babylon.js, at keys and between', async () => {
        const glb = await output();
        const moments = played(glb);
        const ours = await pliantPlayer(glb);
        for (const load of [threePlayer, babylonPlayer]) {
          const player = await load(glb);
          const { atKeys, between } = await comparePlayers(player, ours, moments);
          player.dispose?.();
          expect(atKeys, load.name).toBeLessThan(0.01);
          expect(between, load.name).toBeLessThan(straight);
        }
      });

      it('leaves in place what it does not move', async () => {
        const [given, found] = [await pliantPlayer(before), await pliantPlayer(await output())];
        const skinned = jsonOf(before).nodes!.map(({ skin }) => skin !== undefined);
        for (const moment of [undefined, ...played(before)]) {
          const expected = await given.positions(moment?.clip, moment?.time);
          const positions = await found.positions(moment?.clip, moment?.time);
          expect([...positions.keys()].sort()).toEqual([...expected.keys()].sort());
          for (const [node, where] of expected) {
            if (skinned[node] && verb !== 'mix' && verb !== 'convert') continue;
            const size = Math.max(...where.map(Math.abs));
            expect(largestDifference(positions.get(node)!, where) / size).toBeLessThan(1e-4);
          }
        }
      });
    });
  },
);

function largestDifference(a: Float32Array, b: Float32Array): number {
  if (a.length !== b.length) return Number.POSITIVE_INFINITY;
  return a.reduce((most, x, c) => Math.max(most, Math.abs(x - b[c])), 0);
}
