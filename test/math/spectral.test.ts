import { describe, expect, it } from 'vitest';
import { multiply } from '../../src/math/dense.ts';
import { randomNormal, seededRandom } from '../../src/math/rng.ts';
import { clusterEmbedding, nystromEmbedding, spectralEmbedding } from '../../src/math/spectral.ts';

/** Three rings of points in the plane, 40 each, which k-means in the plane could not tell apart. */
function rings(): { n: number; affinity: Float64Array; ring: (i: number) => number } {
  const random = seededRandom(2);
  const n = 120;
  const points = Array.from({ length: n }, (_, i) => {
    const radius = 1 + 2 * Math.floor(i / 40) + 0.05 * randomNormal(random);
    const angle = (2 * Math.PI * (i % 40)) / 40;
    return [radius * Math.cos(angle), radius * Math.sin(angle)];
  });
  const affinity = new Float64Array(n * n);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < n; j++) {
      const d2 = (points[i][0] - points[j][0]) ** 2 + (points[i][1] - points[j][1]) ** 2;
      affinity[i * n + j] = Math.exp(-d2 / 0.4);
    }
  }
  return { n, affinity, ring: (i) => Math.floor(i / 40) };
}

/** Whether two partitions are the same up to names. */
function samePartition(a: ArrayLike<number>, b: (i: number) => number): boolean {
  const seen = new Map<number, number>();
  return Array.from(a).every((cluster, i) => {
    if (!seen.has(cluster)) seen.set(cluster, b(i));
    return seen.get(cluster) === b(i);
  });
}

describe('spectral embedding', () => {
  const { n, affinity, ring } = rings();
  const apply = (out: Float64Array, x: Float64Array) => {
    multiply(out, affinity, x, n, n, 1);
  };

  it('tells rings apart', () => {
    const embedding = spectralEmbedding(n, apply, 3);
    expect(embedding.values[0]).toBeCloseTo(1, 9);
    const clusters = clusterEmbedding(embedding, 3, 1);
    expect(new Set(clusters).size).toBe(3);
    expect(samePartition(clusters, ring)).toBe(true);
  });

  it('Nyström with every node as a landmark is exact', () => {
    const exact = spectralEmbedding(n, apply, 4);
    const nystrom = nystromEmbedding(
      affinity,
      Int32Array.from({ length: n }, (_, i) => i),
      4,
    );
    for (let e = 0; e < 4; e++) expect(nystrom.values[e]).toBeCloseTo(exact.values[e], 5);
  });

  it('Nyström with a third of the nodes finds the rings too', () => {
    const landmarks = Int32Array.from({ length: 40 }, (_, s) => 3 * s);
    const c = new Float64Array(40 * n);
    landmarks.forEach((i, s) => {
      c.set(affinity.subarray(i * n, (i + 1) * n), s * n);
    });
    expect(samePartition(clusterEmbedding(nystromEmbedding(c, landmarks, 3), 3, 1), ring)).toBe(true);
  });

  it('identical nodes are no obstacle', () => {
    const embedding = nystromEmbedding(new Float64Array(5 * 30).fill(1), Int32Array.from([0, 1, 2, 3, 4]), 3);
    expect(embedding.dimension).toBe(1);
    expect([...embedding.coordinates].every(Number.isFinite)).toBe(true);
  });
});
