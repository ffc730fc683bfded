/** The test-bed of Antonopoulos 2010, §6.2, made anew: the same four motions, at any resolution. */
import { camel } from './camel.ts';
import { flagSheet } from './garments.ts';
import type { ClothScene, ClothSceneName } from './scene.ts';
import { LAYERS } from './self-collision.ts';
import { geodesicSphere, sheet } from './shapes.ts';

const SCENES: Record<ClothSceneName, (vertices: number, seed: number) => ClothScene> = {
  flag,
  tablecloth,
  balloon,
  collapse,
};

/** A scene with about `vertices` vertices. `seed` chooses the eddies of the flag's wind; the others need no chance. */
export const clothScene = (name: ClothSceneName, vertices: number, seed: number): ClothScene =>
  SCENES[name](vertices, seed);

/** What most of the scenes have in common. */
const MATERIAL = { compression: 0.4, viscosity: 2e-3, thickness: 0.005 };
const LOOSE = { pinned: new Uint32Array(0), layers: LAYERS.simulated };

/** 1.5 m × 1 m, held along its left edge, in a gusty wind: moderate deformation at the pole, extreme at the free edge. */
function flag(vertices: number, seed: number): ClothScene {
  return {
    ...flagSheet(vertices),
    name: 'flag',
    material: {
      ...MATERIAL,
      density: 0.15,
      waveSpeed: 40,
      bending: 6e-5,
      viscosity: 1e-3,
      friction: 0.3,
      thickness: 0.004,
    },
    colliders: [],
    wind: { velocity: [5, 0, 0.6], turbulence: 0.35, eddy: 0.7, seed },
    layers: LAYERS.simulated,
  };
}

/** A square of 1.6 m falls on a table of 0.9 m: the middle stays flat, folds form at the edges. */
function tablecloth(vertices: number): ClothScene {
  const mesh = sheet('tablecloth', vertices, [-0.8, 1, 0.8], [1.6, 0, 0], [0, 0, -1.6]);
  return {
    ...LOOSE,
    name: 'tablecloth',
    mesh,
    material: { ...MATERIAL, density: 0.2, waveSpeed: 40, bending: 1.2e-4, viscosity: 1.5e-3, friction: 0.5 },
    colliders: [
      { kind: 'box', center: [0, 0.375, 0], halfSize: [0.45, 0.375, 0.45], rounding: 0.02 },
      { kind: 'floor', height: 0 },
    ],
  };
}

/** A limp ball of 0.8 m falls on a pole. The air inside keeps it from collapsing altogether. */
function balloon(vertices: number): ClothScene {
  return {
    ...LOOSE,
    name: 'balloon',
    mesh: geodesicSphere('balloon', vertices, [0.005, 1.45, 0.003], 0.4),
    material: { ...MATERIAL, density: 0.2, waveSpeed: 50, bending: 1.5e-4, friction: 0.9 },
    colliders: [
      { kind: 'capsule', a: [0, -0.2, 0], b: [0, 0.9, 0], radius: 0.1 },
      { kind: 'floor', height: 0 },
    ],
    pressure: 6,
  };
}

/** A hollow camel of cloth collapses under its own weight. */
function collapse(vertices: number): ClothScene {
  return {
    ...LOOSE,
    name: 'collapse',
    mesh: camel(vertices),
    material: { ...MATERIAL, density: 0.3, waveSpeed: 60, bending: 3e-4, compression: 0.5, friction: 0.6 },
    colliders: [{ kind: 'floor', height: 0 }],
  };
}
