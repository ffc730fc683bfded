import { boundaryEdges, meshEdges, vertexFaces, vertexNeighbours } from '../../mesh/adjacency.ts';
import type { Bvh } from '../../mesh/bvh.ts';
import { nearestOnSurface, surfacePoint } from '../../mesh/nearest.ts';
import { faceNormal } from '../../mesh/triangle.ts';
import { gridTriangles, samplesPerPatch } from './base-complex.ts';
import type { SampledLevel } from './sample-patches.ts';

/**
 * Triangles of a level that face against the surface: a fit may turn them over, and where much of the surface was flattened into
 * little, samples lie so already. Their vertices go back towards where they were sampled, or between their
 * neighbours, whichever leaves fewer turned around them. Corners of patches and borders only go back.
 */

const ROUNDS = 6;
/** More than the normals of three corners can add up to: one turned triangle less is always better. */
const WAY = 4;

/**
 * Moves vertices of `rest` (3S), in place. `normals` (3·P·T): the surface's, as each patch sees them; `corners`: how many of the
 * vertices are corners of patches; `surface`: at rest. Returns how many triangles are still turned.
 */
export function unfold(
  sampled: SampledLevel,
  rest: Float64Array,
  normals: Float32Array,
  corners: number,
  surface: Bvh,
): number {
  const { triangles, positions } = sampled;
  const n = positions.length / 3;
  const edges = meshEdges(triangles, n);
  const around = vertexNeighbours(edges, n);
  const faces = vertexFaces(triangles, n);
  const wanted = faceNormals(sampled, normals);
  const isFixed = new Uint8Array(n).fill(1, 0, corners);
  for (const e of boundaryEdges(edges)) isFixed[edges.vertices[2 * e]] = isFixed[edges.vertices[2 * e + 1]] = 1;

  /** How far a triangle faces the surface's way. */
  const facing = (f: number): number => {
    if (faceNormal(normal, rest, triangles, 3 * f) === 0) return 0;
    return normal[0] * wanted[3 * f] + normal[1] * wanted[3 * f + 1] + normal[2] * wanted[3 * f + 2];
  };
  /** What is wrong around a vertex: its turned triangles, and how far they are. */
  const wrong = (i: number): number => {
    let sum = 0;
    for (let q = faces.offsets[i]; q < faces.offsets[i + 1]; q++) {
      const way = facing(faces.items[q]);
      if (way < 0) sum += WAY - way;
    }
    return sum;
  };
  const tryPlace = (i: number, x: number, y: number, z: number): boolean => {
    const [a, b, c] = rest.subarray(3 * i, 3 * i + 3);
    const before = wrong(i);
    rest.set([x, y, z], 3 * i);
    if (wrong(i) < before) return true;
    rest.set([a, b, c], 3 * i);
    return false;
  };
  const improve = (i: number): boolean => {
    const [a, b, c] = rest.subarray(3 * i, 3 * i + 3);
    const [x, y, z] = positions.subarray(3 * i, 3 * i + 3);
    const isBack = tryPlace(i, (a + x) / 2, (b + y) / 2, (c + z) / 2) || tryPlace(i, x, y, z);
    if (isBack || isFixed[i] === 1) return isBack;
    middle.fill(0);
    const count = around.offsets[i + 1] - around.offsets[i];
    for (let q = around.offsets[i]; q < around.offsets[i + 1]; q++) {
      for (let d = 0; d < 3; d++) middle[d] += rest[3 * around.items[q] + d] / count;
    }
    nearestOnSurface(surface, middle[0], middle[1], middle[2], found);
    return tryPlace(i, found.x, found.y, found.z) || tryPlace(i, middle[0], middle[1], middle[2]);
  };

  let turned = turnedFaces(triangles.length / 3, facing);
  for (let round = 0; round < ROUNDS && turned.length > 0; round++) {
    let moved = false;
    for (const f of turned) {
      for (let c = 3 * f; c < 3 * f + 3 && facing(f) < 0; c++) if (improve(triangles[c])) moved = true;
    }
    turned = turnedFaces(triangles.length / 3, facing);
    if (!moved) break;
  }
  return turned.length;
}

const turnedFaces = (count: number, facing: (f: number) => number): number[] => {
  const out: number[] = [];
  for (let f = 0; f < count; f++) if (facing(f) < 0) out.push(f);
  return out;
};

/** 3 per triangle: the sum of the surface's normals at its corners. */
function faceNormals({ triangles, level }: SampledLevel, normals: Float32Array): Float64Array {
  const grid = gridTriangles(level);
  const per = samplesPerPatch(level);
  const out = new Float64Array(triangles.length);
  for (let c = 0; c < triangles.length; c++) {
    const from = 3 * (Math.floor(c / grid.length) * per + grid[c % grid.length]);
    for (let d = 0; d < 3; d++) out[c - (c % 3) + d] += normals[from + d];
  }
  return out;
}

const normal = new Float64Array(3);
const middle = new Float64Array(3);
const found = surfacePoint();
