import type { GLTF } from '@gltf-transform/core';
import { describe, expect, it } from 'vitest';
import { dracoGlb } from '../../../../bench/engines/compressed.ts';
import { editGltf, packedParts } from '../../../../src/io/edit-gltf.ts';
import { writeModelGlb } from '../../../../src/io/write-glb.ts';
import { invert34 } from '../../../../src/math/matrix34.ts';
import { seededRandom } from '../../../../src/math/rng.ts';
import { skinTransforms, worldMatrices } from '../../../../src/math/trs.ts';
import { diagonalOf } from '../../../../src/mesh/bounds.ts';
import { expandToSplit } from '../../../../src/mesh/seams.ts';
import { joined } from '../../../../src/model/bytes.ts';
import type { GltfSource } from '../../../../src/model/gltf-source.ts';
import { largestWeights } from '../../../../src/model/influences.ts';
import { type Mesh, vertexCount } from '../../../../src/model/mesh.ts';
import { note } from '../../../../src/model/note.ts';
import { boneCount, type Clip, LOCAL_STRIDE, MATRIX_STRIDE } from '../../../../src/model/skeleton.ts';
import type { SkinnedModel } from '../../../../src/model/skinned-model.ts';
import { morphWeightsAt, poseAt, restClip } from '../../../../src/skin/poses.ts';
import { convert } from '../../../../src/verbs/convert.ts';
import { weights } from '../../../../src/verbs/weights.ts';
import { codesOf } from '../../../notes.ts';
import { expectValidGlb } from '../../../validate-glb.ts';
import { Bin, binOf, jsonOf, largestDistance, morphedTube, naiveLbs, PNG, readGlb } from '../fixtures.ts';
import { Wild } from '../wild.ts';
import { WILD_FILES } from '../wild-files.ts';
import { rig, TIMES } from '../wild-rig.ts';

const packed = async (source: GltfSource): Promise<Uint8Array> => joined(await packedParts(source));

async function wildBytes({ make, edit }: Pick<(typeof WILD_FILES)[number], 'make' | 'edit'>): Promise<Uint8Array> {
  const wild = new Wild();
  make(wild);
  return wild.bytes(edit);
}

/** The model with other weights, on bones that were no joints too, and a bone more that moves in every clip. */
function changed(model: SkinnedModel, seed: number): SkinnedModel {
  const random = seededRandom(seed);
  const { skeleton } = model;
  const b = boneCount(skeleton);
  const dense = Float64Array.from({ length: vertexCount(model.mesh) * (b + 1) }, () => random());
  const longer = (values: Float32Array, add: readonly number[]) => Float32Array.from([...values, ...add]);
  const restLocals = longer(skeleton.restLocals, [0.1, 0.2, 0.3, 0, 0, 0, 1, 1, 1, 1]);
  const parents = Int32Array.from([...skeleton.parents, 0]);
  const inverse = new Float64Array(MATRIX_STRIDE);
  invert34(inverse, 0, worldMatrices(parents, restLocals), MATRIX_STRIDE * b);
  const inverseBind = longer(skeleton.inverseBind, Array.from(inverse));
  const more = { names: [...skeleton.names, skeleton.names[0]], parents, restLocals, inverseBind };
  const clips = model.clips.map((clip): Clip => {
    const locals = new Float32Array(LOCAL_STRIDE * (b + 1) * clip.times.length);
    for (let k = 0; k < clip.times.length; k++) {
      locals.set(clip.locals!.subarray(LOCAL_STRIDE * b * k, LOCAL_STRIDE * b * (k + 1)), LOCAL_STRIDE * (b + 1) * k);
      locals.set([random(), random(), 0.3, 0, 0, 0, 1, 1, 1, 1], LOCAL_STRIDE * ((b + 1) * k + b));
    }
    return { ...clip, locals, transforms: skinTransforms(parents, inverseBind, locals) };
  });
  return { ...model, skeleton: more, clips, weights: largestWeights(dense, b + 1, 3), operator: 'lbs' };
}

/** The mesh with its triangles turned so that the smallest corner is first: compression may turn them. */
function turned(mesh: Mesh): Mesh {
  const turn = (corners: Uint32Array): Uint32Array => {
    const rows = Array.from({ length: corners.length / 3 }, (_, f) => Array.from(corners.subarray(3 * f, 3 * f + 3)));
    const from = (row: number[]) => row.indexOf(Math.min(...row));
    return Uint32Array.from(rows.flatMap((row) => [...row.slice(from(row)), ...row.slice(0, from(row))]));
  };
  const { seams } = mesh;
  return {
    ...mesh,
    triangles: turn(mesh.triangles),
    ...(seams && { seams: { ...seams, triangles: turn(seams.triangles) } }),
  };
}

