// The weight step of `fit`, for a range of vertices: the twin of src/decompose/weights/weights.ts, which has the derivation.
// Scratch memory is the caller's: instances of the module share one memory, so each needs its own.
import { beginExchanges, exchangeOnce } from './fit-exchange';
import { beginGram, bestBone, diagonal, loadDiagonal, loadSelfErrors, loadVertex } from './fit-gram';
import { FitTable } from './fit-table';
import {
  beginSupports, candidateJoints, candidateW, joints, keepIfBetter, limit, sameAsCurrent, size, solveOn, startFromBestBone,
  startFromCandidate, value, w,
} from './fit-simplex';
import { at, intAt, put, putInt } from './memory';

const EXCHANGES: i32 = 10;

/** Makes the support of vertex `from`, as it was before the pass, the candidate. Returns its size. */
function takeSupport(table: FitTable, from: i32): i32 {
  const count = <i32>load<u8>(table.oldCounts + <usize>from);
  const o = from * limit;
  for (let s = 0; s < count; s++) {
    putInt(candidateJoints, s, intAt(table.oldJoints, o + s));
    put(candidateW, s, at(table.oldWeights, o + s));
  }
  return count;
}

/** Takes over the support of a neighbour of vertex i wherever it is better here. */
function takeFromNeighbours(table: FitTable, i: i32): void {
  const stop = load<u32>(table.offsets + (<usize>(i + 1) << 2));
  for (let c = load<u32>(table.offsets + (<usize>i << 2)); c < stop; c++) {
    const count = takeSupport(table, load<u32>(table.neighbours + (<usize>c << 2)));
    if (count > 0 && !sameAsCurrent(count)) keepIfBetter(solveOn(count));
  }
}

/** The support in force becomes that of vertex i after the pass. */
function storeSupport(table: FitTable, i: i32): void {
  store<u8>(table.counts + <usize>i, <u8>size);
  const o = i * limit;
  for (let s = 0; s < limit; s++) {
    putInt(table.joints, o + s, s < size ? intAt(joints, s) : 0);
    put(table.weights, o + s, s < size ? at(w, s) : 0);
  }
}

/**
 * Vertices start … end − 1. Supports are read from the "old" arrays (own and neighbours') and written to the new ones, so
 * that the result does not depend on how the range is divided. scratch: 2048 bytes and (5 + influences)·stride numbers.
 */
export function fitWeights(table: FitTable, start: i32, end: i32, scratch: usize): void {
  beginExchanges(beginSupports(table.influences, beginGram(table, scratch)));
  for (let i = start; i < end; i++) {
    loadVertex(i, start, end);
    loadDiagonal();
    const count = takeSupport(table, i);
    if (count == 0) {
      startFromBestBone();
    } else {
      startFromCandidate(count);
      if (table.tryNeighbours) takeFromNeighbours(table, i);
    }
    if (table.exchange) for (let round = 0; round < EXCHANGES; round++) if (!exchangeOnce()) break;
    storeSupport(table, i);
    put(table.errors, i, max<f64>(0, value));
  }
}

/** Each vertex to the bone that predicts it best: one joint per vertex and its squared error. Scratch as of `fitWeights`. */
export function fitAssign(table: FitTable, start: i32, end: i32, scratch: usize): void {
  beginGram(table, scratch);
  for (let i = start; i < end; i++) {
    loadVertex(i, start, end);
    loadSelfErrors();
    const bone = bestBone();
    putInt(table.joints, i, bone);
    put(table.errors, i, max<f64>(0, at(diagonal, bone)));
  }
}
