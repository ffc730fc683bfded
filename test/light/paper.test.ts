import { describe, expect, it } from 'vitest';
import { InsideFill } from '../../src/light/fill-inside.ts';
import { bakeLight } from '../../src/light/light.ts';
import { LitScene } from '../../src/light/lit-scene.ts';
import { methodPoses } from '../../src/light/paper/bake-samples.ts';
import { clusteredPca, type VectorRows } from '../../src/light/paper/clustered-pca.ts';
import { incrementalClusters } from '../../src/light/paper/incremental-clusters.ts';
import { nrbfVariance, nrbfWeights } from '../../src/light/paper/nrbf.ts';
import { PcaCluster } from '../../src/light/paper/pca-cluster.ts';
import { poseSubspaces, sampleSubspace } from '../../src/light/paper/pose-subspaces.ts';
import { PoseVectors } from '../../src/light/paper/pose-vectors.ts';
import { clusterMembers, cutPoses } from '../../src/light/paper/segment-clusters.ts';
import { SegmentRows } from '../../src/light/paper/segment-rows.ts';
import { PoseModes } from '../../src/light/pose-modes.ts';
import { LightScene } from '../../src/light/scene.ts';
import { TRACE_OPTIONS } from '../../src/light/traced-pose.ts';
import { invert34, multiply34 } from '../../src/math/matrix34.ts';
import { seededRandom } from '../../src/math/rng.ts';
import { defaultsOf } from '../../src/model/options.ts';
import { validateModel } from '../../src/model/skinned-model.ts';
import { choosePoses } from '../../src/skin/choose-poses.ts';
import { lightBake } from '../../src/verbs/light-bake.ts';
import { lightMeasure } from '../../src/verbs/light-measure.ts';
import { traceWith } from '../../src/verbs/light-parts.ts';
import { smallFigure } from './small-figure.ts';

const figure = smallFigure();
const QUICK = { poses: 8, rays: 64, spheres: 8 } as const;

/** Vectors of D numbers near one of three planes. */
function anyRows(count: number, size: number, perRow = 2, seed = 1): VectorRows {
  const random = seededRandom(seed);
  const planes = Array.from({ length: 3 }, () => [0, 1].map(() => Array.from({ length: size }, () => random() - 0.5)));
  const values = new Float64Array(count * perRow * size);
  for (let r = 0; r < count; r++) {
    for (let v = 0; v < perRow; v++) {
      const [a, b] = [random(), random()];
      for (let c = 0; c < size; c++) {
        values[(r * perRow + v) * size + c] = a * planes[r % 3][0][c] + b * planes[r % 3][1][c] + 0.01 * random();
      }
    }
  }
  return { size, offsets: Uint32Array.from({ length: count + 1 }, (_, r) => perRow * r), values };
}

describe('a cluster of vectors', () => {
  it('has the best basis, whether its members came at once, in two halves that merged, or some left again', () => {
    const { size, values } = anyRows(30, 6);
    const [whole, first, second] = [0, 1, 2].map(() => new PcaCluster(size, 2));
    whole.add(values, 0, 60);
    first.add(values, 0, 20);
    second.add(values, 20 * size, 40);
    second.add(values, 0, 5);
    second.add(values, 0, 5, -1);
    first.merge(second);
    for (const each of [whole, first]) each.update();
    expect(first.count).toBe(60);
    expect(first.distance(whole)).toBeLessThan(1e-6);
    expect(first.error(values, 0, 60)).toBeCloseTo(whole.error(values, 0, 60), 9);
    const more = new PcaCluster(size, 6);
    more.add(values, 0, 60);
    more.update();
    expect(more.error(values, 0, 60)).toBeLessThan(1e-12);
  });
});

describe('clustered PCA', () => {
  it('finds planes, and its error never rises', () => {
    const rows = anyRows(90, 8);
    const { clusters, clusterOf, errors } = clusteredPca(rows, [], 3, { bases: 2, seed: 1 });
    errors.slice(1).forEach((error, k) => void expect(error).toBeLessThanOrEqual(errors[k] * (1 + 1e-9)));
    expect(clusters.length).toBe(3);
    expect(new Set(Array.from({ length: 30 }, (_, r) => clusterOf[3 * r])).size).toBe(1);
  });

  it('leaves clusters that are given as they are', () => {
    const rows = anyRows(30, 8);
    const given = new PcaCluster(8, 2);
    given.add(rows.values, 0, 2);
    given.update();
    const before = given.basis.slice();
    const { clusterOf } = clusteredPca(rows, [given], 2, { bases: 2, seed: 1 });
    expect(given.basis).toEqual(before);
    expect(given.count).toBe(2);
    expect(clusterOf[0]).toBe(0);
  });
});

