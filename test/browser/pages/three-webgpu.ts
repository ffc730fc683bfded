import { PerspectiveCamera, Scene } from 'three';
import { WebGPURenderer } from 'three/webgpu';
import { useSkinning } from '../../../adapters/three/index.ts';
import { randomRig } from '../../skin/rigs.ts';
import { threeModel } from '../../three-mesh.ts';

Object.assign(globalThis, {
  /** What three.js's renderer of nodes says to a mesh under `useSkinning`. */
  async draw(): Promise<string> {
    const renderer = new WebGPURenderer({ forceWebGL: true });
    await renderer.init();
    const { mesh } = threeModel(randomRig({ seed: 1 }));
    useSkinning(mesh, 'dqs');
    mesh.frustumCulled = false;
    try {
      renderer.render(new Scene().add(mesh), new PerspectiveCamera());
    } catch (error) {
      return String(error);
    }
    return 'drawn';
  },
});
