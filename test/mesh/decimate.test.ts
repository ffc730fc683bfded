import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../src/math/rng.ts';
import { connectedComponents, edgeCount, meshEdges } from '../../src/mesh/adjacency.ts';
import { ContractibleMesh } from '../../src/mesh/contractible-mesh.ts';
import { Contractor } from '../../src/mesh/contractor.ts';
import { DECIMATE_DEFAULTS, decimate } from '../../src/mesh/decimate.ts';
import { levelOf, PosePlacer } from '../../src/mesh/decimation.ts';
import { IndexedHeap } from '../../src/mesh/indexed-heap.ts';
import type { PosedMesh } from '../../src/mesh/posed-quadrics.ts';
import { addPlane, addPoint, evaluateQuadric, minimizeQuadrics, QUADRIC } from '../../src/mesh/quadrics.ts';
import { type Mesh, vertexCount } from '../../src/model/mesh.ts';
import { cube, grid, icosphere, moved, rotationOf, soup, torus } from './shapes.ts';

const posed = (mesh: Mesh): PosedMesh => ({ triangles: mesh.triangles, poses: [mesh.positions] });

/** V − E + F over the vertices that have faces, components with faces, boundary edges, and whether it is a manifold. */
function topology(triangles: Uint32Array, vertices: number) {
  const edges = meshEdges(triangles, vertices);
  const used = new Set(triangles);
  const { componentOf } = connectedComponents(triangles, vertices);
  let boundary = 0;
  let manifold = true;
  for (let e = 0; e < edgeCount(edges); e++) {
    const faces = edges.corners.offsets[e + 1] - edges.corners.offsets[e];
    if (faces === 1) boundary++;
    if (faces > 2) manifold = false;
  }
  // Around every vertex the edges opposite it form one path or one cycle: as many pieces as one, no branching.
  for (const v of used) {
    const link: [number, number][] = [];
    for (let t = 0; t < triangles.length; t += 3) {
      const at = triangles.subarray(t, t + 3).indexOf(v);
      if (at >= 0) link.push([triangles[t + ((at + 1) % 3)], triangles[t + ((at + 2) % 3)]]);
    }
    const piece = new Map<number, number>();
    const root = (x: number): number => (piece.get(x) === x ? x : root(piece.get(x)!));
    const degree = new Map<number, number>();
    for (const [a, b] of link) {
      for (const x of [a, b]) {
        if (!piece.has(x)) piece.set(x, x);
        degree.set(x, (degree.get(x) ?? 0) + 1);
      }
      piece.set(root(a), root(b));
    }
    if (new Set([...piece.keys()].map(root)).size > 1) manifold = false;
    if ([...degree.values()].some((d) => d > 2)) manifold = false;
  }
  // Two faces on the same three vertices are no surface either.
  const faces = new Set<string>();
  for (let t = 0; t < triangles.length; t += 3) faces.add([...triangles.subarray(t, t + 3)].sort().join());
  if (faces.size < triangles.length / 3) manifold = false;
  return {
    euler: used.size - edgeCount(edges) + triangles.length / 3,
    components: new Set([...used].map((v) => componentOf[v])).size,
    closed: boundary === 0,
    manifold,
  };
}

/** A small mesh with every kind of neighbourhood: a decimated torus, disc, sphere or strip. */
const SMALL: [string, Mesh][] = [
  [
    'tetrahedron',
    { positions: new Float32Array(12), triangles: Uint32Array.from([0, 1, 2, 0, 2, 3, 0, 3, 1, 1, 3, 2]) },
  ],
  ['cube', cube()],
  ['icosahedron', icosphere(0)],
  ['triangle', { positions: new Float32Array(9), triangles: Uint32Array.from([0, 1, 2]) }],
  ['2 × 2 grid', grid(2, 2)],
  ['strip', grid(5, 1)],
  ['smallest torus', torus(3, 3)],
  ['torus', torus(4, 5)],
];

