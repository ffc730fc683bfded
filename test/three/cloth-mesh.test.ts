import {
  BufferAttribute,
  BufferGeometry,
  Euler,
  Group,
  Matrix4,
  Mesh,
  PlaneGeometry,
  Quaternion,
  Skeleton,
  SkinnedMesh,
  Vector3,
} from 'three';
import { GLTFLoader } from 'three/examples/jsm/loaders/GLTFLoader.js';
import { describe, expect, it } from 'vitest';
import { ClothLoaderPlugin, ClothMesh, type ClothMeshOptions } from '../../adapters/three/index.ts';
import { fitCapsules } from '../../src/cloth/capsules.ts';
import { clothModel } from '../../src/cloth/cloth-model.ts';
import { coarseMesh } from '../../src/cloth/coarse-mesh.ts';
import { runCloth } from '../../src/cloth/run.ts';
import { sheet } from '../../src/cloth/shapes.ts';
import { writeModelGlb } from '../../src/io/write-glb.ts';
import { vertexNormals } from '../../src/mesh/normals.ts';
import { clipFrame } from '../../src/model/skeleton.ts';
import type { TrainedCloth } from '../../src/model/trained-cloth.ts';
import { sampleFigure } from '../../src/rig/samples/figure.ts';
import { posedSequence } from '../../src/skin/posed-sequence.ts';
import { steadyClip } from '../../src/skin/poses.ts';
import { expectRefusal } from '../refusal.ts';
import { farthest } from '../skin/rigs.ts';
import { threeModel } from '../three-mesh.ts';

const figure = sampleFigure(1200, 30, 30);
const walk = steadyClip(figure.skeleton, figure.clips.find(({ name }) => name === 'walk')!, 30);
const pose = (k: number): Float32Array => clipFrame(walk, k);

const cape = sheet('cape', 300, [0.2, 1.4, -0.17], [-0.4, 0, 0], [0, -0.9, -0.08]);
// Waves: which way a flat sheet buckles is up to the last digit.
for (let o = 0; o < cape.positions.length; o += 3)
  cape.positions[o + 2] -= 0.02 + 0.02 * Math.cos(30 * cape.positions[o]);
const count = cape.positions.length / 3;
const pinned = Uint32Array.from({ length: count }, (_, i) => i).filter((i) => cape.positions[3 * i + 1] > 1.395);
const QUICK: ClothMeshOptions = { coarseVertices: 60, settle: 0.2, stepsPerSecond: 30, pins: { vertices: pinned } };

function capeGeometry(): BufferGeometry {
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new BufferAttribute(cape.positions.slice(), 3));
  geometry.setIndex(new BufferAttribute(cape.triangles, 1));
  return geometry;
}

const shown = (mesh: Mesh, name = 'position'): Float32Array =>
  (mesh.geometry.getAttribute(name) as BufferAttribute).array as Float32Array;

/** What the command line would compute for the first `frames` frames of the walk. */
async function oracle(frames: number, coarseVertices: number): Promise<Float32Array[]> {
  const clip = {
    ...walk,
    times: walk.times.slice(0, frames),
    transforms: walk.transforms.slice(0, frames * pose(0).length),
  };
  const body = {
    sequence: posedSequence({ ...figure, clips: [clip] }, 0),
    rig: { capsules: fitCapsules(figure), names: figure.skeleton.names, clip },
  };
  const { sequence } = await runCloth({ mesh: cape, pinned }, body, { coarseVertices, settle: 0.2 });
  return Promise.all(Array.from({ length: frames }, (_, k) => sequence.readFrame(k)));
}

