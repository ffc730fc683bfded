import { MeshBasicMaterial, type Object3D, PerspectiveCamera, Scene } from 'three';
import { WebGPURenderer } from 'three/webgpu';
import { GeometryImageMesh, LodMesh, SkinnedCrowd, useSkinning } from '../../../adapters/three/index.ts';
import { madeImages } from '../../lod/made-images.ts';
import { icosphere } from '../../mesh/shapes.ts';
import { randomRig } from '../../skin/rigs.ts';
import { threeModel } from '../../three-mesh.ts';

const MAKE = {
  useSkinning: () => {
    const { mesh } = threeModel(randomRig({ seed: 1 }));
    useSkinning(mesh, 'dqs');
    return mesh;
  },
  SkinnedCrowd: () => {
    const crowd = new SkinnedCrowd(threeModel(randomRig({ seed: 1 })).mesh);
    crowd.addInstance();
    return crowd;
  },
  GeometryImageMesh: () => new GeometryImageMesh(madeImages(icosphere(0), 2), new MeshBasicMaterial()),
  LodMesh: () => {
    const { mesh } = threeModel(randomRig({ seed: 1 }));
    const { geometry } = mesh;
    return new LodMesh(mesh, [
      { geometry, error: 0 },
      { geometry: geometry.clone(), error: 0.1 },
    ]);
  },
} satisfies Record<string, () => Object3D>;

Object.assign(globalThis, {
  /** What three.js's renderer of nodes says to objects of ours, each drawn twice. */
  async draw(): Promise<Record<string, string>> {
    const out: Record<string, string> = {};
    for (const [name, make] of Object.entries(MAKE)) {
      const renderer = new WebGPURenderer({ forceWebGL: true });
      await renderer.init();
      renderer.setSize(64, 48);
      const camera = new PerspectiveCamera(50, 1, 0.1, 1e4);
      camera.position.z = 5;
      const object = make();
      object.traverse((each) => {
        each.frustumCulled = false;
      });
      try {
        renderer.render(new Scene().add(object), camera);
        camera.position.z = 5000;
        renderer.render(new Scene().add(object), camera);
        out[name] = object instanceof LodMesh ? `level ${object.level}` : 'drawn';
      } catch (error) {
        out[name] = String(error);
      }
      renderer.dispose();
    }
    return out;
  },
});