describe('the indexed heap', () => {
  it('agrees with sorting, whatever is set, changed and removed', () => {
    const steps = fc.array(fc.tuple(fc.nat(20), fc.option(fc.integer({ min: -3, max: 3 }))), { maxLength: 120 });
    fc.assert(
      fc.property(steps, (ops) => {
        const heap = new IndexedHeap(21);
        const oracle = new Map<number, number>();
        for (const [id, key] of ops) {
          if (key === null) {
            heap.remove(id);
            oracle.delete(id);
          } else {
            heap.set(id, key);
            oracle.set(id, key);
          }
        }
        const order = [...oracle].sort(([a, ka], [b, kb]) => ka - kb || a - b).map(([id]) => id);
        const popped: number[] = [];
        while (heap.size > 0) popped.push(heap.pop());
        expect(popped).toEqual(order);
      }),
    );
  });

  it('lets several heaps share their tables', () => {
    const even = new IndexedHeap(10);
    const odd = new IndexedHeap(10, even);
    for (let id = 0; id < 10; id++) (id % 2 === 0 ? even : odd).set(id, -id);
    even.remove(8);
    expect([even.pop(), even.pop(), odd.pop(), even.size, odd.size]).toEqual([6, 4, 9, 2, 4]);
  });
});

describe('quadrics', () => {
  const number = fc.double({ min: -2, max: 2, noNaN: true });
  const point = fc.tuple(number, number, number);

  it('are squared distances to planes and points', () => {
    fc.assert(
      fc.property(point, point, point, (direction, on, v) => {
        const length = Math.hypot(...direction);
        fc.pre(length > 1e-3);
        const n = direction.map((x) => x / length);
        const q = new Float64Array(QUADRIC);
        addPlane(q, 0, n[0], n[1], n[2], -(n[0] * on[0] + n[1] * on[1] + n[2] * on[2]), 2);
        addPoint(q, 0, on[0], on[1], on[2], 3);
        const distance = n.reduce((sum, x, c) => sum + x * (v[c] - on[c]), 0);
        const expected = 2 * distance ** 2 + 3 * on.reduce((sum, x, c) => sum + (v[c] - x) ** 2, 0);
        expect(evaluateQuadric(q, 0, v[0], v[1], v[2])).toBeCloseTo(expected, 10);
      }),
    );
  });

  it('are least where three planes meet, and have no minimum where two do', () => {
    const q = new Float64Array(2 * QUADRIC);
    addPlane(q, 0, 1, 0, 0, -3, 1);
    addPlane(q, QUADRIC, 0, 0.6, 0.8, -5, 2);
    const v = new Float64Array([7, 7, 7]);
    expect(minimizeQuadrics(v, 0, q, 0, QUADRIC)).toBe(false);
    expect([...v]).toEqual([7, 7, 7]);
    addPlane(q, QUADRIC, 0, 0.8, -0.6, 0, 1);
    expect(minimizeQuadrics(v, 0, q, 0, QUADRIC)).toBe(true);
    [3, 3, 4].forEach((x, c) => {
      expect(v[c]).toBeCloseTo(x, 10);
    });
  });
});

describe('the link condition', () => {
  it.each(SMALL)('of a %s allows exactly the contractions that keep its topology', (_, mesh) => {
    const n = vertexCount(mesh);
    const before = topology(mesh.triangles, n);
    const { vertices: ends } = meshEdges(mesh.triangles, n);
    for (let e = 0; e < ends.length; e++) {
      const [i, j] = [ends[e], ends[e ^ 1]];
      const contractible = new ContractibleMesh(mesh.triangles, n).isContractible(i, j);
      const after = new ContractibleMesh(mesh.triangles, n);
      after.contract(i, j);
      const sound = after.triangles();
      const edges = meshEdges(sound, n);
      // Beside the counts, no boundary loop may have vanished: every edge of the contracted mesh still has a face.
      const images = new Set<string>();
      for (let c = 0; c < ends.length; c += 2) {
        const [a, b] = [ends[c], ends[c + 1]].map((v) => (v === i ? j : v));
        if (a !== b) images.add(a < b ? `${a} ${b}` : `${b} ${a}`);
      }
      const kept = images.size === edgeCount(edges);
      const same = JSON.stringify(topology(sound, n)) === JSON.stringify(before);
      expect(contractible, `${i} into ${j}`).toBe(kept && same);
    }
  });

  it('never removes a vertex on an edge of three faces or where two fans touch', () => {
    // Three triangles on the edge 0–1; two triangles that touch in vertex 5.
    const triangles = Uint32Array.from([0, 1, 2, 0, 1, 3, 0, 1, 4, 5, 6, 7, 5, 8, 9]);
    const mesh = new ContractibleMesh(triangles, 10);
    for (const i of [0, 1, 5]) {
      for (const j of mesh.neighbours(i, [])) expect(mesh.isContractible(i, j)).toBe(false);
    }
  });
});

