import { describe, expect, it } from 'vitest';
import { RigBuilder } from '../../bench/engines/rig-builder.ts';
import { openGlb } from '../../bench/engines/verbs.ts';
import type { Asset } from '../../src/index.ts';
import type { Note } from '../../src/model/note.ts';
import { convert } from '../../src/verbs/convert.ts';
import { fit } from '../../src/verbs/fit.ts';
import { learn } from '../../src/verbs/learn.ts';
import { linearize } from '../../src/verbs/linearize.ts';
import { mix } from '../../src/verbs/mix.ts';
import { skin } from '../../src/verbs/skin.ts';
import { weights } from '../../src/verbs/weights.ts';

/** What a file may hold beside a rig, and the words of the notes by which its loss is told. */
const PARTS: Record<string, { add(rig: RigBuilder): void; told: readonly string[] }> = {
  nothing: { add: () => {}, told: [] },
  'an empty node': { add: ({ json, joints }) => child(json.nodes, joints[3], { name: 'Socket' }), told: ['nodes'] },
  'a camera': {
    add({ json, joints }) {
      json.cameras = [{ type: 'perspective', perspective: { yfov: 0.7, znear: 0.1 } }];
      child(json.nodes, joints[0], { camera: 0 });
    },
    told: ['cameras'],
  },
  'a light': {
    add(rig) {
      rig.json.extensions = { KHR_lights_punctual: { lights: [{ type: 'point' }] } };
      child(rig.json.nodes, rig.joints[0], { extensions: { KHR_lights_punctual: { light: 0 } } });
      rig.use('KHR_lights_punctual');
    },
    told: ['KHR_lights_punctual'],
  },
  'an unknown extension': {
    add(rig) {
      rig.json.extensions = { VRMC_vrm: { humanoid: { humanBones: { hips: { node: rig.joints[0] } } } } };
      rig.use('VRMC_vrm');
    },
    told: ['VRMC_vrm'],
  },
  'another scene': { add: ({ json }) => json.scenes.push({ name: 'Empty', nodes: [] }), told: ['scenes'] },
  'extras of a node': {
    add({ json, joints }) {
      json.nodes[joints[1]].extras = { slot: 'belt' };
    },
    told: ['extras'],
  },
  'a copyright notice': {
    add({ json }) {
      json.asset.copyright = 'somebody';
    },
    told: ['copyright'],
  },
  'a material, used, with extras': {
    add({ json }) {
      json.materials = [{ name: 'Skin', alphaMode: 'BLEND', extras: { shader: 'toon' } }];
      json.meshes[0].primitives[0].material = 0;
    },
    told: [],
  },
  'a material that nothing uses': {
    add({ json }) {
      json.materials = [{ name: 'Nobody uses this' }];
    },
    told: ['materials'],
  },
};

const child = (nodes: RigBuilder['json']['nodes'], parent: number, node: RigBuilder['json']['nodes'][number]): void => {
  (nodes[parent].children ??= []).push(nodes.push(node) - 1);
};

type Notes = Promise<{ report: { notes: readonly Note[] } }>;

/** Verbs that make a new file, each with what is always lost, and what never is. */
const WRITERS: Record<string, { run(asset: Asset): Notes; always?: readonly string[]; never?: string }> = {
  fit: { run: (asset) => fit(asset, { bones: 2, iterations: 1, moves: 0, baseline: false, glb: {} }) },
  learn: { run: (asset) => learn(asset, { points: 2, bones: 2, glb: {} }) },
  skin: { run: (asset) => skin(asset) },
  'convert, every other frame': { run: (asset) => convert(asset, { format: 'glb', frameStep: 2 }) },
  'weights from another skeleton': {
    run: (asset) => weights(asset, { skeleton: asset, method: 'inverse-distance', glb: {} }),
    always: ['clips'],
  },
  'weights, quantized': {
    run: (asset) => weights(asset, { influences: 2, glb: { quantize: true } }),
    never: 'nodes', // Below joints they are bones.
  },
};

/** Verbs that edit the file: they lose nothing. */
const EDITORS: Record<string, { run(asset: Asset): Notes }> = {
  weights: { run: (asset) => weights(asset, { influences: 2, glb: {} }) },
  mix: { run: (asset) => mix(asset, { poses: 2, glb: {} }) },
  linearize: {
    run: (asset) => linearize(asset, { blendBones: 1, trainingFrames: 2, measure: false, glb: {} }),
  },
  convert: { run: (asset) => convert(asset, { format: 'glb' }) },
};

function rigWith(add: (rig: RigBuilder) => void): Promise<Asset> {
  const rig = new RigBuilder({ leaf: false });
  rig.clip('Bend', { keys: 3 });
  add(rig);
  return openGlb(rig.glb());
}

/** Everything that notes of new files name. */
const toldBy = (notes: readonly Note[]): string[] =>
  notes.flatMap((note) => (note.code === 'rebuilt' ? [...note.data.lost, ...note.data.extensions] : []));

const withParts = Object.entries(PARTS).map(([part, each]) => ({ part, ...each }));

describe.each(Object.entries(WRITERS))('%s names what its file does not have', (_, { run, always = [], never }) => {
  it.each(withParts)('of a rig with $part', async ({ add, told }) => {
    const { report } = await run(await rigWith(add));
    const expected = [...always, ...told].filter((name) => name !== never);
    expect(toldBy(report.notes).sort()).toEqual(expected.sort());
  });
});

describe.each(Object.entries(EDITORS))('%s names nothing, since it keeps all', (_, { run }) => {
  it.each(withParts)('of a rig with $part', async ({ add }) => {
    const { report } = await run(await rigWith(add));
    expect(toldBy(report.notes)).toEqual([]);
  });
});

describe('what else is left out is named', () => {
  it('meshes that do not move, or have no bones', async () => {
    const asset = await rigWith((rig) => {
      rig.json.meshes.push({ name: 'Table', ...rig.box([1, 0.1, 1]) });
      rig.node('Table', { mesh: 1 });
    });
    const still = { code: 'left-out-still', about: 'Table' };
    const found = async (run: (asset: Asset) => Notes) => (await run(asset)).report.notes;
    expect(await found(WRITERS.fit.run)).toContainEqual(expect.objectContaining(still));
    expect(await found(WRITERS.learn.run)).toContainEqual(expect.objectContaining(still));
    const unskinned = { code: 'left-out-unskinned', data: { meshes: 1 } };
    expect(await found(WRITERS.skin.run)).toContainEqual(expect.objectContaining(unskinned));
    expect(toldBy(await found(WRITERS['weights, quantized'].run))).toEqual(['meshes']);
    expect(toldBy(await found(WRITERS['convert, every other frame'].run))).toEqual([]);
  });

  it('other clips', async () => {
    const asset = await rigWith((rig) => rig.clip('Twist', { keys: 3 }));
    for (const run of [WRITERS.fit.run, WRITERS.learn.run, WRITERS.skin.run]) {
      const { report } = await run(asset);
      expect(report.notes).toContainEqual(expect.objectContaining({ code: 'more-clips', data: { clips: 1 } }));
    }
  });
});
