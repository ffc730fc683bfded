import { describe, expect, it } from 'vitest';
import { lodSurface } from '../../src/lod/lod.ts';
import { joinParts } from '../../src/lod/parts.ts';
import type { SurfaceLevel } from '../../src/lod/surface.ts';
import { gatherRows } from '../../src/math/rows.ts';
import { meshEdges } from '../../src/mesh/adjacency.ts';
import { attributeFloats } from '../../src/mesh/attribute-floats.ts';
import { largestWeights } from '../../src/model/influences.ts';
import { type Mesh, splitVertexCount, validateMesh, vertexCount } from '../../src/model/mesh.ts';
import { type SkinnedModel, validateModel } from '../../src/model/skinned-model.ts';
import { sampleTube } from '../../src/rig/samples/tube.ts';
import { choosePoses } from '../../src/skin/choose-poses.ts';
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

  it('keep whole numbers that stand for something', async () => {
    const [one, two] = [tubeModel(), { ...tubeModel(), name: 'two' }];
    const ids = Uint16Array.from({ length: splitVertexCount(one.mesh) }, (_, w) => (w < 30 ? 7 : 900));
    const named = { ...one, mesh: { ...one.mesh, attributes: { _ID: { size: 1, values: ids } } } };
    const { poses } = choosePoses([named, two], { poses: 3 });
    const { surface, partsOf } = joinParts([named, two], poses);
    const { levels } = await lodSurface(surface, { triangles: [60], settings: { leastSamples: 2000 } });
    const { values } = partsOf(levels[0])[0].mesh.attributes!._ID;
    expect(values).toBeInstanceOf(Uint16Array);
    expect([...new Set(values)].sort()).toEqual([7, 900]);
  });

  it('still meet after the fit, in every pose', async () => {
    const models = halves();
    const { poses } = choosePoses(models, { poses: 6 });
    const { surface, partsOf } = joinParts(models, poses);
    const { levels } = await lodSurface(surface, { triangles: [400, 150], settings: { leastSamples: 3000 } });
    expect(levels).toHaveLength(2);
    for (const level of levels) {
      const parts = partsOf(level).map((part, m) => ({ ...models[m], ...part }));
      for (const model of parts) validateModel(model);
      for (const { parts: posed } of poses) {
        const [lower, upper] = parts.map((model, m) =>
          borderPlaces(model.mesh, skinPlain(model, posed[m].transforms, { operator: 'lbs' }).positions),
        );
        expect(lower.length).toBeGreaterThan(2);
        expect(upper).toEqual(lower);
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

/** A tube that is closed at its ends, cut in the middle: two models on the bones of one file, of which neither follows all. */
function halves(): SkinnedModel[] {
  const model = sampleTube(700, 5, 24);
  const { positions, triangles } = model.mesh;
  const dense = Float64Array.from({ length: (4 * positions.length) / 3 }, (_, c) =>
    Math.exp(-((2 * positions[3 * Math.floor(c / 4) + 1] - (c % 4) - 0.5) ** 2)),
  );
  const weights = largestWeights(dense, 4, 2);
  const isLower = (t: number): boolean => [0, 1, 2].every((c) => positions[3 * triangles[t + c] + 1] < 1.05);
  return [true, false].map((lower): SkinnedModel => {
    const corners = triangles.filter((_, c) => isLower(c - (c % 3)) === lower);
    const used = [...new Set(corners)];
    const origin = { node: lower ? 0 : 1, bones: Uint32Array.of(4, 5, 6, 7) };
    return {
      ...model,
      name: lower ? 'lower' : 'upper',
      mesh: { positions: gatherRows(positions, 3, used), triangles: corners.map((v) => used.indexOf(v)) },
      weights: {
        influences: 2,
        joints: gatherRows(weights.joints, 2, used),
        weights: gatherRows(weights.weights, 2, used),
      },
      origin: origin as unknown as SkinnedModel['origin'],
    };
  });
}

/** Where the vertices of sides with one face are, in some order. */
function borderPlaces({ triangles }: Mesh, positions: Float64Array): string[] {
  const { vertices, corners } = meshEdges(triangles, positions.length / 3);
  const border = new Set<number>();
  for (let e = 0; e < vertices.length / 2; e++) {
    if (corners.offsets[e + 1] - corners.offsets[e] === 1) border.add(vertices[2 * e]).add(vertices[2 * e + 1]);
  }
  return Array.from(border, (v) => Array.from(positions.subarray(3 * v, 3 * v + 3), (x) => x.toFixed(5)).join()).sort();
}
