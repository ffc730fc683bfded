import { readFileSync } from 'node:fs';
import { Box3, type BufferAttribute, Group, Mesh, PlaneGeometry, type SkinnedMesh, Vector3 } from 'three';
import { describe, expect, it } from 'vitest';
import { ClothMesh } from '../../adapters/three/index.ts';
import { loadInThree, threeVertices, withoutTextures } from '../three-scene.ts';
import { realData } from './data.ts';

const { path, absent, why } = realData('gltf/');

/** Vertices along a side of the cloth. */
const SIDE = 17;
const HEIGHT = 1.5;

/** The distance of a vertex of the cloth (metres) from the nearest of the body's (3M, units). */
function distanceTo(body: Float32Array, cloth: ArrayLike<number>, vertex: number, metresPerUnit: number): number {
  let least = Infinity;
  for (let o = 0; o < body.length; o += 3) {
    least = Math.min(least, Math.hypot(...[0, 1, 2].map((c) => metresPerUnit * body[o + c] - cloth[3 * vertex + c])));
  }
  return least;
}

describe.skipIf(absent)(`cloth on rigs by others in three.js${why}`, () => {
  // A cloth behind an upright body, held along its upper edge; over one on four legs, along its middle.
  it.each([
    { file: 'CesiumMan.glb', upright: true },
    { file: 'RiggedFigure.glb', upright: true },
    { file: 'Fox.glb', upright: false },
  ])('$file', async ({ file, upright }) => {
    const { meshes, animations, pose, scene } = await loadInThree(withoutTextures(readFileSync(`${path}${file}`)));
    const body = meshes[0] as SkinnedMesh;
    const root = new Group().add(scene);
    root.position.set(30, 0, 20);
    root.updateMatrixWorld(true);
    const box = new Box3().setFromArray(threeVertices([body]));
    const [size, middle] = [box.getSize(new Vector3()), box.getCenter(new Vector3())];
    const metresPerUnit = HEIGHT / Math.max(...size.toArray());
    const gap = 0.02 / metresPerUnit;
    const garment = new Mesh(new PlaneGeometry(size.x / 2, (upright ? size.y : size.z) / 2, SIDE - 1, SIDE - 1));
    garment.position.set(
      middle.x,
      upright ? middle.y + size.y / 10 : box.max.y + gap,
      upright ? box.min.z - gap : middle.z,
    );
    if (!upright) garment.rotation.x = -Math.PI / 2;
    const vertices = Array.from({ length: SIDE }, (_, i) => (upright ? i : i + SIDE * (SIDE >> 1)));
    const cloth = await ClothMesh.create(garment, body, { pins: { vertices }, metresPerUnit });
    const { array } = cloth.geometry.getAttribute('position') as BufferAttribute;
    const distances = () => {
      const points = threeVertices([body]);
      return vertices.map((i) => distanceTo(points, array, i, metresPerUnit));
    };
    const before = distances();
    for (let k = 1; k <= 40; k++) {
      pose(animations[0], (k / 60) % animations[0].duration);
      root.updateMatrixWorld(true);
      cloth.update(1 / 60);
      expect(cloth.geometry.boundingSphere!.radius).toBeLessThan(HEIGHT / 2);
    }
    const moved = distances().map((d, p) => Math.abs(d - before[p]));
    expect(Math.max(...moved)).toBeLessThan(0.1);
    cloth.dispose();
  });
});
