import { PliantError, throwIfCancelled } from '../../error.ts';
import { shCount } from '../../math/spherical-harmonics.ts';
import type { LightModel } from '../../model/light.ts';
import { lightHashes } from '../../model/light-hashes.ts';
import { BRDF_TERMS, type LightSamples, type SampledVectors, type SampleMethod } from '../../model/light-samples.ts';
import type { RunOptions } from '../../model/options.ts';
import { emptyReport, lapTimer } from '../../model/report.ts';
import type { SkinnedModel } from '../../model/skinned-model.ts';
import type { Pose } from '../../skin/choose-poses.ts';
import { bakePoses } from '../bake-poses.ts';
import type { BakedLight, TracePoses } from '../baked-light.ts';
import type { BoneGroups } from '../bone-groups.ts';
import { BOUNCE_FACTORS } from '../bounces.ts';
import { InsideFill } from '../fill-inside.ts';
import type { LightOptions } from '../light-options.ts';
import { storePoses } from '../pose-features.ts';
import { LightScene } from '../scene.ts';
import { sceneSpheres, splitSpheres } from '../scene-spheres.ts';
import { askedBrdf } from './brdf-options.ts';
import { knownFactors } from './gloss-vectors.ts';
import { incrementalClusters, type RowClusters } from './incremental-clusters.ts';
import { groupParents, LocalPoses } from './local-poses.ts';
import { clusterBudget } from './paper-options.ts';
import { subspacePoses } from './pose-subspaces.ts';
import { cutPoses, type SegmentClusters } from './segment-clusters.ts';
import { SegmentRows } from './segment-rows.ts';
import { storeClusters, storeWhole } from './store-samples.ts';

/** Numbers of traced poses that may be kept whole. */
export const MOST_KEPT = 2 ** 28;

/** The poses that a method traces. */
export const methodPoses = (
  method: SampleMethod | 'residual',
  models: readonly SkinnedModel[],
  count: number,
  seed: number,
): Pose[] => (method === 'paper' ? subspacePoses : bakePoses)(models, count, seed);

/** Light as samples of poses, by the chapter or uncompressed. Spheres are stored beside them, for players that know only these. */
export async function bakeSamples(
  models: readonly SkinnedModel[],
  settings: LightOptions & { method: SampleMethod },
  trace: TracePoses,
  run: RunOptions,
): Promise<BakedLight> {
  const { method, order, bounces, albedo, rays, seed } = settings;
  const report = emptyReport('bakeLight');
  const lap = lapTimer(report.seconds);
  const size = shCount(order);
  const glossy = askedBrdf(settings);

  // (1) Poses in subspaces of what the clips show.
  const scene = new LightScene(models);
  const poses = methodPoses(method, models, settings.poses, seed);
  requireRoom(method, poses.length * scene.vertices * size * (1 + Number(settings.gloss) + (glossy ? BRDF_TERMS : 0)));
  const spheres = splitSpheres(scene, sceneSpheres(scene, settings.spheres));
  lap('poses');

  // (2) Traced, one by one, cut into segments.
  const kept = scene.parts.map(({ groups }) => ({
    diffuse: newKept(method, groups, size),
    ...(settings.gloss && { visibility: newKept(method, groups, size) }),
    ...(glossy && { glossy: newKept(method, groups, BRDF_TERMS * size) }),
  }));
  const filling = new InsideFill(scene.triangles, scene.vertices);
  const parts = poses.map((pose) => pose.parts);
  for await (const light of trace(models, parts, settings, run)) {
    for (const [name, values] of [
      ['diffuse', light.transfer],
      ['visibility', light.visibility],
      ['glossy', light.glossy],
    ] as const) {
      if (!values) continue;
      const own = values.length / scene.vertices;
      filling.fill(values, own, light.inside);
      scene.parts.forEach(({ firstVertex, groups: { groupOf } }, m) => {
        kept[m][name]?.add(values.subarray(firstVertex * own, (firstVertex + groupOf.length) * own));
      });
    }
    throwIfCancelled(run.signal, 'light');
  }
  lap('trace');

  // (3) Groups of poses per segment, (4) clusters of rows, 16 bits.
  const lit = scene.parts.map(({ model, groups }, m): SkinnedModel => {
    const stored = storePoses(
      groups,
      parts.map((each) => each[m].transforms),
    );
    const local = new LocalPoses(stored, groupParents(groups.bones, model.skeleton.parents), groups.diagonal);
    const segments = kept[m].diffuse.segments(local, settings.neighbours);
    lap('segments');
    const vectors = (of: KeptPoses): SampledVectors => of.store(segments, settings);
    const samples: LightSamples = {
      method,
      ...groups,
      poses: stored,
      groups: segments.count,
      clusterOf: segments.clusterOf,
      diffuse: vectors(kept[m].diffuse),
      ...(kept[m].visibility && { visibility: vectors(kept[m].visibility) }),
      ...(glossy &&
        kept[m].glossy && {
          gloss: {
            ...glossy,
            viewMap: knownFactors(order, glossy.brdf, glossy.parameter).viewMap,
            vectors: vectors(kept[m].glossy),
          },
        }),
    };
    lap('clusters');
    const light: LightModel = {
      order,
      bounces,
      albedo: [albedo, albedo, albedo],
      operator: model.operator,
      ...spheres[m],
      bounceFactors: Float32Array.from(BOUNCE_FACTORS),
      samples,
      hashes: lightHashes(model),
      made: { clips: model.clips.map(({ name }) => name), poses: settings.poses, rays, seed },
    };
    return { ...model, light };
  });
  return { models: lit, poses, report };
}

