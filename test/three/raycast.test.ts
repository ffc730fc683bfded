import fc from 'fast-check';
import {
  BackSide,
  DoubleSide,
  type Intersection,
  type Mesh,
  MeshBasicMaterial,
  Raycaster,
  SkinnedMesh,
  Vector3,
} from 'three';
import { describe, expect, it } from 'vitest';
import { acceleratedRaycast, THREE_OPERATORS, useSkinning } from '../../adapters/three/index.ts';
import { seededRandom } from '../../src/math/rng.ts';
import { clipFrame } from '../../src/model/skeleton.ts';
import { sampleTube } from '../../src/rig/samples/tube.ts';
import { randomDirection } from '../skin/rigs.ts';
import { type ThreeModel, threeModel } from '../three-mesh.ts';

const model = sampleTube(80, 12, 24);
model.mixWeights = new Float32Array(model.mesh.positions.length / 3).fill(0.4);
const BEND = clipFrame(model.clips[0], 9);

/** Casts a ray by three.js's own code, which skins every vertex for it, and by ours. */
function both(mesh: SkinnedMesh, raycaster: Raycaster): { own: Intersection[]; ours: Intersection[] } {
  SkinnedMesh.prototype.computeBoundingSphere.call(mesh); // three.js does not notice that bones have moved.
  const cast = (raycast: Mesh['raycast']) => {
    mesh.raycast = raycast;
    return raycaster.intersectObject(mesh);
  };
  return { own: cast(SkinnedMesh.prototype.raycast), ours: cast(acceleratedRaycast) };
}

/** Rays from all around at random points near the middle. */
function rays(mesh: SkinnedMesh, seed: number, count: number): Raycaster[] {
  const random = seededRandom(seed);
  mesh.computeBoundingSphere();
  const { center, radius } = mesh.boundingSphere!.clone().applyMatrix4(mesh.matrixWorld);
  return Array.from({ length: count }, () => {
    const origin = new Vector3(...randomDirection(random)).multiplyScalar(2 * radius).add(center);
    const target = new Vector3(...randomDirection(random)).multiplyScalar(0.3 * radius * random()).add(center);
    return new Raycaster(origin, target.sub(origin).normalize());
  });
}

function expectSame({ mesh }: ThreeModel, casters: Raycaster[]): number {
  let hits = 0;
  for (const raycaster of casters) {
    const { own, ours } = both(mesh, raycaster);
    expect(ours.map(({ faceIndex }) => faceIndex)).toEqual(own.map(({ faceIndex }) => faceIndex));
    own.forEach((hit, h) => {
      expect(Math.abs(ours[h].distance - hit.distance)).toBeLessThan(1e-5);
      expect(ours[h].point.distanceTo(hit.point)).toBeLessThan(1e-5);
      expect(ours[h].face!.normal.distanceTo(hit.face!.normal)).toBeLessThan(1e-3);
      expect(ours[h].normal!.distanceTo(hit.normal!)).toBeLessThan(1e-3);
      expect(ours[h].uv?.distanceTo(hit.uv!) ?? 0).toBeLessThan(1e-3);
      expect(Object.keys(ours[h]).sort()).toEqual(Object.keys(hit).sort());
    });
    hits += own.length;
  }
  return hits;
}

describe('acceleratedRaycast', () => {
  it.each(THREE_OPERATORS)('meets what three.js meets, by %s', (operator) => {
    const three = threeModel(model, new MeshBasicMaterial({ side: DoubleSide }));
    useSkinning(three.mesh, operator);
    three.pose(BEND);
    expect(expectSame(three, rays(three.mesh, 3, 14))).toBeGreaterThan(3);
  });

  it('does so without useSkinning, wherever the mesh stands, in any pose', () => {
    const three = threeModel(model);
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 11 }),
        fc.integer(),
        fc.double({ min: 0.1, max: 3, noNaN: true }),
        (k, seed, size) => {
          three.mesh.position.set(size, -2, 1);
          three.mesh.rotation.set(seed % 3, 1, size);
          three.mesh.scale.set(size, 1, 0.7);
          three.pose(clipFrame(model.clips[k % 2], k));
          expectSame(three, rays(three.mesh, seed, 2));
        },
      ),
      { numRuns: 12, seed: 7 },
    );
  });

  it('heeds sides, groups, the draw range, near and far', () => {
    const materials = [new MeshBasicMaterial({ side: BackSide }), new MeshBasicMaterial()];
    const three = threeModel(model, materials[0]);
    three.pose(BEND);
    const casters = rays(three.mesh, 5, 6);
    const back = expectSame(three, casters);
    three.mesh.material = materials;
    const corners = three.mesh.geometry.index!.count;
    three.mesh.geometry.addGroup(0, 90, 0);
    three.mesh.geometry.addGroup(90, corners - 180, 1);
    expect(expectSame(three, casters)).toBeGreaterThan(0);
    three.mesh.material = materials[1];
    three.mesh.geometry.setDrawRange(30, corners - 300);
    expect(expectSame(three, casters)).toBeLessThanOrEqual(back + 2);
    for (const raycaster of casters) raycaster.far = 1.9;
    expectSame(three, casters);
  });

  it('notices new bones, morphs, geometry and operators', () => {
    const morphed = {
      ...model,
      morphs: [{ name: 'up', positions: model.mesh.positions.map((_, c) => (c % 3 === 1 ? 0.3 : 0)) }],
    };
    const three = threeModel(morphed, new MeshBasicMaterial({ side: DoubleSide }));
    three.mesh.morphTargetInfluences = [0];
    const casters = rays(three.mesh, 9, 4);
    three.pose(BEND);
    expectSame(three, casters);
    three.mesh.morphTargetInfluences[0] = 0.5;
    expectSame(three, casters);
    const skinning = useSkinning(three.mesh, 'dqs');
    expectSame(three, casters);
    skinning.dispose();
    expectSame(three, casters);
    three.mesh.geometry = threeModel(sampleTube(90, 12, 24)).mesh.geometry;
    three.mesh.updateMorphTargets();
    expectSame(three, casters);
  });

  it('does without triangles', () => {
    const three = threeModel({
      ...model,
      mesh: { ...model.mesh, triangles: new Uint32Array(0), seams: undefined, uvs: undefined, normals: undefined },
    });
    const { own, ours } = both(three.mesh, rays(three.mesh, 1, 1)[0]);
    expect([own, ours]).toEqual([[], []]);
  });
});
