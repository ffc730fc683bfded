import { environmentSh, extractSuns, lightBake, readEnvironment, tracePoints } from '../../../src/doors/light.ts';
import { InsideFill } from '../../../src/light/fill-inside.ts';
import { LightScene } from '../../../src/light/scene.ts';
import { TRACE_OPTIONS, tracePose } from '../../../src/light/traced-pose.ts';
import { defaultsOf } from '../../../src/model/options.ts';
import { blobFiles } from '../../../src/platform/browser/files.ts';
import { openedAsset } from './levels-job.ts';
import type { JobTable } from './protocol.ts';

const ORDER = 5;
/** Rays per vertex and per point of the floor of what is traced for the view. */
const RAYS = 512;

/** Light as `pliant light bake` makes it, and the opened file with it. */
export const lightBakeJob: JobTable['lightBake'] = async ({ models, opened, options }, run) => {
  const asset = await openedAsset(models, opened);
  const made = await lightBake(asset, { ...options, glb: {}, ...run });
  const { detail, seconds, notes } = made.report;
  return {
    lights: made.models.map(({ light }) => light!),
    file: made.file!,
    poses: detail.poses,
    spheres: detail.spheres,
    bytesPerVertex: detail.bytesPerVertex,
    seconds: Object.values(seconds).reduce((sum, part) => sum + part, 0),
    notes,
  };
};

/** One pose, traced, and the floor below it. */
export const lightTraceJob: JobTable['lightTrace'] = async ({ models, parts, floor, bounces, albedo }) => {
  const scene = new LightScene(models);
  const options = { ...defaultsOf(TRACE_OPTIONS), order: ORDER, rays: RAYS, bounces, albedo };
  const { transfer, inside } = tracePose(scene, parts, options, 0);
  // What is traced inside other parts means nothing, and would show as blots.
  new InsideFill(scene.triangles, scene.vertices).fill(transfer, ORDER * ORDER, inside);
  const { positions, normals } = scene.pose(parts);
  const surface = { positions, normals, triangles: scene.triangles, albedo };
  return { transfer, inside, floor: tracePoints(surface, floor, { rays: RAYS, order: ORDER }) };
};

/** A map as soft light; its suns are left out. */
export const skyJob: JobTable['sky'] = async ({ file }) => {
  const source = await blobFiles([[file.name, file]]).open(file.name);
  try {
    const { suns, rest } = extractSuns(await readEnvironment(source));
    return { name: file.name, sh: Float32Array.from(environmentSh(rest, ORDER, 'auto')), suns: suns.length };
  } finally {
    await source.close();
  }
};
