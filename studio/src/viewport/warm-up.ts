import { PerspectiveCamera } from 'three';
import { type Mesh, type SkinnedModel, Skinner } from '../../../src/index.ts';
import { identity34 } from '../../../src/math/matrix34.ts';
import { canvasOf, sharedRenderer } from './renderer.ts';
import { SkinnedSurface } from './skinned-surface.ts';
import { Stage } from './stage.ts';
import { MovingSurface, type Surface } from './surface.ts';

const MESH: Mesh = { positions: new Float32Array(9), triangles: Uint32Array.of(0, 1, 2) };

/** A triangle on one bone. */
const MODEL: SkinnedModel = {
  name: '',
  mesh: MESH,
  weights: { influences: 1, joints: new Uint16Array(3), weights: new Float32Array(3).fill(1) },
  skeleton: {
    names: [''],
    parents: Int32Array.of(-1),
    restLocals: new Float32Array(10),
    inverseBind: identity34(1),
  },
  clips: [],
  operator: 'lbs',
};

/** Milliseconds reserved for the first frame. */
const PATIENCE = 1000;

/**
 * Compiles the shaders of plain and painted surfaces, with and without bones, and the kernels that pose vertices, and starts
 * a 2D canvas, before they are needed: all of it is slow and would delay the first frame or the end of a fit. The surfaces
 * are never disposed, so that the shaders stay.
 */
export async function warmUp(): Promise<void> {
  const shared = sharedRenderer();
  const { renderer } = shared;
  const { scene } = new Stage();
  const camera = new PerspectiveCamera();
  const add = (surface: Surface, colours?: Float32Array): void => {
    surface.layers.paint(colours);
    scene.add(surface.object);
  };
  const make = (): void => {
    renderer.compile(scene, camera);
    // Shadows have shaders of their own, which only a picture makes: one set before three.js has counted the lights of a
    // scene, in its first picture, and one after.
    for (let pictures = 0; pictures < 2; pictures++) {
      if (!canvasOf(shared).isConnected) renderer.render(scene, camera);
    }
  };
  add(new MovingSurface(MESH));
  make();
  await new Promise((done) => setTimeout(done, PATIENCE));
  add(new SkinnedSurface(MODEL));
  add(new MovingSurface(MESH), new Float32Array(9));
  add(new SkinnedSurface(MODEL), new Float32Array(9));
  make();
  new Skinner(MODEL, { operator: 'lbs', normals: false }).dispose();
  // Browsers draw smaller canvases on the CPU.
  Object.assign(document.createElement('canvas'), { width: 512, height: 256 }).getContext('2d')?.fillRect(0, 0, 1, 1);
}
