import {
  Bone,
  BoxGeometry,
  Frustum,
  Group,
  type InstancedBufferGeometry,
  InstancedMesh,
  Matrix4,
  Mesh,
  MeshBasicMaterial,
  MeshStandardMaterial,
  type Object3D,
  PerspectiveCamera,
  Quaternion,
  Raycaster,
  type SkinnedMesh,
  Vector3,
} from 'three';
import { clone } from 'three/examples/jsm/utils/SkeletonUtils.js';
import { beforeAll, describe, expect, it } from 'vitest';
import { SkinnedCrowd, useSkinning } from '../../adapters/three/index.ts';
import { type CrowdCharacter, crowdCharacter } from '../../bench/engines/crowd-character.ts';
import { seededRandom } from '../../src/math/rng.ts';
import { poseAt } from '../three-pose.ts';
import { threeVertices } from '../three-scene.ts';

let character: CrowdCharacter;
let other: CrowdCharacter;
beforeAll(async () => {
  character = await crowdCharacter(300, 4);
  other = await crowdCharacter(300, 1);
});

const random = seededRandom(7);
const between = (a: number, b: number): number => a + (b - a) * random();

function somewhere(extent = 20): Matrix4 {
  const turn = new Quaternion().setFromAxisAngle(new Vector3(random(), random(), random()).normalize(), between(0, 6));
  const place = new Vector3(between(-extent, extent), between(-2, 2), between(-extent, extent));
  return new Matrix4().compose(place, turn, new Vector3().setScalar(between(0.5, 2)));
}

function cameraOf(near = 0.1, far = 100): PerspectiveCamera {
  const camera = new PerspectiveCamera(40, 1.5, near, far);
  camera.position.set(0, 1, 5);
  camera.lookAt(3, 0, -8);
  camera.updateMatrixWorld(true);
  return camera;
}

/** An instance as three.js would have it alone: a clone of the character, at its level, posed. */
function alone(crowd: SkinnedCrowd, i: number, clip: number, of = character): { root: Group; meshes: Mesh[] } {
  const root = clone(of.scene) as Group;
  poseAt(root, of.clips[clip], crowd.getTimeAt(i));
  crowd.updateMatrixWorld(true);
  const meshes: Mesh[] = [];
  root.traverse((object) => {
    if ((object as Mesh).isMesh) meshes.push(object as Mesh);
    if ('isLOD' in object) (object as CrowdCharacter['lod']).show(crowd.getLevelAt(i));
  });
  root.matrixAutoUpdate = false;
  crowd.getMatrixAt(i, root.matrix).premultiply(crowd.matrixWorld);
  root.updateMatrixWorld(true);
  return { root, meshes };
}

/** 30 instances that play all clips at times that are stored, so that poses are exact; and what each plays. */
function crowdOf(rate = 30): { crowd: SkinnedCrowd; clips: number[] } {
  const crowd = new SkinnedCrowd(character.scene, { clips: character.clips, rate, capacity: 4 });
  crowd.viewportHeight = 400;
  crowd.position.set(1, 0, -2);
  crowd.scale.setScalar(1.5);
  crowd.updateMatrixWorld(true);
  const clips = Array.from({ length: 30 }, () => Math.floor(random() * character.clips.length));
  clips.forEach((clip) => {
    const i = crowd.addInstance(somewhere());
    const { duration } = character.clips[clip];
    const steps = Math.ceil(duration * rate - 1e-6);
    crowd.play(i, clip, { time: (duration * Math.floor(between(0, steps))) / steps });
  });
  return { crowd, clips };
}

const levelMeshes = (crowd: Object3D): SkinnedMesh<InstancedBufferGeometry>[] =>
  crowd.children as SkinnedMesh<InstancedBufferGeometry>[];

