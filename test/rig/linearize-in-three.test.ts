import { describe, expect, it } from 'vitest';
import { writeModelGlb } from '../../src/io/write-glb.ts';
import { multiply34 } from '../../src/math/matrix34.ts';
import { skinTransforms, worldMatrices } from '../../src/math/trs.ts';
import { diagonalOf } from '../../src/mesh/bounds.ts';
import { expandToSplit } from '../../src/mesh/seams.ts';
import { vertexCount } from '../../src/model/mesh.ts';
import type { SkinnedModel } from '../../src/model/skinned-model.ts';
import { linearize } from '../../src/rig/linearize/linearize.ts';
import { poseAt } from '../../src/skin/poses.ts';
import { Skinner } from '../../src/skin/skinner.ts';
import { loadInThree, threeVertices } from '../three-scene.ts';
import { belowArmature, smallSample } from './linearize-rigs.ts';

/** Root mean square distance of W render vertices. */
function distance(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let sum = 0;
  for (let c = 0; c < a.length; c++) sum += (a[c] - b[c]) ** 2;
  return Math.sqrt((3 * sum) / a.length);
}

/** The W positions of a model at a time, by an operator. */
function posed(model: SkinnedModel, operator: 'lbs' | 'dqs' | 'sdqs', t: number): Float32Array {
  const { positions } = new Skinner(model, { operator, normals: false }).pose(
    poseAt(model.skeleton, model.clips[0], t),
  );
  return model.mesh.seams ? expandToSplit(positions, 3, model.mesh.seams) : positions;
}

describe('a linearized GLB in plain three.js', () => {
  it.each(['dqs', 'sdqs'] as const)('shows what %s does, at keys and between them', async (operator) => {
    const box = await smallSample('box', 300, 8);
    const model = { ...box, clips: [box.clips[0]] };
    const result = await linearize(model, { operator, training: 'clips', blendBones: 5 });
    const { bytes } = await writeModelGlb(result.model);
    const three = await loadInThree(bytes);
    const end = model.clips[0].times[7];
    for (const t of [end, end * 0.95, end * 0.6]) {
      three.pose(three.animations[0], t);
      const shown = threeVertices(three.meshes);
      const exact = posed(model, operator, t);
      expect(shown.length).toBe(exact.length);
      const linear = distance(posed(model, 'lbs', t), exact);
      // With five bones less than a tenth of linear blending's error is left.
      expect(distance(shown, exact)).toBeLessThan(0.1 * linear);
    }
    expect(vertexCount(result.model.mesh)).toBe(vertexCount(model.mesh));
  });

  it.each(['dqs', 'sdqs'] as const)(
    'has %s blend bones below the joints they follow, rigid at rest, in their units',
    async (operator) => {
      const box = await smallSample('box', 300, 8);
      const model = belowArmature({ ...box, clips: [box.clips[0]] });
      const own = model.skeleton.parents.length;
      const { model: made } = await linearize(model, { operator, training: 'clips', blendBones: 5 });
      const { parents, restLocals, inverseBind, names } = made.skeleton;
      const worlds = worldMatrices(parents, restLocals);
      const product = new Float64Array(12);
      for (let j = own; j < parents.length; j++) {
        const isLower = operator === 'sdqs' && (j - own) % 2 === 1;
        const blend = made.blendBones!.bones[operator === 'sdqs' ? (j - own) >> 1 : j - own];
        expect(parents[j], names[j]).toBe(isLower ? j - 1 : blend.masters[0]);
        expect([...restLocals.subarray(10 * j + 7, 10 * j + 10)]).toEqual([1, 1, 1].map((x) => expect.closeTo(x, 5)));
        multiply34(product, 0, worlds, 12 * j, inverseBind, 12 * j);
        for (let c = 0; c < 12; c++) expect(product[c]).toBeCloseTo(c % 5 === 0 ? 1 : 0, 4);
      }
      const { model: plain } = await linearize(
        { ...box, clips: [box.clips[0]] },
        { operator, training: 'clips', blendBones: 5 },
      );
      const end = model.clips[0].times[7];
      const size = diagonalOf(model.mesh.positions);
      for (const t of [end, end * 0.6])
        expect(distance(posed(made, 'lbs', t), posed(plain, 'lbs', t))).toBeLessThan(1e-3 * size);
    },
  );

  it('leaves no blend bone behind when the armature moves', async () => {
    const box = await smallSample('box', 300, 8);
    const model = belowArmature({ ...box, clips: [box.clips[0]] });
    const { model: made } = await linearize(model, { training: 'clips', blendBones: 3 });
    const locals = made.clips[0].locals!.slice();
    for (let at = 0; at < locals.length; at += made.skeleton.restLocals.length) locals[at] += 7;
    const moved = skinTransforms(made.skeleton.parents, made.skeleton.inverseBind, locals);
    for (let m = 0; m < moved.length; m += 12) {
      expect(moved[m + 3] - made.clips[0].transforms[m + 3]).toBeCloseTo(7, 3);
    }
  });

  it('carries what drives blend bones to those who want to drive them', async () => {
    const tube = await smallSample('tube', 100, 3);
    const result = await linearize(tube, { blendBones: 2, measure: false });
    const { scene } = await loadInThree((await writeModelGlb(result.model)).bytes);
    const found: unknown[] = [];
    scene.traverse(({ userData }) => {
      if (userData.gltfExtensions?.PLIANT_blend_bone) found.push(userData.gltfExtensions.PLIANT_blend_bone);
    });
    const { bones } = result.model.blendBones!;
    expect(found).toHaveLength(bones.length);
    for (const { masters, weights } of bones) {
      expect(found).toContainEqual({ operator: 'dqs', joints: Array.from(masters), weights: Array.from(weights) });
    }
  });
});
