import { expect, it } from 'vitest';
import { LightScene } from '../../src/light/scene.ts';
import { multiply34 } from '../../src/math/matrix34.ts';
import { transformMesh } from '../../src/mesh/transform-mesh.ts';
import { MATRIX_STRIDE } from '../../src/model/skeleton.ts';
import type { SkinnedModel } from '../../src/model/skinned-model.ts';
import { poseOfClip } from '../../src/skin/choose-poses.ts';
import { smallFigure } from './small-figure.ts';

const MIRROR = Float64Array.of(-1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0);

/** The figure, kept mirrored, by bones that mirror it back. */
function keptMirrored({ mesh, skeleton, clips, ...figure }: SkinnedModel): SkinnedModel {
  const undone = (matrices: Float32Array): Float32Array => {
    const out = matrices.slice();
    for (let m = 0; m < out.length; m += MATRIX_STRIDE) multiply34(out, m, matrices, m, MIRROR, 0);
    return out;
  };
  return {
    ...figure,
    mesh: transformMesh(mesh, MIRROR),
    skeleton: { ...skeleton, inverseBind: undone(skeleton.inverseBind) },
    clips: clips.map((clip) => ({ ...clip, transforms: undone(clip.transforms) })),
  };
}

it('is the same surface where bones mirror their mesh', () => {
  const figure = smallFigure();
  const { normals: _, ...bare } = figure.mesh;
  for (const model of [figure, { ...figure, mesh: bare }]) {
    const [plain, mirrored] = [model, keptMirrored(model)].map((each) => {
      const scene = new LightScene([each]);
      return { triangles: scene.triangles, ...scene.pose(poseOfClip([each], 'wave', 0.4).parts) };
    });
    expect(mirrored.triangles).toEqual(plain.triangles);
    const far = (key: 'positions' | 'normals') =>
      mirrored[key].reduce((most, x, at) => Math.max(most, Math.abs(x - plain[key][at])), 0);
    expect(far('positions')).toBeLessThan(1e-6);
    expect(far('normals')).toBeLessThan(1e-5);
  }
});
