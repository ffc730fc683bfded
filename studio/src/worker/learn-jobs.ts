import { mergeSequences } from '../../../src/fit/merge-sequences.ts';
import { writeModelGlb } from '../../../src/io/write-glb.ts';
import { SurfaceDriver } from '../../../src/learn/drive.ts';
import { drivenClip } from '../../../src/learn/drive-sequence.ts';
import { learn } from '../../../src/learn/learn.ts';
import { examplesClip, predictorModel } from '../../../src/learn/predictor-model.ts';
import { smoothingGroups, vertexNormals } from '../../../src/mesh/normals.ts';
import type { RunOptions } from '../../../src/model/options.ts';
import { checkpoint } from '../../../src/model/run.ts';
import { bestView, cameraFor, threeQuarterViews } from '../../../src/report/camera.ts';
import { pngDataUrl } from '../../../src/report/png.ts';
import { rasterize } from '../../../src/report/rasterize.ts';
import { asSequence } from '../core/content.ts';
import { exampleCount, examplePoints } from '../core/point-follow.ts';
import type { Jobs, LearnData } from './protocol.ts';

export async function learnJob(
  { parts, options }: Jobs['learn']['input'],
  run: Required<RunOptions>,
): Promise<LearnData> {
  const sequences = parts.map(asSequence);
  const sequence = sequences.length > 1 ? mergeSequences(sequences).sequence : sequences[0];
  const { predictor, transforms, report } = await learn([sequence], { ...options, ...run });
  return { predictor, model: predictorModel(predictor, [examplesClip(predictor, transforms)]), report };
}

/** A recorded performance as a GLB: bones, and morph targets for what they cannot express. */
export async function driveJob(
  { predictor, path }: Jobs['drive']['input'],
  run: Required<RunOptions>,
): Promise<Jobs['drive']['output']> {
  const { clip } = await drivenClip(predictor, path, run);
  const model = predictorModel(predictor, [{ ...clip, name: 'take' }], true);
  return new Uint8Array((await writeModelGlb(model)).bytes);
}

/** Pixels, each way. */
const SIZE = 96;

/** Every example as a small picture (the address of a PNG), all from one side. */
export async function picturesJob(
  { predictor }: Jobs['pictures']['input'],
  run: Required<RunOptions>,
): Promise<string[]> {
  const { mesh } = predictor;
  const driver = new SurfaceDriver(predictor);
  const count = exampleCount(predictor);
  const poses = Array.from({ length: count }, (_, e) => driver.drive(examplePoints(predictor, e)).positions.slice());
  driver.dispose();
  const view = bestView(threeQuarterViews(mesh.space?.up), poses[0], mesh.triangles);
  const camera = cameraFor(view, poses, SIZE, SIZE);
  const groups = smoothingGroups(mesh);
  const pictures: string[] = [];
  for (const [e, positions] of poses.entries()) {
    await checkpoint(run, 'pictures', e, count, 'drawing the examples');
    const normals = vertexNormals(mesh, positions, 'area', groups);
    const normalOf = mesh.seams?.triangles ?? mesh.triangles;
    pictures.push(await pngDataUrl(rasterize({ positions, triangles: mesh.triangles, normals, normalOf }, camera)));
  }
  return pictures;
}