/** The numbers that an instance's matrix has in the lists of what is drawn, by level: `of` seen or all. */
function listed(crowd: SkinnedCrowd, of: 'seenCount' | 'castCount' = 'seenCount'): Map<string, number> {
  const out = new Map<string, number>();
  levelMeshes(crowd).forEach((mesh, l) => {
    const { pliantRow0, pliantRow1, pliantRow2 } = mesh.geometry.attributes;
    const count = (mesh as unknown as Record<typeof of, number>)[of];
    for (let n = 0; n < count; n++) {
      const key = [pliantRow0, pliantRow1, pliantRow2].map((row) => row.getW(n)).join();
      expect(out.has(key)).toBe(false);
      out.set(key, l);
    }
  });
  return out;
}

const keyOf = (crowd: SkinnedCrowd, i: number): string => {
  const { elements } = crowd.getMatrixAt(i, new Matrix4());
  return [...Float32Array.from([elements[12], elements[13], elements[14]])].join();
};

/** Whether triangles of a crowd's finest level face away from the middle of the box that they are of. */
function facesOut(crowd: SkinnedCrowd): boolean {
  const [{ geometry, skeleton }] = levelMeshes(crowd);
  const { position, skinIndex } = geometry.attributes;
  const data = skeleton.boneTexture!.image.data as Float32Array;
  const corner = (c: number): Vector3 => {
    const i = geometry.index!.getX(c);
    const bone = new Matrix4();
    const m = 12 * skinIndex.getX(i);
    bone.set(...(Array.from(data.subarray(m, m + 12)).concat(0, 0, 0, 1) as Parameters<Matrix4['set']>));
    return new Vector3().fromBufferAttribute(position, i).applyMatrix4(bone);
  };
  const box = Array.from({ length: geometry.index!.count }, (_, c) => corner(c));
  return box.every((a, c) => {
    if (c % 3 !== 0) return true;
    const normal = box[c + 1]
      .clone()
      .sub(a)
      .cross(box[c + 2].clone().sub(a));
    // Boxes are 10 apart along x.
    return normal.dot(a.clone().setX(a.x - 10 * Math.round(a.x / 10))) > 0;
  });
}

