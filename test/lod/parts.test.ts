import { describe, expect, it } from 'vitest';
import { joinParts } from '../../src/lod/parts.ts';
import { choosePoses } from '../../src/lod/poses.ts';
import type { SurfaceLevel } from '../../src/lod/surface.ts';
import { attributeFloats } from '../../src/mesh/attribute-floats.ts';
import { type Mesh, validateMesh, vertexCount } from '../../src/model/mesh.ts';
import { type SkinnedModel, validateModel } from '../../src/model/skinned-model.ts';
import { skinPlain } from '../../src/skin/plain.ts';
import { morphedTube, richTube, tubeModel } from '../io/gltf/fixtures.ts';

/** The given surface as its own level. */
function sameLevel(models: readonly SkinnedModel[]) {
  const { poses } = choosePoses(models, { poses: 5 });
  const { surface, partsOf } = joinParts(models, poses);
  const level = {
    mesh: surface.mesh,
    weights: surface.skin?.weights,
    morphs: surface.morphs,
    poses: surface.poses,
  } as unknown as SurfaceLevel;
  return { surface, poses, parts: partsOf(level) };
}

/** Numbers per corner: what does not depend on how vertices are numbered. */
const perCorner = (mesh: Mesh, values: ArrayLike<number> | undefined, size: number, split = true) =>
  values &&
  Array.from((split && mesh.seams?.triangles) || mesh.triangles, (i) =>
    Array.from({ length: size }, (_, c) => values[size * i + c]),
  );

const rich: SkinnedModel = { ...tubeModel(), mesh: { ...richTube(), name: 'rich' } };
const mixed: SkinnedModel = {
  ...tubeModel(),
  name: 'mixed',
  operator: 'mix',
  mixWeights: Float32Array.from(tubeModel().mesh.positions, () => 0.25).subarray(0, vertexCount(tubeModel().mesh)),
};
const rigid: SkinnedModel = {
  ...tubeModel(),
  name: 'rigid',
  weights: {
    influences: 1,
    joints: new Uint16Array(vertexCount(tubeModel().mesh)).fill(2),
    weights: new Float32Array(vertexCount(tubeModel().mesh)).fill(1),
  },
};

describe('models as one surface', () => {
  it.each([
    ['one', [tubeModel()]],
    ['morphs', [morphedTube(), tubeModel()]],
    ['uvs, colours and materials', [rich, tubeModel(), rich]],
    ['mix weights', [tubeModel(), mixed]],
    ['rigid ones', [rigid, rigid]],
  ] as [string, SkinnedModel[]][])('come back as they were: %s', (_, models) => {
    const { surface, poses, parts } = sameLevel(models);
    validateMesh(surface.mesh);
    for (const [m, model] of models.entries()) {
      const { mesh } = model;
      const part = parts[m];
      const after = { ...model, ...part };
      validateModel(after);
      expect(perCorner(part.mesh, part.mesh.normals, 3)).toEqual(perCorner(mesh, mesh.normals, 3));
      expect(perCorner(part.mesh, part.mesh.uvs, 2)).toEqual(perCorner(mesh, mesh.uvs, 2));
      expect(part.mesh.groups).toEqual(mesh.groups);
      expect(part.mesh.materials).toEqual(mesh.materials);
      expect(Object.keys(part.mesh.attributes ?? {})).toEqual(Object.keys(mesh.attributes ?? {}));
      for (const [name, attribute] of Object.entries(mesh.attributes ?? {})) {
        const own = part.mesh.attributes![name];
        expect(own.values.constructor).toBe(attribute.values.constructor);
        const { size } = attribute;
        expect(perCorner(part.mesh, attributeFloats(own), size)).toEqual(
          perCorner(mesh, attributeFloats(attribute), size),
        );
      }
      expect(perCorner(part.mesh, part.mixWeights, 1, false)).toEqual(perCorner(mesh, model.mixWeights, 1, false));
      for (const { parts: posed } of poses) {
        const { transforms, morphWeights } = posed[m];
        const pose = (each: SkinnedModel) => skinPlain(each, transforms, { operator: 'lbs', morphWeights }).positions;
        expect(perCorner(part.mesh, pose(after), 3, false)).toEqual(perCorner(mesh, pose(model), 3, false));
      }
    }
  });

  it('is still where nothing bends, and has its vertices in every pose', () => {
    const { surface, poses } = sameLevel([rigid]);
    expect(surface.skin).toBeUndefined();
    expect(poses).toHaveLength(1);
    const moving = sameLevel([tubeModel(), rigid]).surface;
    expect(moving.skin!.bones).toHaveLength(5);
    expect(moving.poses.every((pose) => pose.length === moving.mesh.positions.length)).toBe(true);
  });
});
