import type { Random } from '../../src/math/rng.ts';
import type { Mesh } from '../../src/model/mesh.ts';

/** Small meshes with known measures, for tests. */

type Vector = readonly [number, number, number];

/** The unit cube [0, 1]³: 8 vertices (vertex i at the bits of i), 12 triangles facing out. */
export function cube(): Mesh {
  const positions = Float32Array.from({ length: 24 }, (_, c) => (Math.floor(c / 3) >> (c % 3)) & 1);
  const sides = [0, 2, 3, 1, 4, 5, 7, 6, 0, 1, 5, 4, 2, 6, 7, 3, 0, 4, 6, 2, 1, 3, 7, 5];
  const triangles: number[] = [];
  for (let s = 0; s < 24; s += 4) {
    const [a, b, c, d] = sides.slice(s, s + 4);
    triangles.push(a, b, c, a, c, d);
  }
  return { positions, triangles: new Uint32Array(triangles) };
}

/** A unit sphere: an icosahedron subdivided `levels` times, 10 · 4^levels + 2 vertices. */
export function icosphere(levels: number): Mesh {
  const g = (1 + Math.sqrt(5)) / 2;
  const points: number[][] = [];
  const add = (x: number, y: number, z: number): number => {
    const length = Math.hypot(x, y, z);
    return points.push([x / length, y / length, z / length]) - 1;
  };
  for (const s of [-1, 1]) for (const t of [-g, g]) add(0, s, t);
  for (const s of [-1, 1]) for (const t of [-g, g]) add(s, t, 0);
  for (const s of [-1, 1]) for (const t of [-g, g]) add(t, 0, s);
  // Twelve points, the faces are the triples that are mutually closest (edge length 2 before normalising).
  const edge = 2 / Math.hypot(1, g);
  const near = (a: number, b: number) =>
    Math.abs(Math.hypot(...points[a].map((x, c) => x - points[b][c])) - edge) < 1e-6;
  let faces: number[][] = [];
  for (let a = 0; a < 12; a++) {
    for (let b = a + 1; b < 12; b++) {
      for (let c = b + 1; c < 12; c++) {
        if (!(near(a, b) && near(b, c) && near(a, c))) continue;
        const [p, q, r] = [points[a], points[b], points[c]];
        const outward =
          p[0] * (q[1] * r[2] - q[2] * r[1]) + p[1] * (q[2] * r[0] - q[0] * r[2]) + p[2] * (q[0] * r[1] - q[1] * r[0]);
        faces.push(outward > 0 ? [a, b, c] : [a, c, b]);
      }
    }
  }
  for (let level = 0; level < levels; level++) {
    const middles = new Map<string, number>();
    const middle = (a: number, b: number): number => {
      const key = a < b ? `${a} ${b}` : `${b} ${a}`;
      if (!middles.has(key)) {
        const [p, q] = [points[a], points[b]];
        middles.set(key, add(p[0] + q[0], p[1] + q[1], p[2] + q[2]));
      }
      return middles.get(key)!;
    };
    faces = faces.flatMap(([a, b, c]) => {
      const [ab, bc, ca] = [middle(a, b), middle(b, c), middle(c, a)];
      return [
        [a, ab, ca],
        [ab, b, bc],
        [ca, bc, c],
        [ab, bc, ca],
      ];
    });
  }
  return { positions: new Float32Array(points.flat()), triangles: new Uint32Array(faces.flat()) };
}

/** A flat grid of n × m squares of side 1 in the plane z = 0, facing +z. */
export function grid(n: number, m: number): Mesh {
  const positions: number[] = [];
  for (let y = 0; y <= m; y++) for (let x = 0; x <= n; x++) positions.push(x, y, 0);
  const triangles: number[] = [];
  for (let y = 0; y < m; y++) {
    for (let x = 0; x < n; x++) {
      const a = y * (n + 1) + x;
      triangles.push(a, a + 1, a + n + 2, a, a + n + 2, a + n + 1);
    }
  }
  return { positions: new Float32Array(positions), triangles: new Uint32Array(triangles) };
}

/** A torus of n × m quads: genus 1. */
export function torus(n: number, m: number): Mesh {
  const positions: number[] = [];
  const triangles: number[] = [];
  for (let a = 0; a < n; a++) {
    for (let b = 0; b < m; b++) {
      const [u, v] = [(2 * Math.PI * a) / n, (2 * Math.PI * b) / m];
      positions.push((3 + Math.cos(v)) * Math.cos(u), (3 + Math.cos(v)) * Math.sin(u), Math.sin(v));
      const at = (i: number, j: number) => (i % n) * m + (j % m);
      triangles.push(at(a, b), at(a + 1, b), at(a + 1, b + 1), at(a, b), at(a + 1, b + 1), at(a, b + 1));
    }
  }
  return { positions: new Float32Array(positions), triangles: new Uint32Array(triangles) };
}

/** Triangles between random points: nothing a mesh should be, but every algorithm must survive it. */
export function soup(random: Random, vertices: number, faces: number): Mesh {
  return {
    positions: Float32Array.from({ length: 3 * vertices }, () => random() * 2 - 1),
    triangles: Uint32Array.from({ length: 3 * faces }, () => Math.floor(random() * vertices)),
  };
}

/** 9 numbers, row-major: the rotation by `angle` about `axis` (any length). */
export function rotationOf(axis: Vector, angle: number): number[] {
  const length = Math.hypot(...axis);
  const [x, y, z] = axis.map((v) => v / length);
  const c = Math.cos(angle);
  const s = Math.sin(angle);
  const t = 1 - c;

  return [
    t * x * x + c,
    t * x * y - s * z,
    t * x * z + s * y,
    t * x * y + s * z,
    t * y * y + c,
    t * y * z - s * x,
    t * x * z - s * y,
    t * y * z + s * x,
    t * z * z + c,
  ];
}

/** x ↦ scale · rotation · x + translation, on 3N numbers. */
export function moved(
  positions: Float32Array,
  rotation: readonly number[],
  scale = 1,
  translation: Vector = [0, 0, 0],
): Float32Array {
  return positions.map((_, c) => {
    const i = c - (c % 3);
    const row = 3 * (c % 3);
    const sum =
      rotation[row] * positions[i] + rotation[row + 1] * positions[i + 1] + rotation[row + 2] * positions[i + 2];
    return scale * sum + translation[c % 3];
  });
}

export const transformed = (
  mesh: Mesh,
  rotation: readonly number[],
  scale = 1,
  translation: Vector = [0, 0, 0],
): Mesh => ({ ...mesh, positions: moved(mesh.positions, rotation, scale, translation) });

/** The same surface, facing the other way. */
export const flipped = (mesh: Mesh): Mesh => {
  const triangles = mesh.triangles.slice();
  for (let t = 0; t < triangles.length; t += 3) triangles.subarray(t, t + 3).reverse();
  return { ...mesh, triangles };
};
