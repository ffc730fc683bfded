/** Throws where pairs are not what can be learned from, before anything else is done. */
import { PliantError } from '../error.ts';
import { readCheckedFrame, requireEqualFrames } from '../measure/frames.ts';
import { sameFaces } from '../mesh/adjacency.ts';
import { diagonalOf } from '../mesh/bounds.ts';
import { validateMesh, vertexCount } from '../model/mesh.ts';
import { type Note, note } from '../model/note.ts';
import type { RunOptions } from '../model/options.ts';
import { checkpoint } from '../model/run.ts';
import { Embedding } from './embedding.ts';
import type { ClothPair } from './pairs.ts';
import { Restriction, restrictedPair } from './restrict.ts';

const OPERATION = 'train';
/** RMS distance between the fine cloth and its embedding, in diagonals: beyond, they are not one motion. */
const APART = 1;
/** The same after the coarse cloth was moved to where the fine one is: beyond, they are not one cloth. */
const OTHER = 0.15;
/** Distance that hats see on average, in diagonals: beyond, the fine cloth was not guided by the coarse one. */
const LOOSE = 0.01;
/** A frame in which vertices go farther than this, in diagonals, and so many times as far as usual, is a cut. */
const JUMP = { way: 0.5, times: 20 };

/** Reads all pairs once. Returns them, with a coarse cloth that follows the fine one where that was not guided. */
export async function requirePairs(
  pairs: readonly ClothPair[],
  run: RunOptions,
): Promise<{ pairs: readonly ClothPair[]; notes: Note[] }> {
  requireOneCloth(pairs);
  const [first] = pairs;
  for (const which of ['coarse', 'fine'] as const) {
    validateMesh(first[which].rest, OPERATION);
    if (first[which].rest.triangles.length === 0) fail(`the ${which} mesh has no triangles`);
  }
  const [v, n] = [vertexCount(first.coarse.rest), vertexCount(first.fine.rest)];
  if (v > n) fail(`the coarse cloth has ${v} vertices, the fine one ${n} (expected fewer: they seem to be swapped)`);
  for (const pair of pairs) {
    if (pair.body) requireEqualFrames(OPERATION, pair.coarse, pair.body.sequence);
    const ends = [pair.coarse, pair.fine].map(({ times }) => times[times.length - 1] - times[0]);
    if (Math.abs(ends[0] - ends[1]) > 0.01 * Math.max(...ends)) {
      fail(
        `${pair.name}: the coarse frames last ${ends[0].toPrecision(4)} s, the fine ones ${ends[1].toPrecision(4)} s (expected the same times)`,
      );
    }
  }
  const diagonal = diagonalOf(first.fine.rest.positions);
  const embedding = new Embedding(first.coarse.rest, first.fine.rest);
  const total = pairs.reduce((sum, { coarse }) => sum + coarse.frameCount, 0);
  const restriction = new Restriction(embedding);
  let [done, squares, far, worst] = [0, 0, 0, 0];
  for (const pair of pairs) {
    const coarse = new Float32Array(3 * embedding.coarseCount);
    const fine = new Float32Array(3 * embedding.count);
    const [pose, base] = [new Float64Array(coarse.length), new Float64Array(fine.length)];
    const ways: number[] = [];
    for (let k = 0; k < pair.coarse.frameCount; k++) {
      await checkpoint(run, OPERATION, done++, total, 'checking pairs');
      await readCheckedFrame(OPERATION, pair.coarse, k, coarse);
      await readCheckedFrame(OPERATION, pair.fine, k, fine);
      if (k > 0) ways.push(rmsDistance(coarse, pose));
      pose.set(coarse);
      embedding.apply(pose, base);
      const distance = rmsDistance(fine, base);
      const at = `${pair.name}: frame ${k}: `;
      if (distance > APART * diagonal) {
        fail(`${at}fine and coarse cloth are ${distance.toPrecision(2)} m apart (expected one motion)`);
      }
      restriction.measure(pose, fine);
      const seen = Math.sqrt((3 * restriction.means.reduce((sum, x) => sum + x * x, 0)) / pose.length);
      squares += seen ** 2;
      if (seen > far) [far, worst] = [seen, k];
      if (seen <= LOOSE * diagonal) continue;
      restriction.follow(pose, fine);
      embedding.apply(pose, base);
      const left = rmsDistance(fine, base);
      if (left > OTHER * diagonal) {
        fail(`${at}the fine cloth is ${left.toPrecision(2)} m from any coarse cloth (expected meshes of one cloth)`);
      }
      pose.set(coarse);
    }
    requireNoJump(pair.name, ways, diagonal);
  }
  const share = Math.sqrt(squares / total) / diagonal;
  if (share <= LOOSE) return { pairs, notes: [] };
  return { pairs: pairs.map(restrictedPair), notes: [note('pairs-apart', { percent: 100 * share, frame: worst })] };
}

/** Throws unless pairs are of the same two meshes, frame by frame. */
export function requireOneCloth(pairs: readonly Pick<ClothPair, 'coarse' | 'fine'>[]): void {
  if (pairs.length === 0) fail('no pairs (expected at least one motion)');
  for (const pair of pairs) {
    requireEqualFrames(OPERATION, pair.coarse, pair.fine);
    for (const which of ['coarse', 'fine'] as const) {
      const [{ rest, name }, { rest: expected }] = [pair[which], pairs[0][which]];
      if (vertexCount(rest) === vertexCount(expected) && sameFaces(rest.triangles, expected.triangles)) continue;
      fail(`${name}: its ${which} mesh has other vertices or faces than that of the first motion (expected the same)`);
    }
  }
}

function requireNoJump(motion: string, ways: readonly number[], diagonal: number): void {
  const usual = ways.toSorted((a, b) => a - b)[Math.floor(ways.length / 2)] ?? 0;
  const k = ways.findIndex((way) => way > JUMP.way * diagonal && way > JUMP.times * usual);
  if (k < 0) return;
  fail(`${motion}: frame ${k + 1}: the coarse cloth jumps by ${ways[k].toPrecision(2)} m (expected one motion)`);
}

function rmsDistance(a: Float32Array, b: Float64Array): number {
  let sum = 0;
  for (let c = 0; c < a.length; c++) sum += (a[c] - b[c]) ** 2;
  return Math.sqrt((3 * sum) / a.length);
}

function fail(cause: string): never {
  throw new PliantError('bad-input', OPERATION, cause);
}