describe('poses of a segment', () => {
  it('are cut into even groups of what is alike', () => {
    const points = [0, 10, 0.1, 10.1, 0.2, 10.2, 0.3, 10.3, 20, 30, 20.1, 30.1, 20.2, 30.2, 20.3, 30.3];
    const squared = Float64Array.from(points.flatMap((a) => points.map((b) => (a - b) ** 2)));
    const groups = cutPoses(squared, squared, 4);
    const members = clusterMembers(groups, 4).map((own) => Array.from(own, (p) => Math.floor(points[p] / 10)));
    expect(members.every((own) => own.length === 4 && new Set(own).size === 1)).toBe(true);
  });

  it.each([1, 2, 3, 5, 6, 7, 48])('%i of them: none is lost, groups differ by one at most', (count) => {
    const random = seededRandom(2);
    const points = Array.from({ length: count }, random);
    const squared = Float64Array.from(points.flatMap((a) => points.map((b) => (a - b) ** 2)));
    const groups = cutPoses(squared, new Float64Array(count * count), 4);
    const sizes = clusterMembers(groups, Math.max(...groups) + 1).map(({ length }) => length);
    expect(sizes.reduce((sum, x) => sum + x, 0)).toBe(count);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(4);
    expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1);
  });
});

describe('weights of radial functions', () => {
  it('sum to 1 near and far, are even between equals and follow the nearer', () => {
    const squared = Float64Array.of(0, 4, 9, 4, 0, 1, 9, 1, 0);
    const members = Uint32Array.of(0, 1, 2);
    const variance = nrbfVariance(squared, members);
    for (const far of [
      [0, 4, 9],
      [1e6, 1e6 + 1, 1e6 + 2],
      [3, 3, 3],
      [1e-30, 0, 1e9],
    ]) {
      const weights = nrbfWeights(far, members, variance, new Float64Array(3));
      expect(weights.reduce((sum, x) => sum + x, 0)).toBeCloseTo(1, 12);
      const order = [...far.keys()].sort((a, b) => far[a] - far[b]);
      order.slice(1).forEach((p, k) => void expect(weights[p]).toBeLessThanOrEqual(weights[order[k]]));
    }
    expect([...nrbfWeights([5], Uint32Array.of(0), 0, new Float64Array(1))]).toEqual([1]);
    expect([...nrbfWeights([5, 5], Uint32Array.of(0, 1), 0, new Float64Array(2))]).toEqual([0.5, 0.5]);
  });
});

describe('rows of segments', () => {
  const groups = { bones: Uint16Array.of(0, 1), groupOf: Uint16Array.of(0, 1, 1, 0) };

  it('come back as they were given, and differ as they do', () => {
    const random = seededRandom(4);
    const rows = new SegmentRows(groups, 3);
    const poses = Array.from({ length: 5 }, () => Float32Array.from({ length: 12 }, random));
    for (const pose of poses) rows.add(pose);
    const out = new Float64Array(3);
    rows.read(2, 3, out);
    expect([...out]).toEqual([...poses[3].subarray(6, 9)]);
    const between = rows.differences(1);
    const expected = [3, 4, 5, 6, 7, 8].reduce((sum, c) => sum + (poses[0][c] - poses[4][c]) ** 2, 0) / 2;
    expect(between[4]).toBeCloseTo(expected, 6);
    expect(between[20]).toBeCloseTo(expected, 6);
  });

  it('of many poses come back when few modes make them', () => {
    const random = seededRandom(6);
    const parts = [0, 1].map(() => Float32Array.from({ length: 20 }, random));
    const rows = Array.from({ length: 200 }, () => {
      const [a, b] = [random(), random()];
      return parts[0].map((x, c) => a * x + b * parts[1][c]);
    });
    const modes = new PoseModes(20);
    for (const row of rows) modes.add(row);
    const out = new Float64Array(20);
    const products = modes.products();
    rows.forEach((row, p) => {
      modes.read(p, 0, 20, out, 0);
      row.forEach((x, c) => void expect(out[c]).toBeCloseTo(x, 4));
      expect(products[p * 200 + 7]).toBeCloseTo(
        row.reduce((sum, x, c) => sum + x * rows[7][c], 0),
        3,
      );
    });
  });
});

describe('incremental clusters', () => {
  const N = 24;
  const P = 8;
  const D = 5;
  const groups = {
    bones: Uint16Array.of(0, 1, 2),
    groupOf: Uint16Array.from({ length: N }, (_, i) => Math.floor(i / 8)),
  };
  const filled = () => {
    const random = seededRandom(8);
    const rows = new SegmentRows(groups, D);
    for (let p = 0; p < P; p++) rows.add(Float32Array.from({ length: N * D }, () => random() - 0.3));
    return rows;
  };
  /** Poses in groups that differ from segment to segment. */
  const mixed = Uint16Array.from({ length: 3 * P }, (_, at) => {
    const [g, p] = [Math.floor(at / P), at % P];
    return g === 0 ? p >> 1 : g === 1 ? p % 4 : (p >> 1) ^ (p & 1);
  });

  it.each([4, 5, 7, 12, 24])('never give a pose more than its budget of %i', (budget) => {
    const { clusters, memberOf } = incrementalClusters(
      filled(),
      { count: 4, clusterOf: mixed },
      { budget, bases: 2, seed: 1 },
    );
    expect(Math.max(...memberOf)).toBe(clusters.length - 1);
    for (let p = 0; p < P; p++) {
      const used = new Set(Array.from(groups.groupOf, (g, i) => memberOf[4 * i + mixed[g * P + p]]));
      expect(used.size).toBeLessThanOrEqual(budget);
    }
  });

  it('with one cluster for a pose are the PCA of each group of poses', () => {
    const rows = filled();
    const clusterOf = Uint16Array.from({ length: 3 * P }, (_, at) => (at % P) >> 2);
    const { clusters, memberOf } = incrementalClusters(rows, { count: 2, clusterOf }, { budget: 1, bases: 2, seed: 1 });
    expect(clusters.length).toBe(2);
    const vector = new Float64Array(D);
    [0, 1].forEach((group) => {
      const batch = new PcaCluster(D, 2);
      for (let i = 0; i < N; i++) {
        for (let p = 4 * group; p < 4 * group + 4; p++) {
          rows.read(i, p, vector);
          batch.add(vector, 0, 1);
        }
      }
      batch.update();
      expect(clusters[memberOf[group]].distance(batch)).toBeLessThan(1e-6);
    });
  });
});