/** 3W positions at a time of a clip. */
function positionsAt(model: SkinnedModel, clipName: string, t: number): Float32Array {
  const clip = model.clips.find(({ name }) => name === clipName) ?? restClip(model.skeleton, clipName);
  const positions = naiveLbs(model, poseAt(model.skeleton, clip, t), morphWeightsAt(clip, t));
  return model.mesh.seams ? expandToSplit(positions, 3, model.mesh.seams) : positions;
}

/** The largest distance at keys and between, as a fraction of the diagonal. */
function difference(got: SkinnedModel, expected: SkinnedModel): number {
  const clips = expected.clips.length > 0 ? expected.clips : [restClip(expected.skeleton, 'rest')];
  const distances = clips.flatMap(({ name, times }) => {
    // A step is from one float32 to the next: there is nothing half-way.
    const between = Array.from(times.subarray(1), (t, k) => (t - times[k] > 1e-3 ? (t + times[k]) / 2 : t));
    return [...times, ...between].map((t) =>
      largestDistance(positionsAt(got, name, t), positionsAt(expected, name, t)),
    );
  });
  return Math.max(...distances) / diagonalOf(expected.mesh.positions);
}

/** What an edit may touch, taken out: the rest must be equal. */
function untouched(glb: Uint8Array, { nodes: n, skins: s }: { nodes: number; skins: number }): GLTF.IGLTF {
  const {
    buffers: _,
    bufferViews: __,
    accessors: ___,
    animations,
    skins,
    nodes = [],
    meshes,
    scenes,
    ...rest
  } = jsonOf(glb);
  const without = <T extends object>(of: T, ...keys: string[]): T =>
    Object.fromEntries(Object.entries(of).filter(([key]) => !keys.includes(key))) as T;
  return {
    ...rest,
    nodes: nodes.slice(0, n).map((node) => without(node, 'children', 'skin', 'mesh')),
    skins: (skins ?? [])
      .slice(0, s)
      .map((skin) => without(skin, 'joints', 'inverseBindMatrices', 'skeleton')) as GLTF.ISkin[],
    animations: animations?.map(({ name }) => ({ name })) as GLTF.IAnimation[],
    meshes: meshes?.slice(0, 0),
    scenes: scenes?.map((scene) => without(scene, 'nodes')),
  };
}

describe('files as exporters write them', () => {
  it.each(WILD_FILES)('packed without a change, are the same: $name', async (file) => {
    const bytes = await wildBytes(file);
    const glb = await packed((await readGlb(bytes)).source!);
    expect(jsonOf(glb)).toEqual(jsonOf(bytes));
    expect(binOf(glb)).toEqual(binOf(bytes));
  });

  it.each(WILD_FILES)('edited, are what the models are, and else what they were: $name', async (file) => {
    const bytes = await wildBytes(file);
    const { models, ...before } = await readGlb(bytes);
    if (models.length === 0) return;
    const edited = models.map(changed);
    const { bytes: written } = await editGltf(edited, { weights: 'float' });
    const after = await readGlb(written);
    expect(after.models.map(({ name }) => name)).toEqual(models.map(({ name }) => name));
    for (const [m, model] of after.models.entries()) {
      expect(difference(model, edited[m]), model.name).toBeLessThan(file.tolerance ?? 2e-5);
    }
    expect(after.meshes).toEqual(before.meshes);
    const [was, is] = [jsonOf(bytes), jsonOf(written)];
    const counts = { nodes: was.nodes!.length, skins: was.skins?.length ?? 0 };
    expect(untouched(written, counts)).toEqual(untouched(bytes, counts));
    for (const [n, { children = [] }] of was.nodes!.entries()) {
      expect(is.nodes![n].children?.slice(0, children.length) ?? []).toEqual(children);
    }
  });
});