describe('SkinnedCrowd', () => {
  it('shows mirrored parts from outside, alone and joined with others', () => {
    const material = new MeshBasicMaterial();
    const box = (x: number, mirrored: boolean): Mesh => {
      const mesh = new Mesh(new BoxGeometry(), material);
      mesh.position.x = x;
      mesh.scale.y = mirrored ? -2 : 2;
      return mesh;
    };
    expect(facesOut(new SkinnedCrowd(new Group().add(box(0, true))))).toBe(true);
    expect(facesOut(new SkinnedCrowd(new Group().add(box(0, true), box(10, false), box(20, true))))).toBe(true);
    // A scene that is mirrored as a whole is for its place to mirror.
    const whole = new Group().add(box(0, true), box(10, false));
    whole.scale.z = -1;
    expect(facesOut(new SkinnedCrowd(whole))).toBe(true);
  });

  it('throws and receives shadows as its parts do, until told otherwise', () => {
    const parts = [true, false].map((castShadow) => {
      const mesh = new Mesh(new BoxGeometry(), new MeshBasicMaterial());
      return Object.assign(mesh, { castShadow, receiveShadow: !castShadow });
    });
    const flags = (crowd: SkinnedCrowd) =>
      levelMeshes(crowd).map(({ castShadow, receiveShadow }) => [castShadow, receiveShadow]);
    const crowd = new SkinnedCrowd(new Group().add(...parts));
    expect([crowd.castShadow, crowd.receiveShadow]).toEqual([true, true]);
    const camera = cameraOf();
    const flagsAfter = (change: Partial<Object3D>) => {
      Object.assign(crowd, change);
      crowd.update(camera);
      return flags(crowd);
    };
    expect(flagsAfter({})).toEqual([
      [true, false],
      [false, true],
    ]);
    expect(flagsAfter({ castShadow: false })).toEqual([
      [false, false],
      [false, true],
    ]);
    expect(flagsAfter({ castShadow: true })).toEqual([
      [true, false],
      [false, true],
    ]);
    // As scenes are often told: every mesh by itself.
    crowd.traverse((object) => {
      if ('isMesh' in object) object.castShadow = true;
    });
    expect(flagsAfter({})).toEqual([
      [true, false],
      [true, true],
    ]);
    // Of a file, where no part says anything, all do.
    const plain = new SkinnedCrowd(new Group().add(new Mesh(new BoxGeometry(), new MeshBasicMaterial())));
    plain.castShadow = true;
    plain.update(camera);
    expect(flags(plain)).toEqual([[true, false]]);
  });

  it('draws every instance of which a vertex is in view, and few others', () => {
    const { crowd, clips } = crowdOf();
    const camera = cameraOf();
    crowd.update(camera);
    const frustum = new Frustum().setFromProjectionMatrix(
      new Matrix4().multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse),
    );
    const drawn = listed(crowd);
    let inView = 0;
    clips.forEach((clip, i) => {
      const vertices = threeVertices(alone(crowd, i, clip).meshes);
      let visible = false;
      for (let v = 0; v < vertices.length && !visible; v += 3)
        visible = frustum.containsPoint(new Vector3().fromArray(vertices, v));
      if (visible) {
        inView++;
        expect(drawn.get(keyOf(crowd, i))).toBe(crowd.getLevelAt(i));
      }
    });
    expect(inView).toBeGreaterThan(3);
    expect(drawn.size).toBeLessThan(clips.length - 5);
    expect(crowd.drawn.instances.reduce((a, b) => a + b)).toBe(drawn.size);
  });

  it('lists those out of view for shadows only', () => {
    const { crowd, clips } = crowdOf();
    crowd.castShadow = true;
    crowd.update(cameraOf());
    const seen = listed(crowd);
    const cast = listed(crowd, 'castCount');
    expect(cast.size).toBe(clips.length);
    expect(seen.size).toBeLessThan(clips.length - 5);
    for (const [key, level] of seen) expect(cast.get(key)).toBe(level);
  });

  it('chooses levels by projected errors', () => {
    const { crowd, clips } = crowdOf();
    const camera = cameraOf();
    crowd.update(camera);
    const pixels = 400 / (2 * Math.tan((20 * Math.PI) / 180));
    const errors = character.lod.levels.map(({ error }) => error);
    let used = 0;
    clips.forEach((_, i) => {
      const matrix = crowd.getMatrixAt(i, new Matrix4()).premultiply(crowd.matrixWorld);
      const distance = new Vector3().setFromMatrixPosition(matrix).distanceTo(camera.position);
      const perUnit = (matrix.getMaxScaleOnAxis() * pixels) / distance;
      const level = crowd.getLevelAt(i);
      if (!listed(crowd).has(keyOf(crowd, i))) return;
      used |= 1 << level;
      // The middle of the character is not the point nearest to the camera.
      expect(errors[level] * perUnit).toBeLessThan(1.001);
    });
    expect(used).toBeGreaterThan(3);
  });

  it('keeps its spheres around every pose between those stored', () => {
    const crowd = new SkinnedCrowd(character.scene, { clips: character.clips, rate: 12 });
    const i = crowd.addInstance();
    const raycaster = new Raycaster();
    character.clips.forEach((clip, c) => {
      crowd.play(i, c, { time: 0.37 * clip.duration });
      const { meshes } = alone(crowd, i, c);
      const vertices = threeVertices(meshes);
      // A ray at a vertex that the sphere did not hold would miss.
      for (let n = 0; n < 10; n++) {
        const v = 3 * Math.floor((random() * vertices.length) / 3);
        const target = new Vector3().fromArray(vertices, v);
        const origin = new Vector3(between(-9, 9), between(-9, 9), between(-9, 9));
        raycaster.set(origin, target.clone().sub(origin).normalize());
        expect(levelMeshes(crowd)).toHaveLength(4);
        expect(crowd.sphereAt(i).distanceToPoint(target)).toBeLessThan(0);
      }
    });
  });

  it('is hit by rays where its instances are, as they are posed', () => {
    const { crowd, clips } = crowdOf();
    crowd.update(cameraOf());
    let hits = 0;
    clips.slice(0, 12).forEach((clip, i) => {
      const { meshes } = alone(crowd, i, clip);
      const [mesh] = meshes as SkinnedMesh[];
      mesh.computeBoundingSphere();
      const { center } = mesh.boundingSphere!.clone().applyMatrix4(mesh.matrixWorld);
      const origin = new Vector3(between(-9, 9), 30, between(-9, 9));
      for (let n = 0; n < 3; n++) {
        const aim = center.clone().add(new Vector3(between(-0.4, 0.4), between(-0.8, 0.8), between(-0.4, 0.4)));
        const raycaster = new Raycaster(origin, aim.sub(origin).normalize());
        const expected = raycaster.intersectObject(mesh);
        const ours = raycaster.intersectObject(crowd).filter(({ instanceId }) => instanceId === i);
        expect(ours.map(({ faceIndex }) => faceIndex)).toEqual(expected.map(({ faceIndex }) => faceIndex));
        expected.forEach((hit, h) => {
          expect(ours[h].object).toBe(crowd);
          expect(ours[h].point.distanceTo(hit.point)).toBeLessThan(2e-4);
          expect(Math.abs(ours[h].distance - hit.distance)).toBeLessThan(2e-4);
        });
        hits += expected.length;
      }
    });
    expect(hits).toBeGreaterThan(10);
  });

  it('plays, loops, stops, goes backwards and fades', () => {
    const crowd = new SkinnedCrowd(character.scene, { clips: character.clips });
    const [duration] = character.clips.map((clip) => clip.duration);
    const [looped, once, back] = [0, 1, 2].map(() => crowd.addInstance());
    crowd.play(looped, 0, { time: 0.5 * duration });
    crowd.play(once, character.clips[0].name, { time: 0.5 * duration, loop: false });
    crowd.play(back, 0, { time: 0.5 * duration, speed: -1 });
    crowd.advance(0.75 * duration);
    expect([looped, once, back].map((i) => crowd.getTimeAt(i) / duration)).toEqual([
      expect.closeTo(0.25),
      1,
      expect.closeTo(0.75),
    ]);

    const poseOf = () => {
      crowd.update(cameraOf());
      const { pliantPose } = levelMeshes(crowd).find(({ geometry }) => geometry.instanceCount > 0)!.geometry.attributes;
      return [pliantPose.getX(0), pliantPose.getY(0), pliantPose.getZ(0), pliantPose.getW(0)];
    };
    crowd.setMatrixAt(looped, new Matrix4().setPosition(3, 0, -8));
    crowd.removeInstance(once);
    crowd.setVisibleAt(back, false);
    const [pose, part] = poseOf();
    crowd.play(looped, 1, { fade: 0.5, speed: 0 });
    expect(poseOf().slice(2)).toEqual([expect.closeTo(pose + part, 3), 1]);
    crowd.advance(0.125);
    expect(poseOf()[3]).toBeCloseTo(0.75);
    crowd.advance(1);
    expect(poseOf()[3]).toBe(0);
    expect(poseOf()[0]).toBeGreaterThan(pose);
    expect(() => crowd.play(looped, 'swim')).toThrow(/clip \(got swim, expected one of/);
    expect(() => crowd.getTimeAt(once)).toThrow(/instance \(got 1/);
    expect(crowd.addInstance()).toBe(once);
  });

  it('takes poses live, as the character has them', () => {
    const crowd = new SkinnedCrowd(other.scene);
    const live = Array.from({ length: 20 }, (_, n) => {
      const i = crowd.addInstance(new Matrix4().setPosition(5 * n, 0, 0));
      poseAt(other.scene, other.clips[0], 0.1 * n);
      crowd.setPoseAt(i);
      return i;
    });
    const mesh = other.lod.mesh as SkinnedMesh;
    let hits = 0;
    live.forEach((i, n) => {
      poseAt(other.scene, other.clips[0], 0.1 * n);
      mesh.computeBoundingSphere();
      const origin = new Vector3(0.05, 1, 9);
      const down = new Vector3(0, 0, -1);
      const expected = new Raycaster(origin, down).intersectObject(mesh);
      origin.x += 5 * i;
      const ours = new Raycaster(origin, down).intersectObject(crowd);
      expect(ours.map(({ distance }) => distance)).toEqual(expected.map(({ distance }) => expect.closeTo(distance, 4)));
      hits += ours.length;
    });
    expect(hits).toBeGreaterThan(10);
  });

  it('draws a whole character: parts of one material together, meshes on bones with them', () => {
    const scene = new Group();
    const [one, two] = [new MeshStandardMaterial(), new MeshStandardMaterial()];
    const bone = new Bone();
    const box = (material: MeshStandardMaterial, x: number): Mesh => {
      const mesh = new Mesh(new BoxGeometry(), material);
      mesh.position.x = x;
      return mesh;
    };
    scene.add(bone, box(one, -2), box(two, 0));
    bone.add(box(one, 2));
    const crowd = new SkinnedCrowd(scene);
    expect(crowd.children).toHaveLength(2);
    const i = crowd.addInstance();
    crowd.update(cameraOf());
    expect(crowd.drawn.triangles).toBe(36);
    const hitAt = (x: number): boolean =>
      new Raycaster(new Vector3(x, 0.1, 9), new Vector3(0, 0, -1)).intersectObject(crowd).length > 0;
    expect([-2, -1, 0, 1, 2, 3].map(hitAt)).toEqual([true, false, true, false, true, false]);
    bone.position.x = 1;
    crowd.setPoseAt(i);
    expect([-2, -1, 0, 1, 2, 3].map(hitAt)).toEqual([true, false, true, false, false, true]);
  });

  it('gives back materials, and frees geometries and texture', () => {
    const material = new MeshStandardMaterial();
    character.lod.mesh.material = material;
    const { onBeforeCompile } = material;
    const crowd = new SkinnedCrowd(character.scene);
    expect(material.onBeforeCompile).not.toBe(onBeforeCompile);
    expect(() => useSkinning(character.lod.mesh as SkinnedMesh, 'dqs')).toThrow(/already blends by SkinnedCrowd/);
    const freed = new Set<unknown>();
    const mine = levelMeshes(crowd).flatMap((mesh) => [
      mesh.geometry,
      mesh.skeleton.boneTexture!,
      mesh.customDepthMaterial!,
    ]);
    for (const each of mine as Mesh['geometry'][]) each.addEventListener('dispose', () => freed.add(each));
    const geometries = new Set(character.lod.levels.map(({ geometry }) => geometry));
    for (const each of geometries) each.addEventListener('dispose', () => freed.add(each));
    crowd.dispose();
    expect(freed).toEqual(new Set(mine));
    expect(material.onBeforeCompile).toBe(onBeforeCompile);
    crowd.dispose();
  });

  it('refuses what it cannot draw', () => {
    expect(() => new SkinnedCrowd(new Group())).toThrow(/has no visible mesh/);
    const many = new Group().add(new InstancedMesh(new BoxGeometry(), new MeshBasicMaterial(), 3));
    expect(() => new SkinnedCrowd(many)).toThrow(/got an InstancedMesh or BatchedMesh, expected a Mesh/);
    expect(() => new SkinnedCrowd(character.scene, { rate: 0 })).toThrow(/rate/);
  });
});
