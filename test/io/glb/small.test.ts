import fc from 'fast-check';
import { MeshoptDecoder } from 'meshoptimizer/decoder';
import { MeshoptEncoder } from 'meshoptimizer/encoder';
import { beforeAll, describe, expect, it } from 'vitest';
import { encodeMultiples } from '../../../src/io/glb/filters.ts';
import { shortestFloat32 } from '../../../src/io/glb/json.ts';
import { latticeOf, latticeOffsets, latticePositions } from '../../../src/io/glb/lattice.ts';
import { type ModelGlbOptions, SMALL_GLB, SMALL_MODEL_GLB } from '../../../src/io/glb/options.ts';
import { compactOrder, steadySlots } from '../../../src/io/glb/order.ts';
import { writeMeshGlb, writeModelGlb, writeSequenceGlb } from '../../../src/io/write-glb.ts';
import { seededRandom } from '../../../src/math/rng.ts';
import { diagonalOf } from '../../../src/mesh/bounds.ts';
import { expandToSplit } from '../../../src/mesh/seams.ts';
import type { Mesh } from '../../../src/model/mesh.ts';
import { memorySequence } from '../../../src/model/sequence.ts';
import { clipFrame } from '../../../src/model/skeleton.ts';
import { loadInThree, withoutTextures } from '../../three-scene.ts';
import { expectValidGlb } from '../../validate-glb.ts';
import { jsonOf, largestDistance, naiveLbs, readGlb, tubeMesh, tubeModel } from '../gltf/fixtures.ts';

beforeAll(() => Promise.all([MeshoptEncoder.ready, MeshoptDecoder.ready]));

const isPermutation = (order: Uint32Array) => [...order].sort((a, b) => a - b).every((x, i) => x === i);

/** Positions of split vertices in the order in which the file has them. */
const stored = (mesh: Mesh, positions: Float32Array, order?: Uint32Array): Float32Array => {
  const split = mesh.seams ? expandToSplit(positions, 3, mesh.seams) : positions;
  if (!order) return split;
  return Float32Array.from(split, (_, c) => split[3 * order[Math.floor(c / 3)] + (c % 3)]);
};

/** The corner positions of every triangle, each triangle from its smallest corner, sorted. */
function surface(mesh: Mesh, digits: number): string[] {
  const out: string[] = [];
  for (let f = 0; f < mesh.triangles.length; f += 3) {
    const corners = [0, 1, 2].map((c) => {
      const i = 3 * mesh.triangles[f + c];
      return [0, 1, 2].map((d) => (mesh.positions[i + d] + 1e-4).toFixed(digits)).join();
    });
    const first = corners.indexOf([...corners].sort()[0]);
    out.push([...corners.slice(first), ...corners.slice(0, first)].join(' '));
  }
  return out.sort();
}

describe('texture coordinates of a small file', () => {
  const withUvs = (uv: (x: number) => number): Mesh => {
    const mesh = tubeMesh();
    return { ...mesh, uvs: mesh.uvs!.map((x) => uv(x)) };
  };
  /** Per corner, whatever the order of vertices and triangles: sorted. */
  const cornersOf = ({ uvs, seams, triangles }: Mesh): number[] =>
    Array.from(seams?.triangles ?? triangles, (i) => [uvs![2 * i], uvs![2 * i + 1]])
      .flat()
      .sort((a, b) => a - b);

  it.each([
    ['between 0 and 1', (x: number) => x],
    ['beyond, of both signs', (x: number) => 7 * x - 3],
    ['whole and half ones, of both signs', (x: number) => Math.round(4 * x - 2) / 2],
    ['all alike', () => -0.5],
  ] as const)('come back at 12 bits: %s', async (_, uv) => {
    const mesh = withUvs(uv);
    const { bytes } = await writeMeshGlb(mesh, SMALL_GLB);
    await expectValidGlb((await writeMeshGlb(mesh, { ...SMALL_GLB, compress: 'none' })).bytes);
    const [found, given] = [cornersOf((await readGlb(bytes)).meshes[0]), cornersOf(mesh)];
    expect(found.length).toBe(given.length);
    found.forEach((x, c) => {
      expect(Math.abs(x - given[c])).toBeLessThanOrEqual(2 ** -13 + 1e-6);
    });
    // glTF has v down.
    const three = (await loadInThree(withoutTextures(bytes))).meshes.flatMap(({ geometry: { index, attributes } }) =>
      Array.from(index!.array, (i) => [attributes.uv.getX(i), 1 - attributes.uv.getY(i)]),
    );
    expect(three.flat().sort((a, b) => a - b)).toEqual(found);
  });

  it('stay as they are where 24 bits cannot hold them', async () => {
    const mesh = withUvs((x) => 5000 * x);
    const { bytes } = await writeMeshGlb(mesh, SMALL_GLB);
    const found = cornersOf((await readGlb(bytes)).meshes[0]);
    cornersOf(mesh).forEach((x, c) => {
      expect(found[c]).toBeCloseTo(x, 2);
    });
  });
});

