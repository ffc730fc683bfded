/** Garments modelled on the sample figure, and the sheets of the other scenes: what pairs are simulated of. */
import type { Vector } from '../math/vector.ts';
import { wrapUvs } from '../mesh/wrap-uvs.ts';
import { type Mesh, splitVertexCount, vertexCount } from '../model/mesh.ts';
import { finished, sheet } from './shapes.ts';
import type { Garment } from './worn.ts';

const pinnedWhere = (mesh: Mesh, isPinned: (u: number, v: number) => boolean): Garment => ({
  mesh,
  pinned: Uint32Array.from({ length: vertexCount(mesh) }, (_, i) => i).filter((i) =>
    isPinned(mesh.uvs![2 * i], mesh.uvs![2 * i + 1]),
  ),
});

/** The mesh of a garment, with vertex colours: red where it is pinned, white elsewhere. */
export function paintedGarment({ mesh, pinned }: Garment): Mesh {
  const isPinned = new Set(pinned);
  const values = new Uint8Array(4 * splitVertexCount(mesh)).fill(255);
  for (let w = 0; w < splitVertexCount(mesh); w++) {
    if (isPinned.has(mesh.seams?.vertexOf[w] ?? w)) values.fill(0, 4 * w + 1, 4 * w + 3);
  }
  return { ...mesh, attributes: { COLOR_0: { size: 4, values, normalized: true } } };
}

/** 1.5 m × 1 m, held along its left edge. */
export const flagSheet = (vertices: number): Garment =>
  pinnedWhere(sheet('flag', vertices, [0, 1, 0], [1.5, 0, 0], [0, 1, 0]), (u) => u === 0);

/** Half of the side of the sheet that is dragged over a ball, m. */
export const DRAG_SIDE = 0.4;

/** A square of 0.8 m at height 0, held by its corners. */
export function dragSheet(vertices: number): Garment {
  const a = DRAG_SIDE;
  const mesh = sheet('drag', vertices, [-a, 0, a], [2 * a, 0, 0], [0, 0, -2 * a]);
  return pinnedWhere(mesh, (u, v) => Math.abs(u - 0.5) + Math.abs(v - 0.5) > 0.96);
}

/** A skirt from the waist to above the knees; it widens into a bell. */
export function skirtGarment(vertices: number): Garment {
  const around = 2 * Math.round(Math.sqrt(vertices / 1.1) / 2);
  const rows = Math.round(vertices / around);
  const mesh = tube('skirt', around, rows, (turn, s) => {
    const radius = 0.165 + 0.17 * s - 0.02 * s * s;
    return [radius * Math.sin(turn), 1.04 - 0.46 * s, 0.9 * radius * Math.cos(turn)];
  });
  return pinnedWhere(mesh, (_, v) => v === 1);
}

/** A cape down to the calves. It lies on both shoulders and behind the neck, where it is held, and widens below. */
export function capeGarment(vertices: number): Garment {
  const flat = sheet('cape', vertices, [0, 0, 0], [0.65, 0, 0], [0, 1.1, 0]);
  const positions = new Float32Array(flat.positions.length);
  for (let i = 0; i < vertexCount(flat); i++) {
    positions.set(capePoint(flat.uvs![2 * i], flat.uvs![2 * i + 1]), 3 * i);
  }
  return pinnedWhere(finished({ ...flat, positions }), (_, v) => v === 1);
}

/** u from the figure's left to its right, v from the hem up. */
function capePoint(u: number, v: number): Vector {
  const across = 1 - 2 * u;
  const s = 1 - v;
  const behind = 1 - Math.exp(-s / 0.08); // from the shoulders to the back
  const middle = -0.115 - 0.05 * behind - 0.1 * s;
  const sides = -0.02 - 0.12 * behind - 0.08 * s;
  const shoulder = across * across * (s / 0.05) * Math.exp(1 - s / 0.05); // over which it is led
  return [
    across * (0.13 + 0.21 * (1 - Math.exp(-s / 0.25)) + 0.08 * s),
    1.485 - 1.05 * s - 0.01 * (1 - across * across) + 0.02 * shoulder,
    middle + across * across * (sides - middle) - 0.01 * shoulder,
  ];
}

/** A tube of rings, every second one shifted by half an edge. `at`: where a turn (radians) and a share of the way down are. */
function tube(name: string, around: number, rows: number, at: (turn: number, s: number) => Vector): Mesh {
  const positions: number[] = [];
  for (let r = 0; r < rows; r++) {
    for (let c = 0; c < around; c++) positions.push(...at((2 * Math.PI * (c + (r % 2) / 2)) / around, r / (rows - 1)));
  }
  const triangles: number[] = [];
  for (let r = 0; r + 1 < rows; r++) {
    for (let c = 0; c < around; c++) {
      const [a, b] = [r * around + c, r * around + ((c + 1) % around)];
      const [d, e] = [a + around, b + around];
      if (r % 2 === 0) triangles.push(a, d, b, b, d, e);
      else triangles.push(a, d, e, a, e, b);
    }
  }
  return finished(wrapUvs({ name, positions: Float32Array.from(positions), triangles: Uint32Array.from(triangles) }));
}
