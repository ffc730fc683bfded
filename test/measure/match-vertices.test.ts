import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Random, seededRandom } from '../../src/math/rng.ts';
import { matchVertices } from '../../src/measure/match-vertices.ts';
import { measureSequences } from '../../src/measure/measure.ts';
import { boundsOf } from '../../src/mesh/bounds.ts';
import { type Mesh, vertexCount } from '../../src/model/mesh.ts';
import { memorySequence } from '../../src/model/sequence.ts';
import { grid, icosphere, torus } from '../mesh/shapes.ts';
import { codesOf } from '../notes.ts';

/** 0 … n − 1 in another order. */
function shuffled(n: number, random: Random): Uint32Array {
  const keys = Array.from({ length: n }, () => random());
  return Uint32Array.from({ length: n }, (_, i) => i).sort((a, b) => keys[a] - keys[b]);
}

/** 3N positions with vertex i at `place[i]`. */
function placed(positions: Float32Array, place: Uint32Array): Float32Array {
  const out = new Float32Array(positions.length);
  place.forEach((j, i) => {
    out.set(positions.subarray(3 * i, 3 * i + 3), 3 * j);
  });
  return out;
}

/** The same surface with vertices, faces and first corners in another order, and old vertex → new. */
function reordered(mesh: Mesh, seed: number): { mesh: Mesh; place: Uint32Array } {
  const random = seededRandom(seed);
  const place = shuffled(vertexCount(mesh), random);
  const triangles = new Uint32Array(mesh.triangles.length);
  shuffled(mesh.triangles.length / 3, random).forEach((from, f) => {
    const first = Math.floor(3 * random());
    for (let c = 0; c < 3; c++) triangles[3 * f + c] = place[mesh.triangles[3 * from + ((c + first) % 3)]];
  });
  return { mesh: { positions: placed(mesh.positions, place), triangles }, place };
}

/** Positions on a lattice of 14 bits along the largest extent. */
function quantised(mesh: Mesh): Mesh {
  const { min, max } = boundsOf(mesh.positions);
  const step = Math.max(...max.map((x, c) => x - min[c])) / (2 ** 14 - 1);
  return { ...mesh, positions: mesh.positions.map((x, c) => min[c % 3] + step * Math.round((x - min[c % 3]) / step)) };
}

/** Two meshes side by side in one. */
const joined = (a: Mesh, b: Mesh): Mesh => ({
  positions: Float32Array.from([...a.positions, ...b.positions]),
  triangles: Uint32Array.from([...a.triangles, ...b.triangles.map((corner) => corner + vertexCount(a))]),
});

const shapes = fc.constantFrom(icosphere(2), torus(12, 7), grid(9, 5));

