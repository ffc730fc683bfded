import type { GLTF } from '@gltf-transform/core';
import { gltfWithImages, type NodeImages } from '../io/edit-images.ts';
import { geometryImageFiles } from '../io/geometry-images.ts';
import { geometryImages, IMAGE_OPTIONS, type ImageOptions } from '../lod/images/build.ts';
import { meshOfImages } from '../lod/images/image-model.ts';
import { posedBy } from '../lod/pose.ts';
import type { PosedSurface } from '../lod/surface.ts';
import { invert34, MATRIX_STRIDE, multiply34 } from '../math/matrix34.ts';
import { transformMesh } from '../mesh/transform-mesh.ts';
import type { GeometryImages } from '../model/geometry-images.ts';
import type { GltfSource } from '../model/gltf-source.ts';
import { triangleCount } from '../model/mesh.ts';
import { addNotes, type Note, note } from '../model/note.ts';
import { addSeconds } from '../model/report.ts';
import type { SkinnedModel } from '../model/skinned-model.ts';
import type { Pose } from '../skin/choose-poses.ts';
import type { LodOutcome, LodVerbOptions } from './lod-options.ts';
import type { LodPart } from './lod-parts.ts';
import { fileOf, KEPT_BY_EDITING } from './verb.ts';

/** `lod --images`: each part as geometry images at its node of the file. */

/** Images of all parts, and what they show at each level as models, finest first. */
export interface ImageLevels {
  nodes: NodeImages[];
  levels: SkinnedModel[][];
}

export async function imageLevels(
  parts: readonly LodPart[],
  source: GltfSource,
  poses: readonly Pose[],
  options: LodVerbOptions,
  report: LodOutcome['report'],
): Promise<ImageLevels> {
  const json = source.json as unknown as GLTF.IGLTF;
  const triangles = parts.reduce((sum, { model }) => sum + triangleCount(model.mesh), 0);
  const nodes: NodeImages[] = [];
  const made: GeometryImages[] = [];
  for (const [m, part] of parts.entries()) {
    const share = triangleCount(part.model.mesh) / Math.max(1, triangles);
    const patches = options.patches && Math.max(1, Math.round(options.patches * share));
    const surface = storedSurface(part, json, poses, m);
    const { images, report: own } = await geometryImages(surface, {
      ...imageOptions(options),
      ...(patches !== undefined && { patches }),
      crease: options.crease,
      signal: options.signal,
      onProgress: options.onProgress,
    });
    addNotes(report.notes, ...own.notes, ...leftOut(part.model));
    addSeconds(report.seconds, own.seconds);
    made.push(images);
    nodes.push({ node: part.at.node, images: inSkin(images, json, part) });
  }
  const depth = Math.max(...made.map(({ levels }) => levels.length));
  const levels = Array.from({ length: depth }, (_, l) =>
    parts.map(({ model, at }, m): SkinnedModel => {
      const { mesh, weights } = meshOfImages(made[m], depth - 1 - l, model.mesh, at.place);
      const n = mesh.positions.length / 3;
      const bone = model.weights.joints[0] ?? 0;
      const still = { influences: 1, joints: new Uint16Array(n).fill(bone), weights: new Float32Array(n).fill(1) };
      const { mixWeights: _, ...rest } = model;
      // Images do not morph: judged as they are shown.
      const morphs = model.morphs?.map(({ name }) => ({ name, positions: new Float32Array(3 * n) }));
      return {
        ...rest,
        ...(morphs && { morphs }),
        operator: weights ? 'lbs' : 'rigid',
        mesh,
        weights: weights ?? still,
        origin: undefined,
      };
    }),
  );
  const finer = levels.filter((level) => trianglesOf(level) > triangles).length;
  if (finer > 0) {
    const depth = finer < levels.length ? levels.length - 1 - finer : undefined;
    report.notes.push(note('images-finer', { levels: finer, triangles, ...(depth !== undefined && { depth }) }));
  }
  return { nodes, levels };
}

const trianglesOf = (level: readonly SkinnedModel[]): number =>
  level.reduce((sum, { mesh }) => sum + triangleCount(mesh), 0);

/** The options that only images know, as given. */
function imageOptions(options: LodVerbOptions): ImageOptions {
  const known = Object.keys(IMAGE_OPTIONS) as (keyof typeof IMAGE_OPTIONS)[];
  return Object.fromEntries(known.filter((name) => options[name] !== undefined).map((name) => [name, options[name]]));
}