describe('the small variant of a model', () => {
  const cases: Partial<ModelGlbOptions>[] = [
    { reorder: true, weights: 'float' },
    { quantize: true },
    { reorder: true, quantize: true, rotations: 'i16' },
    SMALL_MODEL_GLB,
    { ...SMALL_MODEL_GLB, influences: 8 },
  ];
  it.each(cases)('plays the same motion: %o', async (options) => {
    const model = tubeModel(6, options.influences === 8 ? 6 : 4);
    model.mesh = { ...model.mesh, positions: model.mesh.positions.map((x) => x + 40) }; // far from the origin
    for (const clip of model.clips) {
      for (let m = 0; m < clip.transforms.length; m += 12) {
        for (let r = 0; r < 3; r++) {
          for (let c = 0; c < 3; c++) clip.transforms[m + 4 * r + 3] -= 40 * clip.transforms[m + 4 * r + c];
        }
      }
    }
    for (let m = 0; m < model.skeleton.inverseBind.length; m += 12) {
      for (let r = 0; r < 3; r++) model.skeleton.inverseBind[m + 4 * r + 3] -= 40;
    }
    const before = structuredClone(model);
    const { bytes, orders } = await writeModelGlb(model, options);
    expect(model).toEqual(before);
    expect((await writeModelGlb(model, options)).bytes).toEqual(bytes);
    await expectValidGlb(bytes);
    const [got] = (await readGlb(bytes)).models;
    if (options.reorder) expect(isPermutation(orders[0]!)).toBe(true);
    else expect(orders[0]).toBeUndefined();

    const diagonal = diagonalOf(model.mesh.positions);
    expect(got.clips.length).toBe(2);
    const rest = stored(got.mesh, got.mesh.positions);
    expect(largestDistance(rest, stored(model.mesh, model.mesh.positions, orders[0])) / diagonal).toBeLessThan(1e-4);
    for (const [c, clip] of got.clips.entries()) {
      for (let k = 0; k < clip.times.length; k++) {
        const ours = stored(got.mesh, naiveLbs(got, clipFrame(clip, k)));
        const theirs = stored(model.mesh, naiveLbs(model, clipFrame(model.clips[c], k)), orders[0]);
        expect(largestDistance(ours, theirs) / diagonal).toBeLessThan(3e-4);
      }
    }
  });

  it('needs no extension when it is not asked for', async () => {
    const json = jsonOf((await writeModelGlb(tubeModel())).bytes);
    expect(json.extensionsUsed).toBeUndefined();
    expect(JSON.stringify(json)).not.toMatch(/"normalized":false|LINEAR|"byteOffset":0[,}]/);
  });
});

describe('the small variant of sequences and meshes', () => {
  const rest = tubeMesh();
  const frames = Array.from({ length: 5 }, (_, k) =>
    rest.positions.map((x, c) => x + (k - 2) * Math.sin(3 * rest.positions[c - (c % 3) + 1] + c)),
  );
  it.each([{ quantize: true }, { reorder: true, quantize: true }, SMALL_GLB, { ...SMALL_GLB, morphNormals: true }])(
    'plays the same frames, which move by several sizes: %o',
    async (options) => {
      const { bytes, orders } = await writeSequenceGlb(memorySequence('wild', rest, frames), options);
      await expectValidGlb(bytes);
      const [got] = (await readGlb(bytes)).sequences;
      const diagonal = diagonalOf(rest.positions);
      for (const [k, frame] of frames.entries()) {
        const ours = stored(got.rest, await got.readFrame(k));
        expect(largestDistance(ours, stored(rest, frame, orders[0])) / diagonal).toBeLessThan(2e-4);
      }
    },
  );

  it('shows the same surface', async () => {
    for (const options of [{ reorder: true }, { quantize: true }, SMALL_GLB]) {
      const { bytes } = await writeMeshGlb(rest, options);
      await expectValidGlb(bytes);
      const [got] = (await readGlb(bytes)).meshes;
      expect(surface(got, 3)).toEqual(surface(rest, 3));
      expect(got.groups?.map(({ count }) => count)).toEqual(rest.groups?.map(({ count }) => count));
    }
  });

  it('is smaller by each of its parts', async () => {
    const mesh = tubeMesh(60, 40);
    const sizes: number[] = [];
    for (const options of [{}, { quantize: true }, { quantize: true, compress: 'meshopt' } as const, SMALL_GLB]) {
      sizes.push((await writeMeshGlb(mesh, options)).bytes.length);
    }
    for (let s = 1; s < sizes.length; s++) expect(sizes[s]).toBeLessThan(0.9 * sizes[s - 1]);
  });

  it('survives meshes without size, and vertices that no triangle uses', async () => {
    const point: Mesh = { positions: new Float32Array(9).fill(3), triangles: Uint32Array.of(0, 1, 2) };
    const [got] = (await readGlb((await writeMeshGlb(point, SMALL_GLB)).bytes)).meshes;
    for (const x of got.positions) expect(x).toBe(3);
    const loose: Mesh = {
      positions: Float32Array.from({ length: 15 }, (_, c) => c),
      triangles: Uint32Array.of(4, 1, 2),
    };
    expect(compactOrder(loose).vertices).toEqual(Uint32Array.of(4, 1, 2, 0, 3));
  });
});

