import { PliantError } from '../error.ts';
import { sameFaces } from '../mesh/adjacency.ts';
import { diagonalOf } from '../mesh/bounds.ts';
import { firstNonFinite, type Mesh, triangleCount, vertexCount } from '../model/mesh.ts';
import type { RunOptions } from '../model/options.ts';
import { checkpoint } from '../model/run.ts';
import type { MeshSequence } from '../model/sequence.ts';
import { medoids } from './medoids.ts';

/** E poses of one mesh: what a predictor learns from. */
export interface Examples {
  name: string;
  rest: Mesh;
  /** E of 3N positions each. */
  poses: Float32Array[];
  /** E: where each came from, as a frame of the sequences one after the other. */
  frames: number[];
}

/** With how many frames were left out because they repeat another. */
export type CollectedExamples = Examples & { duplicates: number };

/** Poses closer than this, as RMS distance in fractions of the diagonal, say the same thing twice. */
const DUPLICATE = 1e-6;
/** Vertices that comparisons between frames look at. */
const SAMPLE = 2000;

/**
 * Reads the frames of sequences of one mesh and keeps `wanted` of them (0: all), the k-medoids: those around which all
 * frames gather. Duplicates are left out, since two equal inputs say nothing more than one.
 */
export async function collectExamples(
  sequences: readonly MeshSequence[],
  wanted: number,
  run: RunOptions = {},
): Promise<CollectedExamples> {
  const [first] = sequences;
  if (wanted === 1) {
    throw new PliantError('bad-option', 'learn', '(got 1, expected at least 2, or 0 for all)', { option: 'examples' });
  }
  if (!first) throw new PliantError('bad-input', 'learn', 'no sequences');
  const n = vertexCount(first.rest);
  if (triangleCount(first.rest) === 0) throw new PliantError('bad-input', 'learn', `${first.name}: no triangles`);
  const total = sequences.reduce((sum, { frameCount }) => sum + frameCount, 0);
  const poses: Float32Array[] = [];
  for (const sequence of sequences) {
    if (vertexCount(sequence.rest) !== n) {
      const got = `${vertexCount(sequence.rest)} vertices in ${sequence.name}, expected ${n} as in ${first.name}`;
      throw new PliantError('bad-input', 'learn', `examples of different meshes (got ${got})`);
    }
    if (!sameFaces(sequence.rest.triangles, first.rest.triangles)) {
      const cause = `examples of different meshes (${sequence.name} has different faces than ${first.name}`;
      throw new PliantError('bad-input', 'learn', `${cause}, expected the same vertices in the same order)`);
    }
    for (let k = 0; k < sequence.frameCount; k++) {
      await checkpoint(run, 'learn', poses.length, total, 'reading examples');
      const pose = await sequence.readFrame(k);
      const bad = firstNonFinite(pose);
      if (bad >= 0) {
        const cause = `${sequence.name}: frame ${k}: vertex ${Math.floor(bad / 3)} has a coordinate ${pose[bad]}`;
        throw new PliantError('bad-input', 'learn', `${cause} (expected a finite number)`);
      }
      poses.push(pose);
    }
  }

  const diagonal = diagonalOf(first.rest.positions);
  if (!(diagonal > 0)) throw new PliantError('bad-input', 'learn', `${first.name}: the rest pose is a single point`);
  const distances = poseDistances(poses, n);
  const distinct = distinctRows(distances, poses.length, DUPLICATE * diagonal);
  if (distinct.length < 2) {
    const cause = `${first.name}: ${distinct.length} distinct example${distinct.length === 1 ? '' : 's'}`;
    throw new PliantError('bad-input', 'learn', `${cause} among ${poses.length} (expected at least 2)`);
  }
  const kept = wanted > 0 && wanted < distinct.length ? medoids(distances, poses.length, distinct, wanted) : distinct;
  return {
    name: first.name,
    rest: first.rest,
    poses: kept.map((k) => poses[k]),
    frames: kept,
    duplicates: poses.length - distinct.length,
  };
}

/** P × P: RMS distances between poses over a sample of the vertices. */
export function poseDistances(poses: readonly Float32Array[], n: number): Float64Array {
  const p = poses.length;
  const step = Math.max(1, Math.floor(n / SAMPLE));
  const count = Math.ceil(n / step);
  const distances = new Float64Array(p * p);
  for (let a = 0; a < p; a++) {
    for (let b = 0; b < a; b++) {
      const [x, y] = [poses[a], poses[b]];
      let sum = 0;
      for (let i = 0; i < n; i += step) {
        for (let c = 3 * i; c < 3 * i + 3; c++) sum += (x[c] - y[c]) ** 2;
      }
      distances[a * p + b] = distances[b * p + a] = Math.sqrt(sum / count);
    }
  }
  return distances;
}

/** The rows that are farther than `tolerance` from every row before them. */
function distinctRows(distances: Float64Array, p: number, tolerance: number): number[] {
  const kept: number[] = [];
  for (let k = 0; k < p; k++) if (kept.every((j) => distances[k * p + j] > tolerance)) kept.push(k);
  return kept;
}