describe('matchVertices', () => {
  it('finds every vertex of a shuffled mesh, quantised or not', () => {
    fc.assert(
      fc.property(shapes, fc.integer(), fc.boolean(), (mesh, seed, rounded) => {
        const other = reordered(mesh, seed);
        expect(matchVertices(mesh, rounded ? quantised(other.mesh) : other.mesh)).toEqual(other.place);
      }),
      { seed: 1, numRuns: 60 },
    );
  });

  it('tells coincident vertices apart by their triangles', () => {
    // A sheet that was cut along x = 4: both halves have the vertices of the cut.
    const half = grid(4, 6);
    const moved = { ...half, positions: half.positions.map((x, c) => (c % 3 === 0 ? x + 4 : x)) };
    const cut = joined(half, moved);
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const other = reordered(cut, seed);
        expect(matchVertices(cut, quantised(other.mesh))).toEqual(other.place);
      }),
      { seed: 2, numRuns: 30 },
    );
  });

  it('tells vertices apart that lie closer than they are rounded', () => {
    // Pairs of neighbours are moved together until both round to one place, or each nearer to the other's.
    const mesh = torus(24, 12);
    const random = seededRandom(5);
    for (let i = 0; i + 1 < vertexCount(mesh); i += 8) {
      for (let c = 0; c < 3; c++) mesh.positions[3 * i + 3 + c] = mesh.positions[3 * i + c] + 1e-4 * (random() - 0.5);
    }
    for (let seed = 0; seed < 20; seed++) {
      const other = reordered(mesh, seed);
      expect(matchVertices(mesh, quantised(other.mesh))).toEqual(other.place);
    }
  });

  it('takes coincident vertices that nothing tells apart in the order of their indices', () => {
    const points = { positions: Float32Array.from([0, 0, 0, 5, 5, 5, 5, 5, 5]), triangles: new Uint32Array() };
    const loose = joined(grid(2, 2), points);
    const turned = {
      ...loose,
      triangles: Uint32Array.from([...loose.triangles.subarray(3), ...loose.triangles.subarray(0, 3)]),
    };
    expect(matchVertices(loose, turned)).toEqual(Uint32Array.from({ length: vertexCount(loose) }, (_, i) => i));
  });

  it('refuses other surfaces with as many vertices', () => {
    const mesh = torus(12, 7);
    const { mesh: other } = reordered(mesh, 3);
    expect(matchVertices(mesh, torus(7, 12))).toBeUndefined();
    // Too far, in a single vertex.
    const far = { ...other, positions: other.positions.slice() };
    far.positions[30] += 0.01;
    expect(matchVertices(mesh, far)).toBeUndefined();
    // In place, but turned inside out, or with a face missing.
    expect(matchVertices(mesh, { ...other, triangles: other.triangles.slice().reverse() })).toBeUndefined();
    expect(matchVertices(mesh, { ...other, triangles: other.triangles.subarray(3) })).toBeUndefined();
    expect(matchVertices(mesh, grid(2, 2))).toBeUndefined();
    // More vertices at a place than the original has there.
    const heaped = joined(grid(2, 2), { positions: new Float32Array(3), triangles: new Uint32Array() });
    const apart = { ...heaped, positions: heaped.positions.slice() };
    apart.positions.set([2, 2, 0], 27);
    expect(matchVertices(heaped, apart)).toBeUndefined();
  });
});

describe('measureSequences of reordered vertices', () => {
  const mesh = torus(12, 7);
  const { mesh: other, place } = reordered(mesh, 4);
  const frames = [1, 2].map((k) => mesh.positions.map((x, c) => x * (1 + 0.1 * k * Math.sin(c))));
  const off = frames.map((frame, k) => frame.map((x, c) => x + 0.01 * Math.cos(c + k)));

  it('gives the figures of the right order, and says that it matched', async () => {
    const original = memorySequence('a', mesh, frames);
    const straight = await measureSequences(original, memorySequence('b', mesh, off));
    const stirred = memorySequence(
      'b',
      other,
      off.map((frame) => placed(frame, place)),
    );
    const matched = await measureSequences(original, stirred);
    for (const figure of ['rmsePercent', 'maxErrorPercent', 'maxErrorVertex', 'distortionPercent'] as const) {
      expect(matched[figure]).toBe(straight[figure]);
    }
    expect(matched.perVertex).toEqual(straight.perVertex);
    expect(matched.surfaceDistance!).toBeCloseTo(straight.surfaceDistance!, 12);
    expect(codesOf(matched.report.notes)).toContain('vertices-reordered');
    expect(codesOf(straight.report.notes)).not.toContain('vertices-reordered');
  });

  it('leaves vertex errors out where the vertices cannot be told', async () => {
    const strange = torus(7, 12);
    const { report, ...result } = await measureSequences(
      memorySequence('a', mesh, frames),
      memorySequence('b', strange, [strange.positions, strange.positions]),
    );
    expect(Object.keys(result)).not.toContain('rmsePercent');
    expect(Object.keys(result)).not.toContain('perVertex');
    expect(result.surfaceDistance).toBeGreaterThan(0);
    expect(Object.keys(result.perFrame)).not.toContain('rmsePercent');
    expect(report.figures.rmsePercent).toBeUndefined();
    expect(codesOf(report.notes)).toContain('vertices-unmatched');
  });
});