describe('parts', () => {
  it('lattice: half a step at most, offsets without drift', () => {
    const random = seededRandom(3);
    const positions = Float32Array.from({ length: 300 }, () => 100 + random());
    const frame = positions.map((x) => x + 5 * (random() - 0.5));
    const lattice = latticeOf(positions, 2.5);
    const q = latticePositions(lattice, positions);
    const offsets = latticeOffsets(lattice, frame, q);
    for (let c = 0; c < 300; c++) {
      const at = (whole: number) => lattice.origin[c % 3] + lattice.step * whole;
      expect(Math.abs(at(q[c]) - positions[c])).toBeLessThan(0.5001 * lattice.step);
      expect(Math.abs(at(q[c] + offsets[c]) - frame[c])).toBeLessThan(0.5001 * lattice.step);
    }
  });

  it('exponential filter: multiples of a step come back exactly, others are left to the encoder', () => {
    const words = fc.array(fc.integer({ min: -(2 ** 22), max: 2 ** 22 }), { minLength: 3, maxLength: 30 });
    fc.assert(
      fc.property(words, fc.integer({ min: -60, max: 60 }), (whole, exponent) => {
        const count = Math.floor(whole.length / 3);
        const source = Float32Array.from(whole.slice(0, 3 * count), (x) => x * 2 ** exponent);
        const encoded = encodeMultiples(source)!;
        const packed = MeshoptEncoder.encodeGltfBuffer(encoded, count, 12, 'ATTRIBUTES');
        const target = new Uint8Array(12 * count);
        MeshoptDecoder.decodeGltfBuffer(target, count, 12, packed, 'ATTRIBUTES', 'EXPONENTIAL');
        // +0 and −0 are one number.
        expect(new Float32Array(target.buffer).map((x) => x + 0)).toEqual(source.map((x) => x + 0));
      }),
    );
    expect(encodeMultiples(Float32Array.of(1, 1e-9, 0))).toBeUndefined();
  });

  it('slots: the same influences in other places, and fewer changes', () => {
    const random = seededRandom(9);
    const n = 200;
    const joints = Uint8Array.from({ length: 4 * n }, (_, s) => (s % 4 === 3 ? 0 : Math.floor(s / 80) + (s % 4)));
    const weights = Uint8Array.from({ length: 4 * n }, (_, s) => (s % 4 === 3 ? 0 : 1 + Math.floor(100 * random())));
    for (let i = 0; i < n; i++) {
      const turn = Math.floor(3 * random()); // sorted by a weight that changes from vertex to vertex
      for (const row of [joints, weights]) {
        const three = [...row.subarray(4 * i, 4 * i + 3)];
        row.set([...three.slice(turn), ...three.slice(0, turn)], 4 * i);
      }
    }
    const of = (j: Uint8Array, w: Uint8Array, i: number) =>
      [0, 1, 2, 3]
        .flatMap((s) => (w[4 * i + s] > 0 ? [`${j[4 * i + s]}:${w[4 * i + s]}`] : []))
        .sort()
        .join();
    const changes = (j: Uint8Array) => j.reduce((sum, joint, s) => sum + (s >= 4 && joint !== j[s - 4] ? 1 : 0), 0);
    const [before, weightsBefore] = [joints.slice(), weights.slice()];
    steadySlots(
      [joints],
      [weights],
      Uint32Array.from({ length: n }, (_, i) => i),
    );
    for (let i = 0; i < n; i++) expect(of(joints, weights, i)).toBe(of(before, weightsBefore, i));
    expect(changes(joints)).toBeLessThan(changes(before) / 5);
  });

  it('shortest decimals are the same float32', () => {
    fc.assert(
      fc.property(fc.float({ noNaN: true, noDefaultInfinity: true }), (x) => {
        expect(Math.fround(shortestFloat32(x)) + 0).toBe(x + 0); // JSON has no −0
      }),
    );
    expect(shortestFloat32(Math.fround(0.1))).toBe(0.1);
  });
});