/** Traced poses of one model, until they are stored. */
interface KeptPoses {
  add(values: Float32Array): void;
  segments(local: LocalPoses, neighbours: number): SegmentClusters;
  store(segments: SegmentClusters, options: Pick<LightOptions, 'bases' | 'budget' | 'seed'>): SampledVectors;
}

const newKept = (method: SampleMethod, groups: BoneGroups, size: number): KeptPoses =>
  method === 'paper' ? new ClusteredPoses(groups, size) : new WholePoses(groups);

/** The chapter's way: never more than 128 poses in memory. */
class ClusteredPoses implements KeptPoses {
  readonly #rows: SegmentRows;

  constructor(groups: BoneGroups, size: number) {
    this.#rows = new SegmentRows(groups, size);
  }

  add(values: Float32Array): void {
    this.#rows.add(values);
  }

  segments(local: LocalPoses, neighbours: number): SegmentClusters {
    return segmentClusters(this.#rows, local, neighbours);
  }

  store(segments: SegmentClusters, options: Pick<LightOptions, 'bases' | 'budget' | 'seed'>): SampledVectors {
    const bases = Math.min(options.bases, this.#rows.size);
    return storeClusters(this.#rows, segments, rowClusters(this.#rows, segments, { ...options, bases }), bases);
  }
}

function segmentClusters(rows: SegmentRows, local: LocalPoses, neighbours: number): SegmentClusters {
  const between = local.matrix();
  const p = local.count;
  const clusterOf = new Uint16Array(rows.vertices.length * p);
  rows.vertices.forEach((_, g) => void clusterOf.set(cutPoses(rows.differences(g), between, neighbours), g * p));
  return { count: clusterOf.subarray(0, p).reduce((most, s) => Math.max(most, s), 0) + 1, clusterOf };
}

const rowClusters = (
  rows: SegmentRows,
  segments: SegmentClusters,
  { bases, budget, seed }: Pick<LightOptions, 'bases' | 'budget' | 'seed'>,
): RowClusters =>
  incrementalClusters(rows, segments, {
    bases,
    budget: clusterBudget(budget, rows.groupOf.length, rows.vertices.length),
    seed,
  });

/** All poses as they are, in one group. */
class WholePoses implements KeptPoses {
  readonly #groups: BoneGroups;
  readonly #poses: Float32Array[] = [];

  constructor(groups: BoneGroups) {
    this.#groups = groups;
  }

  add(values: Float32Array): void {
    this.#poses.push(values.slice());
  }

  segments(local: LocalPoses): SegmentClusters {
    return { count: 1, clusterOf: new Uint16Array(this.#groups.bones.length * local.count) };
  }

  store(): SampledVectors {
    return storeWhole(this.#poses, this.#groups.groupOf.length);
  }
}

function requireRoom(method: SampleMethod, numbers: number): void {
  if (method === 'paper' || numbers <= MOST_KEPT) return;
  const cause = `pose-space keeps ${numbers} numbers (expected at most ${MOST_KEPT}: fewer poses, or another method)`;
  throw new PliantError('bad-option', 'light', cause, { option: 'method' });
}