describe('ClothMesh', () => {
  it('moves as runCloth does, wherever mesh and armature stand', async () => {
    // In place; and a body of centimetres, lying on its back, under a group that scales and turns it upright elsewhere.
    for (const scaled of [false, true]) {
      // How a regular sheet is decimated depends on the last digit: where it is turned, all vertices are simulated.
      const coarseVertices = scaled ? count : 60;
      const frames = await oracle(8, coarseVertices);
      const { mesh: body, pose: move } = threeModel(figure);
      const root = new Group().add(body);
      const garment = new Mesh(capeGeometry());
      if (scaled) {
        const toFile = new Matrix4().compose(
          new Vector3(),
          new Quaternion().setFromEuler(new Euler(Math.PI / 2, 0, 0)),
          new Vector3(100, 100, 100),
        );
        body.geometry.applyMatrix4(toFile);
        const back = toFile.clone().invert();
        for (const inverse of body.skeleton.boneInverses) inverse.multiply(back);
        garment.geometry.applyMatrix4(toFile);
        const group = new Group();
        back.decompose(group.position, group.quaternion, group.scale);
        // The armature: bones keep their own transforms, mesh and garment are under the node of scale 0.01.
        const bones = new Group().add(...body.skeleton.bones);
        root.clear().add(bones, group.add(body, garment));
        root.position.set(3, 1, -2);
        root.rotation.y = 1;
      }
      const place = root.updateMatrixWorld(true) ?? root.matrixWorld.clone();
      move(pose(0));
      const cloth = await ClothMesh.create(garment, body, { ...QUICK, coarseVertices });
      new Group().add(cloth).scale.setScalar(7); // what it hangs on does not matter
      cloth.pauseUnseen = false;
      for (let k = 0; k < frames.length; k++) {
        if (k > 0) {
          move(pose(k));
          cloth.update(1 / 30);
        }
        cloth.updateMatrixWorld(true);
        const world = shown(cloth).slice();
        const expected = frames[k].slice();
        const point = new Vector3();
        for (let o = 0; o < world.length; o += 3) {
          point.fromArray(world, o).applyMatrix4(cloth.matrixWorld).toArray(world, o);
          point.fromArray(expected, o).applyMatrix4(place).toArray(expected, o);
        }
        expect(farthest(world, expected)).toBeLessThan(scaled ? 5e-3 : 1e-6);
      }
      expect(farthest(shown(cloth, 'normal'), vertexNormals(cape, shown(cloth), 'area'))).toBeLessThan(1e-6);
      cloth.dispose();
    }
  });

  it('takes a garment that is skinned to the same bones, whatever the space of its own', async () => {
    const { mesh: body, pose: move } = threeModel(figure);
    // In centimetres, bound by inverse matrices of its own.
    const inverses = body.skeleton.boneInverses.map((inverse) => inverse.clone().scale(new Vector3(0.01, 0.01, 0.01)));
    const garment = new SkinnedMesh(capeGeometry().scale(100, 100, 100));
    garment.bind(new Skeleton(body.skeleton.bones, inverses), new Matrix4());
    garment.position.set(5, 5, 5); // which skinning does not heed
    move(pose(9));
    const options = { ...QUICK, coarseVertices: count };
    const skinned = await ClothMesh.create(garment, body, options);
    const plain = await ClothMesh.create(capeGeometry(), body, options);
    expect(farthest(shown(skinned), shown(plain))).toBeLessThan(5e-3);
    expect(Object.keys(skinned.geometry.attributes).sort()).toEqual(['normal', 'position']);
  });

  it('counts in metres whatever the unit of the world', async () => {
    const { mesh: body } = threeModel(figure);
    const hundred = new Group().add(body);
    hundred.scale.setScalar(100);
    const metres = await ClothMesh.create(capeGeometry(), threeModel(figure).mesh, QUICK);
    const cloth = await ClothMesh.create(capeGeometry(), body, { ...QUICK, metresPerUnit: 0.01 });
    expect(farthest(shown(cloth), shown(metres))).toBeLessThan(1e-4);
    expect(cloth.matrixWorld.getMaxScaleOnAxis()).toBeCloseTo(100);
  });

  it('moves the two sides of a seam together, with one normal', async () => {
    const geometry = new PlaneGeometry(0.4, 0.9, 8, 16).toNonIndexed(); // every triangle on its own
    geometry.translate(0, 0.95, -0.2);
    geometry.setAttribute(
      'tangent',
      new BufferAttribute(new Float32Array(4 * geometry.getAttribute('position').count), 4),
    );
    const cloth = await ClothMesh.create(geometry, threeModel(figure).mesh, {
      ...QUICK,
      pins: { bones: ['chest'], distance: 0.1 },
    });
    cloth.wind.set(2, 0, -1);
    for (let k = 0; k < 5; k++) cloth.update(1 / 30);
    const at = geometry.getAttribute('position').array;
    const sides = new Map<string, number>();
    let pairs = 0;
    for (let w = 0; w < at.length / 3; w++) {
      const key = at.slice(3 * w, 3 * w + 3).join();
      const other = sides.get(key) ?? w;
      if (other !== w) pairs++;
      sides.set(key, other);
      for (const name of ['position', 'normal']) {
        const values = shown(cloth, name);
        expect(values.slice(3 * w, 3 * w + 3)).toEqual(values.slice(3 * other, 3 * other + 3));
      }
    }
    expect(pairs).toBeGreaterThan(500);
    expect(Object.keys(cloth.geometry.attributes).sort()).toEqual(['normal', 'position', 'uv']);
  });

  it('finds pins by bone, colour and number, and says what pins nothing', async () => {
    const { mesh: body } = threeModel(figure);
    const geometry = capeGeometry();
    const make = (pins: ClothMeshOptions['pins']) => ClothMesh.create(geometry, body, { ...QUICK, pins });
    await expectRefusal(make({ bones: ['chets'] }), 'bad-input');
    await expectRefusal(make({ bones: ['head'], distance: 0 }), 'bad-input');
    await expectRefusal(make({ color: 'red' }), 'bad-input');
    await expectRefusal(make({ vertices: [count] }), 'bad-input');
    const red = new Float32Array(3 * count);
    for (const i of pinned) red[3 * i] = 1;
    geometry.setAttribute('color', new BufferAttribute(red, 3));
    const [painted, listed] = [await make({ color: 'red' }), await make({ vertices: pinned })];
    expect(shown(painted)).toEqual(shown(listed));
    expect((await make({})).notes.map(({ code }) => code)).toContain('no-pins');
  });

  it('holds still for a stalled tab, teleports, twice the motion and a hand that pulls', async () => {
    const { mesh: body, pose: move } = threeModel(figure);
    const cloth = await ClothMesh.create(capeGeometry(), body, QUICK);
    const expectNear = (): void => {
      const { boundingSphere } = cloth.geometry;
      expect(boundingSphere!.center.distanceTo(new Vector3(0, 1, 0).add(body.position))).toBeLessThan(1);
      expect(boundingSphere!.radius).toBeLessThan(0.9);
      expect(shown(cloth).every(Number.isFinite)).toBe(true);
    };
    move(pose(5));
    expectNear();
    cloth.update(10);
    expectNear();
    body.position.set(40, 0, 40);
    cloth.update(1 / 60);
    expectNear();
    cloth.grab(count - 1, new Vector3(0, 100, 0));
    for (let k = 0; k < 20; k++) {
      move(pose((2 * k) % 30));
      cloth.update(1 / 30);
      expectNear();
    }
    cloth
      .release()
      .reset()
      .update(1 / 30);
    expectNear();
    cloth.wind.set(Number.NaN, 0, 0);
    expect(() => cloth.update(1 / 30)).toThrow(expect.objectContaining({ code: 'bad-input' }));
  });

  it('rests while nobody sees it, goes where the body goes, and wakes', async () => {
    const { mesh: body } = threeModel(figure);
    const cloth = await ClothMesh.create(capeGeometry(), body, QUICK);
    for (let k = 0; k < 30; k++) cloth.update(1 / 30);
    expect(cloth.paused).toBe(false); // nothing draws here
    cloth.onBeforeRender();
    for (let k = 0; k < 40; k++) cloth.update(0);
    expect(cloth.paused).toBe(false); // no time has passed
    for (let k = 0; k < 30; k++) cloth.update(1 / 30);
    expect(cloth.paused).toBe(true);
    const before = shown(cloth).slice();
    body.position.set(10, 0, 0);
    body.rotation.y = Math.PI;
    cloth.wind.set(0, 0, 5);
    cloth.update(1 / 30);
    expect(shown(cloth)).toEqual(before);
    const seen = new Vector3().fromArray(before).applyMatrix4(cloth.matrixWorld);
    expect(seen.distanceTo(new Vector3(10 - before[0], before[1], -before[2]))).toBeLessThan(1e-5);
    cloth.onBeforeRender();
    cloth.update(1 / 30);
    expect(cloth.paused).toBe(false);
    expect(cloth.matrixWorld).toEqual(new Matrix4());
    const awake = new Vector3().fromArray(shown(cloth));
    expect(awake.distanceTo(seen)).toBeLessThan(0.2);
  });

  it('wears trained cloth that GLTFLoader read', async () => {
    const coarse = await coarseMesh(cape, pinned, 60);
    const trained: TrainedCloth = {
      name: 'cape',
      coarse: coarse.mesh,
      fine: cape,
      pinned: { coarse: coarse.pinned, fine: pinned },
      thickness: 0.006,
      method: 'embed',
      physics: 'alone',
    };
    const { bytes } = await writeModelGlb(clothModel(trained), { cloth: trained });
    const loader = new GLTFLoader();
    loader.register((parser) => new ClothLoaderPlugin(parser));
    const { userData } = await loader.parseAsync(bytes.slice().buffer as ArrayBuffer, '');
    expect(userData.cloth).toEqual(trained);
    const { mesh: body, pose: move } = threeModel(figure);
    const [read, plain] = [
      await ClothMesh.create(userData.cloth, body, { ...QUICK, pins: undefined }),
      await ClothMesh.create(capeGeometry(), body, QUICK),
    ];
    move(pose(3));
    for (const cloth of [read, plain]) cloth.update(1 / 30);
    expect(farthest(shown(read), shown(plain))).toBeLessThan(1e-6);
    await expectRefusal(ClothMesh.create({ ...trained, thickness: -1 }, body), 'bad-input');
  });

  it('has clones that show the same cloth', async () => {
    const cloth = await ClothMesh.create(capeGeometry(), threeModel(figure).mesh, QUICK);
    const clone = new Group().add(cloth).clone().children[0] as Mesh;
    expect(clone.geometry).toBe(cloth.geometry);
    expect(clone).not.toBeInstanceOf(ClothMesh);
  });

  it('is computed here where there are no workers', async () => {
    const cloth = await ClothMesh.create(capeGeometry(), threeModel(figure).mesh, { ...QUICK, worker: true });
    expect(cloth.inWorker).toBe(false);
  });

  it('refuses what it cannot dress', async () => {
    const { mesh: body } = threeModel(figure);
    await expectRefusal(ClothMesh.create(new BufferGeometry(), body), 'bad-input');
    await expectRefusal(ClothMesh.create(capeGeometry(), new Mesh() as never), 'bad-input');
    await expectRefusal(ClothMesh.create(capeGeometry(), body, { metresPerUnit: 0 }), 'bad-option', {
      option: 'metresPerUnit',
    });
  });
});