/** Algorithm 4.1 with nothing clever: all costs and checks anew before every contraction. Second-vertex placement. */
function slowDecimation({ triangles, poses }: PosedMesh, amount: number): [number, number][] {
  const n = poses[0].length / 3;
  const done: [number, number][] = [];
  const { boundaryWeight, pointWeight, maxTurn } = DECIMATE_DEFAULTS;
  const at = (p: number, i: number) => [0, 1, 2].map((c) => poses[p][3 * i + c]);
  const minus = (a: number[], b: number[]) => a.map((x, c) => x - b[c]);
  const dot = (a: number[], b: number[]) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
  const cross = (a: number[], b: number[]) =>
    [0, 1, 2].map((c) => a[(c + 1) % 3] * b[(c + 2) % 3] - a[(c + 2) % 3] * b[(c + 1) % 3]);
  const normal = (p: number, [a, b, c]: number[]) => cross(minus(at(p, b), at(p, a)), minus(at(p, c), at(p, a)));
  // Q of every vertex and pose as a list of (weight, plane or point).
  type Term = (v: number[]) => number;
  const terms: Term[][][] = poses.map(() => Array.from({ length: n }, () => []));
  const faces: number[][] = [];
  for (let t = 0; t < triangles.length; t += 3) faces.push([...triangles.subarray(t, t + 3)]);
  const isBoundary = (a: number, b: number) => faces.filter((f) => f.includes(a) && f.includes(b)).length === 1;
  poses.forEach((_, p) => {
    for (const face of faces) {
      const m = normal(p, face);
      const length = Math.hypot(...m);
      const plane =
        (unit: number[], on: number[], w: number): Term =>
        (v) =>
          w * dot(unit, minus(v, on)) ** 2;
      for (const i of face) {
        const here = at(p, i);
        terms[p][i].push(
          plane(
            m.map((x) => x / length),
            here,
            length / 2,
          ),
        );
        terms[p][i].push((v) => ((pointWeight * length) / 2) * dot(minus(v, here), minus(v, here)));
      }
      face.forEach((a, c) => {
        const b = face[(c + 1) % 3];
        if (!isBoundary(a, b)) return;
        const edge = minus(at(p, b), at(p, a));
        const side = cross(m, edge);
        const unit = side.map((x) => x / Math.hypot(...side));
        for (const i of [a, b]) terms[p][i].push(plane(unit, at(p, a), boundaryWeight * dot(edge, edge)));
      });
    }
  });
  let live = faces;
  while (done.length < amount) {
    const mesh = new ContractibleMesh(Uint32Array.from(live.flat()), n);
    let best = { cost: Infinity, i: -1, j: -1 };
    for (let i = 0; i < n; i++) {
      for (const j of mesh.neighbours(i, []).sort((a, b) => a - b)) {
        if (!mesh.isContractible(i, j)) continue;
        const turns = live.some((face) => {
          if (!face.includes(i) || face.includes(j)) return false;
          const after = face.map((v) => (v === i ? j : v));
          return poses.some((_, p) => {
            const [x, y] = [normal(p, face), normal(p, after)];
            return dot(x, y) <= Math.cos(maxTurn) * Math.hypot(...x) * Math.hypot(...y);
          });
        });
        if (turns) continue;
        let cost = 0;
        poses.forEach((_, p) => {
          for (const term of [...terms[p][i], ...terms[p][j]]) cost += term(at(p, j));
        });
        if (cost < best.cost) best = { cost, i, j };
      }
    }
    if (best.i < 0) break;
    const { i, j } = best;
    done.push([i, j]);
    for (const p of poses.keys()) terms[p][j].push(...terms[p][i]);
    live = live.filter((f) => !(f.includes(i) && f.includes(j))).map((f) => f.map((v) => (v === i ? j : v)));
  }
  return done;
}

