import { describe, expect, it } from 'vitest';
import { jsonOf } from '../../../../bench/engines/glb-file.ts';
import { RIG_FILES } from '../../../../bench/engines/rig-files.ts';
import { EDITING_VERBS, openGlb } from '../../../../bench/engines/verbs.ts';
import { sourceOf } from '../../../../src/io/edit-gltf.ts';
import { gltfWithLight } from '../../../../src/io/edit-light.ts';
import { joined } from '../../../../src/model/bytes.ts';
import type { SkinnedModel } from '../../../../src/model/skinned-model.ts';
import { anyLight, anySamples } from '../../../light/any-light.ts';
import { newIssues } from '../../../validate-glb.ts';

/** What the validator cannot know to be used. */
const isOurs = (issue: string): boolean => issue.startsWith('UNUSED_OBJECT /accessors/');

async function lit(given: Uint8Array, seed = 1, any = anyLight): Promise<{ glb: Uint8Array; models: SkinnedModel[] }> {
  const { models } = await openGlb(given);
  const skinned = models.filter(({ operator }) => operator !== 'rigid');
  const made = skinned.map((model): SkinnedModel => ({ ...model, light: any(model, seed) }));
  const { parts } = await gltfWithLight(sourceOf(models)!, made);
  return { glb: await joined(parts), models: made };
}

const lightOf = async (glb: Uint8Array) =>
  (await openGlb(glb)).models.filter(({ operator }) => operator !== 'rigid').map(({ light }) => light);

const FILES = RIG_FILES.filter(({ name }) => /^armature|two skins|all of it|bind pose|morph/.test(name));

describe('light in a file', () => {
  it.each(FILES)('comes back equal, and nothing else changes: $name', async ({ make }) => {
    const given = make();
    const { glb, models } = await lit(given);
    const asset = await openGlb(glb);
    expect(await lightOf(glb)).toEqual(models.map(({ light }) => light));
    expect(asset.notes.map(({ code }) => code).filter((code) => code.startsWith('light'))).toEqual([]);
    const bare = ({ light: _, origin: __, ...rest }: SkinnedModel) => rest;
    expect(asset.models.map(bare)).toEqual((await openGlb(given)).models.map(bare));
    expect((await newIssues(given, glb)).filter((issue) => !isOurs(issue))).toEqual([]);
  });

  it.each(FILES)('as samples of poses comes back equal too: $name', async ({ make }) => {
    const given = make();
    const { glb, models } = await lit(given, 1, anySamples);
    expect(await lightOf(glb)).toEqual(models.map(({ light }) => light));
    expect((await newIssues(given, glb)).filter((issue) => !isOurs(issue))).toEqual([]);
  });

  it.each(['basis', 'memberOf', 'coefficients', 'scales', 'clusterOf', 'viewMap'])(
    'as samples with %s of something else is left out with a note',
    async (part) => {
      const { glb } = await lit(RIG_FILES[0].make(), 1, anySamples);
      const text = new TextDecoder('latin1').decode(glb);
      const at = text.indexOf(`${part}":`) + part.length + 2;
      const spoilt = glb.slice();
      const [digits] = /\d+/.exec(text.slice(at))!;
      spoilt.set(new TextEncoder().encode('0'.padStart(digits.length)), at);
      const asset = await openGlb(spoilt);
      expect(asset.models[0].light).toBeUndefined();
      expect(asset.notes.some(({ code }) => code === 'light-not-read')).toBe(true);
    },
  );

  const { make } = RIG_FILES[0];

  it('stays with the mesh when another verb edits the file, and says that weights have changed', async () => {
    const { glb, models } = await lit(make());
    const asset = await openGlb(await EDITING_VERBS.mix(await openGlb(glb)));
    expect(asset.models[0].light?.residual).toEqual(models[0].light!.residual);
    expect(asset.models[0].light?.spheres).toEqual(models[0].light!.spheres);
  });

  it('takes the place of light that the file had', async () => {
    const first = await lit(make(), 1);
    const second = await lit(first.glb, 2);
    expect(await lightOf(second.glb)).toEqual(second.models.map(({ light }) => light));
    expect(jsonOf(second.glb).accessors!.length).toBe(jsonOf(first.glb).accessors!.length);
    expect(second.glb.length).toBe(first.glb.length);
  });

  it('can be compressed with the rest', async () => {
    const { models } = await openGlb(make());
    const made = models.map((model): SkinnedModel => ({ ...model, light: anyLight(model) }));
    const { parts } = await gltfWithLight(sourceOf(models)!, made, true);
    expect(await lightOf(await joined(parts))).toEqual(made.map(({ light }) => light));
  });

  it('that is damaged is left out with a note', async () => {
    const { models } = await openGlb(make());
    const made = models.map((model): SkinnedModel => ({ ...model, light: anyLight(model) }));
    const { parts } = await gltfWithLight(sourceOf(models)!, made);
    const glb = await joined(parts);
    // As a tool does that keeps the extension and renumbers accessors.
    const text = new TextDecoder('latin1').decode(glb);
    const at = text.indexOf('"radii":');
    const spoilt = glb.slice();
    spoilt.set(
      new TextEncoder().encode(text.slice(at, at + 12).replace(/\d+/, (index) => '0'.padStart(index.length))),
      at,
    );
    const asset = await openGlb(spoilt);
    expect(asset.models[0].light).toBeUndefined();
    expect(asset.notes.some(({ code }) => code === 'light-not-read')).toBe(true);
  });

  it('of an older version is left out with a note that says so', async () => {
    const { glb } = await lit(make());
    const text = new TextDecoder('latin1').decode(glb);
    const before = '"PLIANT_light":{"version":';
    const old = glb.slice();
    for (let at = text.indexOf(before); at >= 0; at = text.indexOf(before, at + 1)) {
      old.set(new TextEncoder().encode('2'), at + before.length);
    }
    const asset = await openGlb(old);
    expect(asset.models[0].light).toBeUndefined();
    expect(asset.notes.map(({ code }) => code)).toContain('light-outdated');
  });

  it('of other weights is kept with a note', async () => {
    const { models } = await openGlb(make());
    const made = models.map((model): SkinnedModel => {
      const light = anyLight(model);
      return { ...model, light: { ...light, operator: 'dqs', hashes: { ...light.hashes, weights: 'other' } } };
    });
    const { parts } = await gltfWithLight(sourceOf(models)!, made);
    const asset = await openGlb(await joined(parts));
    expect(asset.models[0].light).toBeDefined();
    const codes = asset.notes.map(({ code }) => code);
    expect(codes).toContain('light-changed');
    expect(codes).toContain('light-operator');
  });
});