describe('subspaces of poses', () => {
  const poses = choosePoses([figure], { poses: 24 }).poses;
  const vectors = new PoseVectors([figure]);

  it('a vector is a pose again, seen from the root', () => {
    for (const { parts } of poses) {
      const again = vectors.poseOf(vectors.vectorOf(parts))[0].transforms;
      const undo = new Float64Array(12);
      invert34(undo, 0, parts[0].transforms, 0);
      const expected = new Float64Array(12);
      for (let j = 0; j < again.length / 12; j++) {
        multiply34(expected, 0, undo, 0, parts[0].transforms, 12 * j);
        expected.forEach((x, c) => void expect(again[12 * j + c]).toBeCloseTo(x, 5));
      }
    }
  });

  it('with all coefficients hold every pose; samples have one in each stratum', () => {
    const all = poses.map(({ parts }) => vectors.vectorOf(parts));
    const [space] = poseSubspaces(all, { seed: 1, subspaces: 1, coefficients: 24 });
    for (const each of all) expect(space.cluster.error(each, 0, 1)).toBeLessThan(1e-9);
    const samples = sampleSubspace(space, 10, seededRandom(3));
    const own = new Float64Array(24);
    const strata = samples.map((sample) => {
      space.cluster.project(sample, 0, own);
      return Array.from(own, (x, b) => Math.floor((10 * (x - space.least[b])) / (space.most[b] - space.least[b])));
    });
    expect(new Set(strata.map((each) => each[0]))).toEqual(new Set(Array.from({ length: 10 }, (_, k) => k)));
    expect(new Set(strata.map((each) => each[1])).size).toBe(10);
  });
});

describe.each(['paper', 'pose-space'] as const)('light by %s', (method) => {
  it('gives traced poses back to 16 bits when each is its own group with all bases', async () => {
    const settings = { ...QUICK, method, neighbours: 1, bases: 25, gloss: true } as const;
    const [model] = (await bakeLight([figure], settings, traceWith())).models;
    validateModel(model);
    const scene = new LightScene([model]);
    const lit = new LitScene(scene);
    const filling = new InsideFill(scene.triangles, scene.vertices);
    const poses = methodPoses(method, [figure], QUICK.poses, 1);
    const traced = traceWith()(
      [figure],
      poses.map(({ parts }) => parts),
      { ...defaultsOf(TRACE_OPTIONS), rays: QUICK.rays, gloss: true },
      {},
    );
    let p = 0;
    for await (const truth of traced) {
      const got = lit.run(poses[p++].parts);
      for (const [found, expected] of [
        [got.transfer, truth.transfer],
        [got.visibility!, truth.visibility!],
      ]) {
        filling.fill(expected, 25, truth.inside);
        const most = expected.reduce((a, x) => Math.max(a, Math.abs(x)), 0);
        const worst = found.reduce((a, x, c) => Math.max(a, Math.abs(x - expected[c])), 0);
        expect(worst).toBeLessThan(1e-3 * most);
      }
    }
    expect(p).toBe(QUICK.poses);
  });

  it('is measured and tells its size', async () => {
    const { models, report } = await lightBake(figure, { ...QUICK, method });
    expect(report.detail).toMatchObject({ method, poses: 8 });
    expect(report.detail.bytesPerVertex).toBeGreaterThan(100);
    const { clips } = (await lightMeasure(models[0], { frames: 1, rays: 64, spheres: 8 })).report;
    for (const { shadingErrorPercent, poseSpacePercent } of clips) {
      expect(shadingErrorPercent).toBeGreaterThan(0);
      if (method === 'pose-space') expect(shadingErrorPercent).toBeCloseTo(poseSpacePercent!, 1);
    }
  });
});

describe('light measure', () => {
  it('bakes by a method first when told', async () => {
    const { report } = await lightMeasure(figure, { method: 'pose-space', poses: 6, frames: 1, rays: 64, spheres: 8 });
    expect(report.detail.hasLight).toBe(true);
    expect(report.detail.clips.every(({ baked }) => baked)).toBe(true);
  });
});
