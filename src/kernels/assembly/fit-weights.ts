// The weight step of `fit`, for a range of vertices: the twin of src/fit/solver/weights.ts, which has the derivation. All
// arrays are f64 unless said otherwise; addresses are bytes. Scratch memory is the caller's: instances of the module share
// one memory, so each needs its own.
import { beginExchanges, exchangeOnce } from './fit-exchange';
import { beginGram, bestBone, diagonal, loadDiagonal, loadSelfErrors, loadVertex } from './fit-gram';
import {
  beginSupports, candidateJoints, candidateW, joints, keepIfBetter, limit, sameAsCurrent, size, solveOn, startFromBestBone,
  startFromCandidate, value, w,
} from './fit-simplex';
import { at, intAt, put, putInt } from './memory';

const EXCHANGES: i32 = 10;

/** Makes the support of vertex `from` the candidate. Returns its size. */
function takeSupport(from: i32, counts: usize, allJoints: usize, allWeights: usize): i32 {
  const count = <i32>load<u8>(counts + <usize>from);
  const o = from * limit;
  for (let s = 0; s < count; s++) {
    putInt(candidateJoints, s, intAt(allJoints, o + s));
    put(candidateW, s, at(allWeights, o + s));
  }
  return count;
}

/**
 * Vertices start … end − 1. Supports are read from the "old" arrays (own and neighbours') and written to the new ones, so
 * that the result does not depend on how the range is divided. counts: u8, joints: i32; scratch: 2048 bytes and
 * (5 + influences)·stride numbers.
 */
export function fitWeights(
  start: i32, end: i32, rank: i32, boneCount: i32, influences: i32,
  z: usize, zNorm2: usize, rest: usize, monomials: usize,
  packed: usize, pairTable: usize, selfPairs: usize,
  oldCounts: usize, oldJoints: usize, oldWeights: usize,
  counts: usize, allJoints: usize, allWeights: usize, errors: usize,
  offsets: usize, neighbours: usize, exchange: i32, scratch: usize,
): void {
  const free = beginGram(boneCount, rank, z, zNorm2, rest, monomials, packed, pairTable, selfPairs, scratch);
  beginExchanges(beginSupports(influences, free));
  for (let i = start; i < end; i++) {
    loadVertex(i, start, end);
    loadDiagonal();
    const count = takeSupport(i, oldCounts, oldJoints, oldWeights);
    if (count == 0) {
      startFromBestBone();
    } else {
      startFromCandidate(count);
      if (offsets) {
        const stop = load<u32>(offsets + (<usize>(i + 1) << 2));
        for (let c = load<u32>(offsets + (<usize>i << 2)); c < stop; c++) {
          const other = takeSupport(load<u32>(neighbours + (<usize>c << 2)), oldCounts, oldJoints, oldWeights);
          if (other > 0 && !sameAsCurrent(other)) keepIfBetter(solveOn(other));
        }
      }
    }
    if (exchange) for (let round = 0; round < EXCHANGES; round++) if (!exchangeOnce()) break;
    store<u8>(counts + <usize>i, <u8>size);
    const o = i * limit;
    for (let s = 0; s < limit; s++) {
      putInt(allJoints, o + s, s < size ? intAt(joints, s) : 0);
      put(allWeights, o + s, s < size ? at(w, s) : 0);
    }
    put(errors, i, max<f64>(0, value));
  }
}

/** Each vertex to the bone that predicts it best: joints (i32) and squared errors. Scratch as of `fitWeights`. */
export function fitAssign(
  start: i32, end: i32, rank: i32, boneCount: i32,
  z: usize, zNorm2: usize, rest: usize, monomials: usize, packed: usize, selfPairs: usize,
  assignment: usize, errors: usize, scratch: usize,
): void {
  beginGram(boneCount, rank, z, zNorm2, rest, monomials, packed, 0, selfPairs, scratch);
  for (let i = start; i < end; i++) {
    loadVertex(i, start, end);
    loadSelfErrors();
    const bone = bestBone();
    putInt(assignment, i, bone);
    put(errors, i, max<f64>(0, at(diagonal, bone)));
  }
}
