import { describe, expect, it } from 'vitest';
import { openGlb } from '../../bench/engines/verbs.ts';
import { imagesOfGlb } from '../../src/io/edit-images.ts';
import { readImageFiles } from '../../src/io/geometry-images.ts';
import { IMAGES_EXTENSION } from '../../src/io/gltf/extension-names.ts';
import { writeMeshGlb, writeModelGlb } from '../../src/io/write-glb.ts';
import { baseComplex } from '../../src/lod/images/base-complex.ts';
import { Stitcher, stitchedMesh, stitchedPositions } from '../../src/lod/images/stitch.ts';
import { boundsOf } from '../../src/mesh/bounds.ts';
import { validateGeometryImages } from '../../src/model/geometry-images.ts';
import { triangleCount, validateMesh } from '../../src/model/mesh.ts';
import { note } from '../../src/model/note.ts';
import { validateModel } from '../../src/model/skinned-model.ts';
import { skinPlain } from '../../src/skin/plain.ts';
import { poseAt } from '../../src/skin/poses.ts';
import { lod } from '../../src/verbs/lod.ts';
import { jsonOf } from '../io/gltf/fixtures.ts';
import { icosphere } from '../mesh/shapes.ts';
import { codesOf } from '../notes.ts';
import { expectRefusal } from '../refusal.ts';
import { smallSample } from '../rig/linearize-rigs.ts';
import { newIssues } from '../validate-glb.ts';

const tube = await smallSample('tube', 300, 8);

describe('lod --images', () => {
  it('adds images to the node of a rig, in the joints of its skin', async () => {
    const { bytes: given } = await writeModelGlb(tube);
    const asset = await openGlb(given);
    const { file, levels, report } = await lod(asset, { images: true, patches: 30, depth: 2, poses: 6, glb: {} });
    expect(report.detail.levels).toHaveLength(3);
    for (const { models } of levels) validateModel(models[0]);
    expect(report.detail.levels.map(({ triangles }) => triangles)).toEqual(
      levels.slice(1).map(({ models }) => triangleCount(models[0].mesh)),
    );
    const [finest, middle, coarsest] = report.detail.levels;
    expect(finest.rmsPercent).toBeLessThan(middle.rmsPercent);
    expect(middle.rmsPercent).toBeLessThan(coarsest.rmsPercent);
    for (const { bytes } of report.detail.levels) expect(bytes).toBeGreaterThan(0);

    // The file is what it was, and has the images.
    const found = (await newIssues(given, file!)).filter((issue) => !issue.startsWith('UNUSED_OBJECT /bufferViews'));
    expect(found).toEqual([]);
    expect(jsonOf(file!).extensionsUsed).toContain(IMAGES_EXTENSION);
    const again = await openGlb(file!);
    expect(again.models[0].mesh.positions).toEqual(asset.models[0].mesh.positions);
    const [{ node, images }] = await imagesOfGlb(file!);
    validateGeometryImages(images);
    expect(node).toBe(asset.models[0].origin!.node);

    // Drawn with the skin of the file, they are where the model is.
    const model = again.models[0];
    const { skins = [], nodes = [] } = jsonOf(file!);
    const { joints } = skins[nodes[node].skin!];
    const pose = poseAt(model.skeleton, model.clips[0], 0.4);
    const bones = new Float32Array(12 * joints.length);
    const place = model.origin!.place;
    model.origin!.bones.forEach((bone, j) => {
      const at = joints.indexOf(bone);
      if (at >= 0) bones.set(pose.subarray(12 * j, 12 * j + 12), 12 * at);
    });
    expect(
      place === undefined || place.every((x, c) => Math.abs(x - [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0][c]) < 1e-6),
    ).toBe(true);
    const words = new Uint32Array(images.depths.length);
    new Stitcher(baseComplex(images.corners)).sew(images.depths, words);
    const drawn = boundsOf(stitchedPositions(images, stitchedMesh(images, words), bones));
    const expected = boundsOf(skinPlain(model, pose, { operator: 'lbs' }).positions);
    const size = Math.max(...expected.max.map((x, d) => x - expected.min[d]));
    for (let d = 0; d < 3; d++) {
      expect(Math.abs(drawn.min[d] - expected.min[d])).toBeLessThan(0.02 * size);
      expect(Math.abs(drawn.max[d] - expected.max[d])).toBeLessThan(0.02 * size);
    }
  });

  it('writes a set of files for a mesh, and says what is left out', async () => {
    const mesh = { ...icosphere(2), name: 'a ball' };
    const colours = { size: 3, values: new Float32Array(mesh.positions.length).fill(0.5) };
    const { bytes } = await writeMeshGlb({ ...mesh, attributes: { COLOR_0: colours } });
    const options = { images: true, separate: true, patches: 24, depth: 1, glb: {} };
    const { imageFiles, levels, report } = await lod(await openGlb(bytes), options);
    for (const { meshes } of levels) validateMesh(meshes[0]);
    expect(imageFiles![0].name).toBe('a_ball.images.json');
    const load = async (name: string) => imageFiles!.find((file) => file.name === name)?.bytes;
    const images = await readImageFiles(imageFiles![0].bytes, load);
    expect(images.levels).toHaveLength(2);
    expect(images.levels[0].joints).toBeUndefined();
    expect(report.notes.map(({ code }) => code)).toContain('images-without');
  });

  it('explains levels that are finer than the mesh, and bytes that they share', async () => {
    const { bytes } = await writeMeshGlb(icosphere(2)); // 320 triangles
    const asset = await openGlb(bytes);
    const { report } = await lod(asset, { images: true, patches: 20, depth: 3, glb: {} });
    const { levels } = report.detail;
    const patches = levels[3].triangles;
    expect(levels.map(({ triangles }) => triangles)).toEqual([64, 16, 4, 1].map((per) => per * patches));
    const finer = levels.filter(({ triangles }) => triangles > 320).length;
    expect(report.notes).toContainEqual(note('images-finer', { levels: finer, triangles: 320, depth: 3 - finer }));
    const coarse = await lod(asset, { images: true, patches: 20, depth: 3 - finer, glb: {} });
    expect(codesOf(coarse.report.notes)).not.toContain('images-finer');
    expect(levels[3].bytes).toBeGreaterThan(levels[2].bytes!);
    const shared = report.notes.find(({ code }) => code === 'images-shared-bytes')!;
    expect(shared.data).toMatchObject({ level: 4 });
    expect(levels[3].bytes! - (shared.data as { bytes: number }).bytes).toBeLessThan(levels[2].bytes!);
  });

  it('does not mix with options of meshes, nor those of images with meshes', async () => {
    const { bytes } = await writeMeshGlb(icosphere(1));
    const asset = await openGlb(bytes);
    await expectRefusal(lod(asset, { images: true, levels: 3 }), 'bad-option', { option: 'images' });
    await expectRefusal(lod(asset, { patches: 30 }), 'bad-option', { option: 'patches' });
  });
});