/** A grid with random heights in some poses. */
function bumpyGrid(seed: number, size: number, poseCount: number): PosedMesh {
  const random = seededRandom(seed);
  const { positions, triangles } = grid(size, size);
  const poses = Array.from({ length: poseCount }, () =>
    Float64Array.from(positions, (x) => x + 0.4 * (random() - 0.5)),
  );
  return { triangles, poses };
}

describe('decimate', () => {
  it.each([
    [1, 1],
    [2, 3],
    [3, 5],
  ])('contracts in the order that a slow and obvious version finds (seed %i, %i poses)', async (seed, poseCount) => {
    const mesh = bumpyGrid(seed, 5, poseCount);
    const { result } = await decimate(mesh, { keep: 0 });
    const slow = slowDecimation(mesh, 36);
    expect([...result.removed].map((i, s) => [i, result.into[s]])).toEqual(slow);
  });

  it.each([
    ['second', icosphere(3)],
    ['optimal', icosphere(3)],
    ['second', torus(24, 12)],
    ['optimal', torus(24, 12)],
    ['second', grid(20, 15)],
    ['optimal', grid(20, 15)],
  ] as const)('keeps topology at every level (%s placement)', async (placement, mesh) => {
    const n = vertexCount(mesh);
    const before = topology(mesh.triangles, n);
    const { result } = await decimate(posed(mesh), { keep: 0, placement });
    for (const share of [0.8, 0.5, 0.2, 0]) {
      const level = levelOf(result, Math.round(share * n));
      if (share > 0) expect(level.vertices.length).toBe(Math.round(share * n));
      expect(topology(level.triangles, level.vertices.length)).toEqual(before);
    }
  });

  it('keeps a flat sheet flat, its border in place and its faces up', async () => {
    const sheet = grid(12, 9);
    const { result } = await decimate(posed(sheet), { keep: 0.2, placement: 'optimal' });
    const level = levelOf(result, 0);
    const at = new PosePlacer(result).place(sheet.positions, level);
    let area = 0;
    for (let t = 0; t < level.triangles.length; t += 3) {
      const [a, b, c] = [...level.triangles.subarray(t, t + 3)].map((i) => 3 * i);
      const doubled = (at[b] - at[a]) * (at[c + 1] - at[a + 1]) - (at[b + 1] - at[a + 1]) * (at[c] - at[a]);
      expect(doubled).toBeGreaterThan(0);
      area += doubled / 2;
    }
    expect(area).toBeCloseTo(108, 1);
    for (let c = 2; c < at.length; c += 3) expect(Math.abs(at[c])).toBeLessThan(1e-9);
  });

  it('keeps the corners of a cube of many faces', async () => {
    // A sphere's connectivity on a cube: most contractions are free, the eight corners are not.
    const ball = icosphere(4);
    const positions = ball.positions.slice();
    for (let i = 0; i < positions.length; i += 3) {
      const size = Math.max(...positions.subarray(i, i + 3).map(Math.abs));
      for (let c = 0; c < 3; c++) positions[i + c] /= size;
    }
    const mesh = { triangles: ball.triangles, poses: [positions] };
    const { result } = await decimate(mesh, { keep: 0.02, placement: 'optimal' });
    const at = new PosePlacer(result).place(positions, levelOf(result, 0));
    for (const corner of [-1, 1].flatMap((x) => [-1, 1].flatMap((y) => [-1, 1].map((z) => [x, y, z])))) {
      let nearest = Infinity;
      for (let i = 0; i < at.length; i += 3) {
        nearest = Math.min(nearest, Math.hypot(...corner.map((x, c) => x - at[i + c])));
      }
      expect(nearest).toBeLessThan(0.15);
    }
  });

  it('does not depend on where the mesh lies, how it is turned or how large it is', async () => {
    const mesh = bumpyGrid(7, 12, 2);
    const turn = rotationOf([1, 2, 3], 1.1);
    const poses = mesh.poses.map((pose) => Float64Array.from(moved(Float32Array.from(pose), turn, 1)));
    const far = poses.map((pose) => pose.map((x, c) => 1e3 * x + [4e3, -7e3, 1e3][c % 3]));
    for (const placement of ['second', 'optimal'] as const) {
      const plain = (await decimate({ ...mesh, poses }, { keep: 0.3, placement })).result;
      const other = (await decimate({ ...mesh, poses: far }, { keep: 0.3, placement })).result;
      expect(other.removed).toEqual(plain.removed);
      expect(other.into).toEqual(plain.into);
    }
  });

  it('gives the levels that the contractor itself went through', async () => {
    const mesh = bumpyGrid(5, 10, 2);
    const contractor = new Contractor(mesh, DECIMATE_DEFAULTS);
    for (let s = 0; s < 60; s++) contractor.contractNext();
    const { result } = await decimate(mesh, { keep: 0 });
    const level = levelOf(result, 121 - 60);
    expect(level.triangles.map((i) => level.vertices[i])).toEqual(contractor.mesh.triangles());
    level.vertices.forEach((i, to) => {
      expect(level.vertexOf[i]).toBe(to);
    });
  });

  it('places the second vertex exactly, and changes no input', async () => {
    const mesh = bumpyGrid(9, 8, 1);
    const copy = Float64Array.from(mesh.poses[0]);
    const triangles = mesh.triangles.slice();
    const { result } = await decimate(mesh, { keep: 0.4 });
    const level = levelOf(result, 0);
    const at = new PosePlacer(result).place(mesh.poses[0], level);
    level.vertices.forEach((i, to) => {
      for (let c = 0; c < 3; c++) expect(at[3 * to + c]).toBeCloseTo(copy[3 * i + c], 12);
    });
    expect(mesh.poses[0]).toEqual(copy);
    expect(mesh.triangles).toEqual(triangles);
  });

  it('leaves alone what has queue −1 and what the rules forbid', async () => {
    const mesh = bumpyGrid(4, 8, 1);
    const queueOf = new Int32Array(81).map((_, i) => (i % 3 === 0 ? -1 : 0));
    const seen: number[] = [];
    const { result } = await decimate(
      mesh,
      { keep: 0 },
      {
        queueOf,
        mayContract: (i, j) => (i + j) % 2 === 0,
        onContract: (i) => seen.push(i),
      },
    );
    expect(result.removed.length).toBeGreaterThan(5);
    expect(seen).toEqual([...result.removed]);
    result.removed.forEach((i, s) => {
      expect(i % 3).not.toBe(0);
      expect((i + result.into[s]) % 2).toBe(0);
    });
  });

  it('survives triangles between random points, degenerate and isolated ones', async () => {
    for (let seed = 1; seed <= 20; seed++) {
      const mesh = soup(seededRandom(seed), 30, 60);
      for (const placement of ['second', 'optimal'] as const) {
        const { result } = await decimate(posed(mesh), { keep: 0, placement });
        const level = levelOf(result, 0);
        const at = new PosePlacer(result).place(mesh.positions, level);
        expect(at.every(Number.isFinite)).toBe(true);
        expect(result.costs.every((cost) => cost >= 0)).toBe(true);
      }
    }
    const points = { triangles: new Uint32Array(0), poses: [new Float32Array(9)] };
    expect((await decimate(points, { keep: 0 })).result.removed.length).toBe(0);
    const nothing = { triangles: new Uint32Array(0), poses: [new Float32Array(0)] };
    expect((await decimate(nothing, { keep: 0 })).result.vertexCount).toBe(0);
  });

  it('refuses a share out of range, and can be cancelled', async () => {
    await expect(decimate(posed(cube()), { keep: 2 })).rejects.toThrow(/keep \(got 2, expected a number from 0 to 1\)/);
    const stop = new AbortController();
    const seen: number[] = [];
    const onProgress = (done: number, total: number) => {
      expect(total).toBe(2306);
      if (seen.push(done) === 3) stop.abort();
    };
    const run = decimate(posed(icosphere(4)), { keep: 0.1, signal: stop.signal, onProgress });
    await expect(run).rejects.toThrow(/cancelled/);
    expect(seen).toEqual([0, 256, 512]);
  });
});