describe('an edited file', () => {
  const oneRig = () => wildBytes({ make: (wild) => wild.dance('dance', rig(wild).joints, TIMES) });

  it('is valid', async () => {
    const { models } = await readGlb(await oneRig());
    await expectValidGlb((await editGltf(models.map(changed))).bytes);
  });

  it.each(WILD_FILES)('can be compressed, without loss: $name', async (file) => {
    const { models, sequences, meshes, source } = await readGlb(await wildBytes(file));
    const after = await readGlb(await joined(await packedParts(source!, true)));
    const bare = ({ origin: _, ...model }: SkinnedModel) => ({ ...model, mesh: turned(model.mesh) });
    expect(after.models.map(bare)).toEqual(models.map(bare));
    expect(after.meshes.map(turned)).toEqual(meshes.map(turned));
    expect(after.sequences.map(({ rest }) => turned(rest))).toEqual(sequences.map(({ rest }) => turned(rest)));
  });

  it('is the file where nothing changed', async () => {
    const bytes = await oneRig();
    const { models } = await readGlb(bytes);
    const copy = models.map((model) => ({ ...model, weights: structuredClone(model.weights) }));
    expect((await editGltf(copy)).bytes).toEqual(await packed(models[0].origin!.source));
  });

  it('does not grow by what it replaces', async () => {
    const bytes = await oneRig();
    const { models } = await readGlb(bytes);
    const size = async (of: SkinnedModel[], weights: 'float' | 'u8') =>
      binOf((await editGltf(of, { weights })).bytes).length;
    const again = await readGlb((await editGltf(models, { weights: 'float' })).bytes);
    expect(await size(again.models, 'float')).toBe(await size(models, 'float'));
    expect(await size(again.models, 'u8')).toBe(await size(models, 'u8'));
  });

  it('keeps every byte and index beside extensions that it does not know', async () => {
    const bytes = await wildBytes({
      make: (wild) => wild.dance('dance', rig(wild).joints, TIMES),
      edit: (json) => {
        json.extensionsUsed = ['ACME_physics'];
        json.extensions = { ACME_physics: { shape: { accessor: 0 }, node: 2 } };
      },
    });
    const { models } = await readGlb(bytes);
    const { bytes: written } = await editGltf(models.map(changed));
    const [was, is] = [jsonOf(bytes), jsonOf(written)];
    expect(is.extensions).toEqual(was.extensions);
    expect(is.accessors!.slice(0, was.accessors!.length)).toEqual(was.accessors);
    expect(is.bufferViews!.slice(0, was.bufferViews!.length)).toEqual(was.bufferViews);
    expect(binOf(written).subarray(0, binOf(bytes).length)).toEqual(binOf(bytes));
  });
});

describe('a file that Pliant wrote', () => {
  it.each([{}, { quantize: true }, { quantize: true, compress: 'meshopt', reorder: true }] as const)(
    'with %o is edited too',
    async (options) => {
      const { bytes } = await writeModelGlb(morphedTube(), options);
      const edited = (await readGlb(bytes)).models.map(changed);
      const { bytes: written } = await editGltf(edited, { weights: 'float' });
      await expectValidGlb(written);
      expect(difference((await readGlb(written)).models[0], edited[0])).toBeLessThan(2e-5);
    },
  );
});

describe('a Draco file', () => {
  it('stays compressed but for the weights that change', async () => {
    const bytes = await dracoGlb(await wildBytes({ make: (wild) => wild.dance('dance', rig(wild).joints, TIMES) }));
    const edited = (await readGlb(bytes)).models.map(changed);
    const { bytes: written } = await editGltf(edited, { weights: 'float' });
    const [model] = (await readGlb(written)).models;
    expect(difference(model, edited[0])).toBeLessThan(2e-5);
    const dracoOf = (glb: Uint8Array) =>
      jsonOf(glb).meshes![0].primitives[0].extensions!.KHR_draco_mesh_compression as { attributes: object };
    expect(Object.keys(dracoOf(bytes).attributes)).toContain('WEIGHTS_0');
    expect(Object.keys(dracoOf(written).attributes)).toEqual(['POSITION']);
  });
});

describe('a .gltf with its files', () => {
  it('becomes one GLB: buffers, data URIs and pictures', async () => {
    const bin = new Bin();
    const position = bin.add('VEC3', Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0), { min: [0, 0, 0], max: [1, 1, 0] });
    const { bufferViews, accessors } = bin;
    const data = (bytes: Uint8Array, type: string) => `data:${type};base64,${Buffer.from(bytes).toString('base64')}`;
    const json = {
      asset: { version: '2.0', generator: 'test' },
      extras: { kept: [1, 'two'] },
      buffers: [
        { uri: data(new Uint8Array(6), 'application/octet-stream'), byteLength: 6, name: 'first' },
        { uri: 'mesh.bin', byteLength: bin.data().length },
      ],
      bufferViews: [{ buffer: 0, byteLength: 6 }, ...bufferViews.map((view) => ({ ...view, buffer: 1 }))],
      accessors: accessors.map((accessor) => ({ ...accessor, bufferView: 1 })),
      images: [
        { uri: 'a.png' },
        { uri: data(PNG, 'image/png'), name: 'b' },
        { uri: 'missing.png' },
        { uri: 'data:;base64,%' },
      ],
      textures: [{ source: 0 }, { source: 1 }],
      materials: [{ pbrMetallicRoughness: { baseColorTexture: { index: 0 } } }],
      meshes: [{ primitives: [{ attributes: { POSITION: position }, material: 0 }] }],
      nodes: [{ mesh: 0, name: 'triangle' }],
      scenes: [{ nodes: [0] }],
    };
    const files = { 'folder/mesh.bin': bin.data(), 'folder/a.png': PNG };
    const text = new TextEncoder().encode(JSON.stringify(json));
    const asset = await readGlb(text, files, 'folder/file.gltf');
    const glb = await packed(asset.source!);
    const { images, buffers, bufferViews: views, ...rest } = jsonOf(glb);
    expect(rest).toEqual({ ...rest, extras: json.extras, textures: json.textures, nodes: json.nodes });
    expect(buffers).toEqual([{ name: 'first', byteLength: expect.closeTo(binOf(glb).length, -1) }]);
    const pictures = images!.map(({ bufferView }) => {
      if (bufferView === undefined) return undefined;
      const { byteOffset = 0, byteLength } = views![bufferView];
      return binOf(glb).slice(byteOffset, byteOffset + byteLength);
    });
    expect(pictures).toEqual([PNG, PNG, undefined, undefined]);
    expect(images!.slice(2)).toEqual(json.images.slice(2));
    expect((await readGlb(glb)).meshes[0].positions).toEqual(asset.meshes[0].positions);
  });

  it('is refused where the models are not of one file', async () => {
    const glb = await wildBytes({ make: (wild) => wild.dance('dance', rig(wild).joints, TIMES) });
    const [a, b] = await Promise.all([readGlb(glb), readGlb(glb)]);
    await expect(editGltf([...a.models, ...b.models])).rejects.toMatchObject({ code: 'bad-input' });
  });
});

