import type { Space } from '../model/mesh.ts';
import { bestView, type Camera, cameraFor, threeQuarterViews } from './camera.ts';
import type { Picture } from './png.ts';
import { rasterize } from './rasterize.ts';

/** A surface whose colours are what is seen of it: 3N each, linear. */
export interface LitSurface {
  positions: Float32Array;
  normals: Float32Array;
  triangles: Uint32Array;
  up?: Space['up'];
}

/** Where it is seen from: the same for all ways of light, and all moments of a film whose `places` (3N each) it shows. */
export function litCamera(
  { positions, triangles, up }: LitSurface,
  width: number,
  height: number,
  places: readonly Float32Array[] = [positions],
): Camera {
  return cameraFor(bestView(threeQuarterViews(up), positions, triangles), places, width, height);
}

export const litPicture = (
  { positions, normals, triangles }: LitSurface,
  colours: Float32Array,
  camera: Camera,
): Picture =>
  rasterize({ positions, triangles, normals, normalOf: triangles, colours, blendColours: true, isLit: true }, camera);
