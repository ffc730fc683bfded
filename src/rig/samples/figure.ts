import { vertexNormals } from '../../mesh/normals.ts';
import { wrapUvs } from '../../mesh/wrap-uvs.ts';
import type { Mesh } from '../../model/mesh.ts';
import type { SkinnedModel } from '../../model/skinned-model.ts';
import { FIGURE_BONES, figureSurface } from './figure-body.ts';
import { FIGURE_MOTIONS, figureClip } from './figure-clips.ts';
import { figureWeights } from './figure-weights.ts';
import { skeletonOf } from './skeleton.ts';

/**
 * A humanoid of 21 bones with about `vertices` vertices. Its clips: `exercise`, which stresses shoulders and wrists and
 * bends every joint (6 s), `jumping-jacks`, `walk` and `run` (a second or less), and two that move cloth: `dance` (4.5 s) and
 * `turn` (3 s). Clips of other lengths stop early or go round again.
 */
export function sampleFigure(vertices: number, frames: number, framesPerSecond: number): SkinnedModel {
  const surface: Mesh = {
    ...wrapUvs({ name: 'figure', ...figureSurface(vertices) }),
    space: { up: 'y', metresPerUnit: 1 },
  };
  const mesh = { ...surface, normals: vertexNormals(surface) };
  const skeleton = skeletonOf(FIGURE_BONES);
  const weights = figureWeights(mesh);
  const clips = FIGURE_MOTIONS.map((motion) => figureClip(skeleton, motion, frames, framesPerSecond));
  return { name: 'figure', mesh, weights, skeleton, clips, operator: 'lbs' };
}
