import { MeshoptDecoder } from 'meshoptimizer/decoder';
import { Scene, WebGLRenderer } from 'three';
import { GLTFLoader } from 'three/examples/jsm/loaders/GLTFLoader.js';
import { PredictorLoaderPlugin, PredictorMesh } from '../../../adapters/three/index.ts';
import { captureVertices } from './capture.ts';

/** Loads what `pliant learn` wrote, moves its control points, and says where the GPU has its vertices. */

const scene = new Scene();
const renderer = new WebGLRenderer();
let mesh: PredictorMesh;

Object.assign(globalThis, {
  async load(base64: string) {
    const loader = new GLTFLoader().setMeshoptDecoder(MeshoptDecoder);
    loader.register((parser) => new PredictorLoaderPlugin(parser));
    const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
    const { userData } = await loader.parseAsync(bytes.buffer, '');
    mesh = new PredictorMesh(userData.predictor);
    scene.clear().add(mesh);
  },
  drive(points: number[]) {
    mesh.points.set(points);
    mesh.update();
    return Array.from(captureVertices(renderer, scene, mesh, 'transformed'));
  },
});
