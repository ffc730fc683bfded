import { MeshoptDecoder } from 'meshoptimizer/decoder';
import { type BufferAttribute, Raycaster, Vector3 } from 'three';
import { GLTFLoader } from 'three/examples/jsm/loaders/GLTFLoader.js';
import { beforeAll, describe, expect, it } from 'vitest';
import { PredictorLoaderPlugin, PredictorMesh } from '../../adapters/three/index.ts';
import { writeModelGlb } from '../../src/io/write-glb.ts';
import { SurfaceDriver } from '../../src/learn/drive.ts';
import { learn } from '../../src/learn/learn.ts';
import { predictorModel } from '../../src/learn/predictor-model.ts';
import { vertexNormals } from '../../src/mesh/normals.ts';
import type { Predictor } from '../../src/model/predictor.ts';
import { memorySequence } from '../../src/model/sequence.ts';
import { bendingTube } from '../learn/bending-tube.ts';
import { farthest } from '../skin/rigs.ts';

/** A tube with a seam along its side, as uvs make one, of another space than three.js's. */
async function seamedTube(): Promise<Predictor> {
  const tube = bendingTube([0, 0.5, 1, 1.5, 2]);
  const { positions, triangles } = tube.rest;
  const n = positions.length / 3;
  const split = triangles.map((i, c) => (i === 24 && c % 2 === 1 ? n : i)); // vertex 24 is two, at some corners
  const seams = { vertexOf: Uint32Array.from({ length: n + 1 }, (_, w) => (w < n ? w : 24)), triangles: split };
  const uvs = Float32Array.from({ length: 2 * (n + 1) }, (_, c) => (c % 7) / 7);
  const rest = { positions, triangles, seams, uvs, space: { up: 'z', metresPerUnit: 0.5 } as const };
  const frames = await Promise.all([0, 1, 2, 3, 4].map((k) => tube.readFrame(k)));
  return (await learn([memorySequence('tube', rest, frames)], { points: 3, bones: 6 })).predictor;
}

async function load(predictor: Predictor, compress: 'none' | 'meshopt'): Promise<Predictor> {
  const { bytes } = await writeModelGlb(predictorModel(predictor), { predictor, compress });
  const loader = new GLTFLoader().setMeshoptDecoder(MeshoptDecoder);
  loader.register((parser) => new PredictorLoaderPlugin(parser));
  const gltf = await loader.parseAsync(bytes.slice().buffer as ArrayBuffer, '');
  return gltf.userData.predictor as Predictor;
}

const shown = (mesh: PredictorMesh, name: string): Float32Array =>
  (mesh.geometry.getAttribute(name) as BufferAttribute).array as Float32Array;

describe('PredictorMesh', () => {
  let predictor: Predictor;
  beforeAll(async () => {
    predictor = await seamedTube();
  }, 30_000);

  it.each(['none', 'meshopt'] as const)(
    'GLTFLoader reads predictors, bit for bit; compressed: %s',
    async (compress) => {
      expect(await load(predictor, compress)).toEqual(predictor);
    },
  );

  it('leaves files without a predictor alone', async () => {
    const { bytes } = await writeModelGlb(predictorModel(predictor));
    const loader = new GLTFLoader().setMeshoptDecoder(MeshoptDecoder);
    loader.register((parser) => new PredictorLoaderPlugin(parser));
    const { userData } = await loader.parseAsync(bytes.slice().buffer as ArrayBuffer, '');
    expect(userData).toEqual({});
  });

  it('shows what SurfaceDriver computes, with normals of that', () => {
    const mesh = new PredictorMesh(predictor);
    const driver = new SurfaceDriver(predictor);
    const moved = mesh.getPoint(1, new Vector3()).add(new Vector3(0.2, -0.3, 0.1));
    expect(mesh.setPoint(1, moved).update()).toBe(mesh);
    const { positions, distance } = driver.drive(mesh.points);
    const { vertexOf } = predictor.mesh.seams!;
    const split = Float32Array.from(
      { length: 3 * vertexOf.length },
      (_, c) => positions[3 * vertexOf[Math.floor(c / 3)] + (c % 3)],
    );
    expect(shown(mesh, 'position')).toEqual(split);
    expect(mesh.distance).toBe(distance);
    expect(farthest(shown(mesh, 'normal'), vertexNormals(predictor.mesh, positions))).toBeLessThan(1e-6);
    mesh.rest().update();
    expect(shown(mesh, 'position')).not.toEqual(split);
    mesh.dispose();
  });

  it('stands as its file does: y up, in metres; and rays hit it where it is', () => {
    const mesh = new PredictorMesh(predictor);
    mesh.updateMatrixWorld();
    expect(mesh.localToWorld(new Vector3(2, 0, 4)).distanceTo(new Vector3(1, 2, 0))).toBeLessThan(1e-6);
    const towards = mesh.localToWorld(new Vector3(2, 0, 0));
    const from = mesh.localToWorld(new Vector3(2, 0.01, 9));
    const ray = new Raycaster(from, towards.sub(from).normalize());
    expect(ray.intersectObject(mesh).length).toBeGreaterThan(0);
    // Bent away.
    mesh.points.forEach((x, c) => {
      mesh.points[c] = c % 3 === 1 ? x + 5 : x;
    });
    mesh.update();
    expect(ray.intersectObject(mesh)).toEqual([]);
  });

  it('knows its points by name, and says how far it is stretched', () => {
    const mesh = new PredictorMesh({ ...predictor, names: ['root', 'middle', 'tip'] });
    const there = mesh.getPoint('tip', new Vector3());
    expect(mesh.getPoint(2, new Vector3())).toEqual(there);
    expect(mesh.strain()!.strain).toBeLessThan(1.1);
    mesh.setPoint('tip', there.multiplyScalar(9)).update();
    expect(mesh.strain()!.strain).toBeGreaterThan(2);
    expect(new PredictorMesh({ ...predictor, stretch: undefined }).strain()).toBeUndefined();
  });

  it('refuses points that it does not have', () => {
    const mesh = new PredictorMesh(predictor);
    expect(() => mesh.setPoint(3, new Vector3())).toThrow(
      expect.objectContaining({ code: 'bad-input', operation: 'PredictorMesh' }),
    );
    expect(() => mesh.getPoint('nose', new Vector3())).toThrow(
      expect.objectContaining({ code: 'bad-input', operation: 'PredictorMesh' }),
    );
    expect(() => mesh.setPoint(0, new Vector3(Number.NaN)).update()).toThrow(
      expect.objectContaining({ code: 'bad-input' }),
    );
  });
});
