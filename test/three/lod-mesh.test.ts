import {
  BoxGeometry,
  Group,
  Mesh,
  MeshBasicMaterial,
  OrthographicCamera,
  PerspectiveCamera,
  SphereGeometry,
} from 'three';
import { clone } from 'three/examples/jsm/utils/SkeletonUtils.js';
import { describe, expect, it } from 'vitest';
import { LodMesh } from '../../adapters/three/index.ts';
import { crowdCharacter } from '../../bench/engines/crowd-character.ts';
import { poseAt } from '../three-pose.ts';
import { threeVertices } from '../three-scene.ts';

const levels = () => [32, 16, 8].map((n, l) => ({ geometry: new SphereGeometry(1, n, n), error: l * 0.01 }));

/** A camera that sees 1 pixel per unit at a distance of 1000, in a picture 1000 high. */
function cameraAt(distance: number): PerspectiveCamera {
  const camera = new PerspectiveCamera((2 * Math.atan(0.5) * 180) / Math.PI, 1, 0.1, 1e6);
  camera.position.z = distance;
  camera.updateMatrixWorld();
  return camera;
}

describe('LodMesh', () => {
  it('shows the level whose error is too small to see', () => {
    const lod = new LodMesh(new Mesh(new SphereGeometry(), new MeshBasicMaterial()), levels(), { hysteresis: 0 });
    lod.viewportHeight = 1000;
    const at = (distance: number): number => {
      lod.update(cameraAt(distance));
      expect(lod.mesh.geometry).toBe(lod.levels[lod.level].geometry);
      return lod.level;
    };
    // 0.01 is a pixel at 10, 0.02 at 20 from the nearest point, which is 1 before the centre.
    expect([1, 10.9, 11.1, 20.9, 21.1, 1e5, 11.1, 1].map(at)).toEqual([0, 0, 1, 1, 2, 2, 1, 0]);
    lod.scale.setScalar(10);
    lod.updateMatrixWorld(true);
    expect([109, 111, 209, 211].map(at)).toEqual([0, 1, 1, 2]);
  });

  it('knows cameras without perspective', () => {
    const lod = new LodMesh(new Mesh(new SphereGeometry(), new MeshBasicMaterial()), levels(), { hysteresis: 0 });
    lod.viewportHeight = 1000;
    const at = (height: number): number => {
      lod.update(new OrthographicCamera(-1, 1, height / 2, -height / 2));
      return lod.level;
    };
    expect([9, 11, 19, 21].map(at)).toEqual([0, 1, 1, 2]);
  });

  it('takes the place of a mesh in its scene', () => {
    const group = new Group();
    const mesh = new Mesh(new BoxGeometry(), new MeshBasicMaterial());
    group.add(mesh);
    mesh.position.x = 3;
    const lod = new LodMesh(mesh, levels());
    expect([lod.parent, mesh.parent, group.children.length]).toEqual([group, lod, 1]);
    group.updateMatrixWorld(true);
    expect(mesh.matrixWorld.elements[12]).toBe(3);
  });

  it('changes levels together with others, by the finest that any needs; so do clones', () => {
    const parts = [0, 30].map((x) => {
      const lod = new LodMesh(new Mesh(new SphereGeometry(), new MeshBasicMaterial()), levels(), { hysteresis: 0 });
      lod.position.x = x;
      return lod;
    });
    LodMesh.together(parts);
    const group = new Group().add(...parts);
    const copy = group.clone();
    for (const root of [group, copy]) {
      root.updateMatrixWorld(true);
      const lods = root.children as LodMesh[];
      for (const lod of lods) lod.viewportHeight = 1000;
      const at = (distance: number, asked: number): number[] => {
        lods[asked].update(cameraAt(distance));
        return lods.map(({ level }) => level);
      };
      expect([at(5, 0), at(5, 1), at(15, 1), at(30, 1), at(5, 1)]).toEqual([
        [0, 0],
        [0, 0],
        [1, 1],
        [2, 2],
        [0, 0],
      ]);
    }
    expect(parts[0].level).toBe(0);
  });

  it('changes levels together when another member comes near, or the lens changes', () => {
    const parts = [0, 0].map(
      () => new LodMesh(new Mesh(new SphereGeometry(), new MeshBasicMaterial()), levels(), { hysteresis: 0 }),
    );
    LodMesh.together(parts);
    for (const lod of parts) lod.viewportHeight = 1000;
    const camera = cameraAt(30);
    parts[0].update(camera);
    expect(parts[0].level).toBe(2);
    parts[1].position.z = 25;
    parts[1].updateMatrixWorld(true);
    parts[0].update(camera);
    expect(parts.map(({ level }) => level)).toEqual([0, 0]);
    parts[1].position.z = 0;
    parts[1].updateMatrixWorld(true);
    parts[0].update(camera);
    expect(parts[0].level).toBe(2);
    camera.zoom = 10;
    camera.updateProjectionMatrix();
    parts[0].update(camera);
    expect(parts[0].level).toBe(0);
  });

  it('changes levels without those that were disposed of or taken out of the scene', () => {
    const parts = [0, 0, 0].map(
      () => new LodMesh(new Mesh(new SphereGeometry(), new MeshBasicMaterial()), levels(), { hysteresis: 0 }),
    );
    LodMesh.together(parts);
    const group = new Group().add(...parts);
    const [stays, goes, leaves] = parts;
    for (const lod of parts) lod.viewportHeight = 1000;
    goes.position.z = leaves.position.z = 25;
    group.updateMatrixWorld(true);
    const camera = cameraAt(30);
    stays.update(camera);
    expect(stays.level).toBe(0);
    goes.dispose();
    goes.removeFromParent();
    stays.update(camera);
    expect(stays.level).toBe(0);
    group.remove(leaves);
    stays.update(camera);
    expect(stays.level).toBe(2);
    expect([goes.level, leaves.level]).toEqual([0, 2]);
    group.add(leaves);
    stays.update(camera);
    expect(parts.map(({ level }) => level)).toEqual([0, 0, 0]);
  });

  it('is cloned with its skeleton by three.js', async () => {
    const { scene, clips, lod } = await crowdCharacter(300, 3);
    lod.show(2);
    const copy = clone(scene) as Group;
    const cloned = copy.getObjectByProperty('type', 'LodMesh') as LodMesh;
    expect(cloned.levels.map(({ error }) => error)).toEqual(lod.levels.map(({ error }) => error));
    poseAt(copy, clips[0], 0.7);
    poseAt(scene, clips[0], 0.7);
    cloned.show(1);
    lod.show(1);
    expect(threeVertices([cloned.mesh])).toEqual(threeVertices([lod.mesh]));
  });

  it('refuses levels that cannot be drawn or chosen', async () => {
    const mesh = new Mesh(new SphereGeometry(), new MeshBasicMaterial());
    expect(() => new LodMesh(mesh, [])).toThrow(/no levels/);
    expect(() => new LodMesh(mesh, [{ geometry: mesh.geometry, error: Number.NaN }])).toThrow(
      /error of level 0 \(got NaN/,
    );
    const { lod } = await crowdCharacter(300, 2);
    expect(() => new LodMesh(lod.mesh, [lod.levels[0], { geometry: new BoxGeometry(), error: 1 }])).toThrow(
      /level 1 has no attribute "skinIndex"/,
    );
    expect(() => lod.show(-1)).toThrow(/level \(got -1, expected 0 to 1\)/);
  });
});