describe('verbs on a glTF file', () => {
  const sceneBytes = () =>
    wildBytes({
      make(wild) {
        wild.dance('dance', rig(wild).joints, TIMES);
        wild.node('table').setMesh(wild.mesh('table'));
      },
      edit(json) {
        json.cameras = [{ type: 'perspective', perspective: { yfov: 1, znear: 0.1 } }];
        json.nodes!.push({ name: 'eye', camera: 0, extras: { of: 'storm' } });
        json.scenes![0].nodes!.push(json.nodes!.length - 1);
        json.extensionsUsed = ['ACME_physics'];
        json.nodes![0].extensions = { ACME_physics: { mass: 3 } };
      },
    });

  it('convert packs it where nothing else is asked for', async () => {
    const asset = await readGlb(await sceneBytes());
    const { file, report } = await convert(asset, { format: 'glb', glb: {} });
    expect(file).toEqual(await packed(asset.source!));
    expect(report.parts.map(({ name }) => name)).toEqual(['body', 'table']);
    expect(report.clips).toMatchObject([{ name: 'dance', part: 'body' }]);
    for (const asked of [{ clip: 'dance' }, { frameStep: 2 }, { glb: { quantize: true } }] as const) {
      const { file: none, sequences } = await convert(asset, { format: 'glb', ...asked });
      expect([none, sequences.length]).toEqual([undefined, 2]);
    }
  });

  it('weights adds clips of other files as animations, also to nodes with a matrix', async () => {
    const other = await readGlb(
      await wildBytes({ make: (wild) => wild.dance('jump', rig(wild).joints, [0, 0.5, 0.75, 2]) }),
    );
    const bytes = await wildBytes({
      make: (wild) => wild.dance('dance', rig(wild).joints.slice(0, 1), TIMES),
      edit: ({ nodes = [] }) => {
        const joint = nodes.find(({ name }) => name === 'joint1')!;
        joint.matrix = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, ...joint.translation!, 1];
        delete joint.translation;
      },
    });
    const { models, file } = await weights(await readGlb(bytes), { clips: [other], glb: { weights: 'float' } });
    await expectValidGlb(file!);
    const [is, was] = [jsonOf(file!), jsonOf(bytes)];
    expect(is.animations!.map(({ name }) => name)).toEqual(['dance', 'jump']);
    expect(is.animations![0]).toEqual(was.animations![0]);
    expect(difference((await readGlb(file!)).models[0], models[0])).toBeLessThan(2e-5);
  });

  it('weights edits it, or says what a new file does not have', async () => {
    const bytes = await sceneBytes();
    const asset = await readGlb(bytes);
    asset.notes = [note('weights-normalised', { vertices: 1 }, 'body'), note('frames-added', {})];
    const edited = await weights(asset, { influences: 1, glb: {} });
    expect(jsonOf(edited.file!)).toMatchObject({ cameras: jsonOf(bytes).cameras, nodes: jsonOf(bytes).nodes });
    expect(codesOf(edited.report.notes)).toEqual(['weights-normalised']);
    const kept = await weights(asset, { influences: 8, glb: {} });
    expect([kept.file, codesOf(kept.report.notes)]).toEqual([await packed(asset.source!), []]);
    const rebuilt = await weights(asset, { influences: 1, glb: { quantize: true } });
    expect(rebuilt.report.notes).toContainEqual(
      note('rebuilt', { lost: ['meshes', 'cameras', 'extras'], extensions: ['ACME_physics'] }),
    );
  });
});
