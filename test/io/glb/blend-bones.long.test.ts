import { describe, expect, it } from 'vitest';
import { writeModelGlb } from '../../../src/io/write-glb.ts';
import type { SkinnedModel } from '../../../src/model/skinned-model.ts';
import { linearize } from '../../../src/rig/linearize/linearize.ts';
import { codesOf } from '../../notes.ts';
import { smallSample } from '../../rig/linearize-rigs.ts';
import { expectValidGlb } from '../../validate-glb.ts';
import { readGlb } from '../gltf/fixtures.ts';

const tube = await smallSample('tube', 100, 3);
const linearized = async (operator: 'dqs' | 'sdqs' | 'dib'): Promise<SkinnedModel> =>
  (await linearize(tube, { operator, blendBones: 2, measure: false, keys: 'given' })).model;

async function readBack(bytes: Uint8Array) {
  const asset = await readGlb(bytes);
  return { model: asset.models[0], notes: asset.notes };
}

/** The JSON of a GLB, changed by hand. */
function withJson(bytes: Uint8Array, change: (json: { nodes: Record<string, unknown>[] }) => void): Uint8Array {
  const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(12, true);
  const json = JSON.parse(new TextDecoder().decode(bytes.subarray(20, 20 + length)));
  change(json);
  const text = JSON.stringify(json);
  const padded = new TextEncoder().encode(text.padEnd(Math.ceil(new TextEncoder().encode(text).length / 4) * 4));
  const out = new Uint8Array(20 + padded.length + bytes.length - 20 - length);
  out.set(bytes.subarray(0, 20));
  out.set(padded, 20);
  out.set(bytes.subarray(20 + length), 20 + padded.length);
  const view = new DataView(out.buffer);
  view.setUint32(8, out.length, true);
  view.setUint32(12, padded.length, true);
  return out;
}

describe('PLIANT_blend_bone', () => {
  it.each(['dqs', 'sdqs', 'dib'] as const)('%s: written and read back equal, and valid', async (operator) => {
    const model = await linearized(operator);
    const { bytes } = await writeModelGlb(model);
    await expectValidGlb(bytes);
    const { model: back, notes } = await readBack(bytes);
    expect(notes).toEqual([]);
    const named = ({ skeleton, blendBones }: SkinnedModel) => ({
      ...blendBones,
      bones: blendBones!.bones.map(({ bone, masters, weights }) => ({
        bone: skeleton.names[bone],
        masters: Array.from(masters, (j) => skeleton.names[j]),
        weights: Array.from(weights),
      })),
    });
    expect(named(back)).toEqual(named(model));
    expect(back.clips[0].times).toHaveLength(model.clips[0].times.length);
  });

  it('is on the nodes of blend bones only, and names joints by their place in the skin', async () => {
    const model = await linearized('sdqs');
    const { bytes } = await writeModelGlb(model);
    let seen = 0;
    withJson(bytes, (json) => {
      const { extensionsUsed, skins } = json as unknown as { extensionsUsed: string[]; skins: { joints: number[] }[] };
      expect(extensionsUsed).toContain('PLIANT_blend_bone');
      for (const [n, node] of json.nodes.entries()) {
        const extension = (node.extensions as Record<string, { joints: number[]; weights: number[] }>)
          ?.PLIANT_blend_bone;
        if (!extension) continue;
        const bone = skins[0].joints.indexOf(n);
        const blend = model.blendBones!.bones[seen++];
        expect(bone).toBe(blend.bone);
        expect(extension).toEqual({
          operator: 'sdqs',
          joints: Array.from(blend.masters),
          weights: Array.from(blend.weights),
        });
      }
    });
    expect(seen).toBe(2);
  });

  it('that was damaged is left out with a note, and the rest is read', async () => {
    const { bytes } = await writeModelGlb(await linearized('dqs'));
    const damages: unknown[] = [
      null,
      { operator: 'lbs', joints: [0, 1], weights: [0.5, 0.5] },
      { operator: 'dqs', joints: [0, 99], weights: [0.5, 0.5] },
      { operator: 'dqs', joints: [0], weights: [0.5, 0.5] },
      { operator: 'dqs', joints: [0, 1], weights: [0.2, 0.2] },
      { operator: 'dqs', joints: [0, 1], weights: ['a', 'b'] },
      { operator: 'dqs', joints: [], weights: [] },
    ];
    for (const damage of damages) {
      let left = 1;
      const damaged = withJson(bytes, (json) => {
        for (const node of [...json.nodes].reverse()) {
          if (node.extensions && left-- > 0) (node.extensions as Record<string, unknown>).PLIANT_blend_bone = damage;
        }
      });
      const { model, notes } = await readBack(damaged);
      expect(model.blendBones?.bones ?? []).toHaveLength(1);
      expect(codesOf(notes)).toContain('extension-damaged');
    }
  });
});
