import { type ClothBody, type ClothMaterial, clothBody } from '../../src/cloth/body.ts';
import type { ClothScene } from '../../src/cloth/scene.ts';
import { sheet } from '../../src/cloth/shapes.ts';
import type { Mesh } from '../../src/model/mesh.ts';

export const COTTON: ClothMaterial = {
  density: 0.2,
  waveSpeed: 20,
  bending: 1.5e-4,
  compression: 0.4,
  viscosity: 1e-3,
  friction: 0.4,
  thickness: 0.005,
};

/** A square metre at height 1, lying flat. */
const square = (vertices: number): Mesh => sheet('square', vertices, [0, 1, 0], [1, 0, 0], [0, 0, -1]);

export const squareBody = (vertices: number, pinned: number[] = []): ClothBody =>
  clothBody(square(vertices), COTTON, pinned);

export const squareScene = (vertices: number, more: Partial<ClothScene> = {}): ClothScene => ({
  name: 'square',
  mesh: square(vertices),
  material: COTTON,
  pinned: new Uint32Array(0),
  colliders: [],
  layers: 0,
  ...more,
});

/** Rotates 3N numbers about a fixed skew axis and moves them. */
export function moved(x: Float64Array): Float64Array {
  // (1, 2, 2)/3 by 90°: R = a·aᵀ + [a]×.
  const r = [
    1 / 9,
    2 / 9 - 2 / 3,
    2 / 9 + 2 / 3,
    2 / 9 + 2 / 3,
    4 / 9,
    4 / 9 - 1 / 3,
    2 / 9 - 2 / 3,
    4 / 9 + 1 / 3,
    4 / 9,
  ];
  const out = new Float64Array(x.length);
  for (let o = 0; o < x.length; o += 3) {
    for (let c = 0; c < 3; c++) {
      out[o + c] = r[3 * c] * x[o] + r[3 * c + 1] * x[o + 1] + r[3 * c + 2] * x[o + 2] + [5, -3, 2][c];
    }
  }
  return out;
}