/** A part as its node stores it, with bones that take it from there to each pose. */
function storedSurface({ model, at }: LodPart, json: GLTF.IGLTF, poses: readonly Pose[], m: number): PosedSurface {
  const undo = new Float64Array(MATRIX_STRIDE);
  const isMoved = at.place !== undefined && invert34(undo, 0, at.place, 0);
  const mesh = isMoved ? transformMesh(model.mesh, undo) : model.mesh;
  if (json.nodes![at.node].skin === undefined) return { mesh, poses: [mesh.positions] };
  const bones = poses.map(({ parts }) => {
    const { transforms } = parts[m];
    if (!isMoved) return transforms;
    const out = new Float32Array(transforms.length);
    for (let b = 0; b < out.length; b += MATRIX_STRIDE) multiply34(out, b, transforms, b, at.place!, 0);
    return out;
  });
  const surface: PosedSurface = { mesh, poses: [mesh.positions], skin: { weights: model.weights, bones } };
  return {
    ...surface,
    poses: bones.map((_, p) => Float32Array.from(posedBy(surface, p, mesh.positions, model.weights, []))),
  };
}

/** Images with the joints of the node's skin instead of the model's bones. */
function inSkin(images: GeometryImages, json: GLTF.IGLTF, { at }: LodPart): GeometryImages {
  const { skin } = json.nodes![at.node];
  if (skin === undefined || !at.bones) return images;
  const { joints } = json.skins![skin];
  const jointOf = Array.from(at.bones, (bone) => Math.max(0, joints.indexOf(bone)));
  const mapped = (of: Uint16Array, weights: ArrayLike<number>): Uint16Array =>
    of.map((bone, c) => (weights[c] > 0 ? jointOf[bone] : 0));
  const { boxes } = images;
  return {
    ...images,
    levels: images.levels.map((level) => ({ ...level, joints: mapped(level.joints!, level.weights!) })),
    boxes: { ...boxes, joints: mapped(boxes.joints!, boxes.weights!) },
  };
}

/** What a model has that images do not hold. */
function leftOut({ name, mesh, morphs = [], mixWeights }: SkinnedModel): Note[] {
  const names = Object.keys(mesh.attributes ?? {}).filter((each) => each !== 'TANGENT');
  if (morphs.length > 0) names.push('morph targets');
  if (mixWeights) names.push('mix weights');
  return names.map((what) => note('images-without', { name, what }));
}

/** The given file with the images in it, or a set of files; and the bytes of each level of each part, finest first. */
export async function writeImages(
  { nodes, levels }: ImageLevels,
  parts: readonly LodPart[],
  source: GltfSource,
  { separate, glb = {}, sink }: LodVerbOptions,
  report: LodOutcome['report'],
): Promise<Pick<LodOutcome, 'file' | 'imageFiles'> & { bytes: number[][] }> {
  const written = await gltfWithImages(source, nodes, glb.compress === 'meshopt');
  const bytes = levels.map((_, l) => written.levelBytes.map((own) => own[levels.length - 1 - l] ?? 0));
  const [last, before] = bytes.map((own) => own.reduce((sum, size) => sum + size, 0)).reverse();
  if (last > before) {
    report.notes.push(note('images-shared-bytes', { level: levels.length, bytes: written.sharedBytes }));
  }
  if (separate) {
    const imageFiles = [];
    for (const [m, { images }] of nodes.entries()) {
      imageFiles.push(...(await geometryImageFiles(images, fileName(parts, m))));
    }
    report.figures.bytes = imageFiles.reduce((sum, file) => sum + file.bytes.length, 0);
    return { imageFiles, bytes };
  }
  report.notes = report.notes.filter(({ code }) => code === 'not-read' || !KEPT_BY_EDITING.has(code));
  report.figures.bytes = written.parts.reduce((sum, { length }) => sum + length, 0);
  return { ...(await fileOf(written.parts, { sink })), bytes };
}

/** A name for the files of a part that no other has. */
function fileName(parts: readonly LodPart[], m: number): string {
  const plain = ({ model }: LodPart): string => model.name.replace(/[^\w-]+/g, '_') || 'part';
  const own = plain(parts[m]);
  const same = parts.slice(0, m).filter((part) => plain(part).toLowerCase() === own.toLowerCase()).length;
  return same > 0 ? `${own}-${same + 1}` : own;
}
