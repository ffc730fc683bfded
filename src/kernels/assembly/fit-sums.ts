// The sums of the normal equations of `fit`, for a range of vertices: the twin of src/decompose/bones/normal-equations.ts.
import { FitTable } from './fit-table';
import { at, intAt } from './memory';

/** Adds vertices start … end − 1 to sums: those of pairs (B × B × 10, at smaller, larger), then R (4B × rank). */
export function fitSums(table: FitTable, start: i32, end: i32, sums: usize): void {
  const z = table.z, rest = table.rest, monomials = table.monomials, mass = table.mass;
  const counts = table.oldCounts, allJoints = table.oldJoints, allWeights = table.oldWeights;
  const boneCount = table.bones, influences = table.influences, rank = table.rank;
  const r = sums + <usize>(boneCount * boneCount) * 80;
  const zRow = <usize>rank << 3;
  for (let i = start; i < end; i++) {
    const count = <i32>load<u8>(counts + <usize>i);
    const mi = at(mass, i);
    const zi = z + <usize>i * zRow;
    for (let s = 0; s < count; s++) {
      const js = intAt(allJoints, i * influences + s);
      const ws = mi * at(allWeights, i * influences + s);
      const w0 = f64x2.splat(ws * at(rest, 4 * i)), w1 = f64x2.splat(ws * at(rest, 4 * i + 1));
      const w2 = f64x2.splat(ws * at(rest, 4 * i + 2)), w3 = f64x2.splat(ws * at(rest, 4 * i + 3));
      const r0 = r + <usize>(4 * js) * zRow;
      const r1 = r0 + zRow, r2 = r1 + zRow, r3 = r2 + zRow;
      let c: usize = 0;
      for (; c + 8 < zRow; c += 16) {
        const v = v128.load(zi + c);
        v128.store(r0 + c, f64x2.add(v128.load(r0 + c), f64x2.mul(w0, v)));
        v128.store(r1 + c, f64x2.add(v128.load(r1 + c), f64x2.mul(w1, v)));
        v128.store(r2 + c, f64x2.add(v128.load(r2 + c), f64x2.mul(w2, v)));
        v128.store(r3 + c, f64x2.add(v128.load(r3 + c), f64x2.mul(w3, v)));
      }
      for (; c < zRow; c += 8) {
        const v = load<f64>(zi + c);
        store<f64>(r0 + c, load<f64>(r0 + c) + f64x2.extract_lane(w0, 0) * v);
        store<f64>(r1 + c, load<f64>(r1 + c) + f64x2.extract_lane(w1, 0) * v);
        store<f64>(r2 + c, load<f64>(r2 + c) + f64x2.extract_lane(w2, 0) * v);
        store<f64>(r3 + c, load<f64>(r3 + c) + f64x2.extract_lane(w3, 0) * v);
      }
      for (let t = 0; t <= s; t++) {
        const jt = intAt(allJoints, i * influences + t);
        const f = f64x2.splat(ws * at(allWeights, i * influences + t));
        const o = sums + <usize>((js < jt ? js * boneCount + jt : jt * boneCount + js) * 80);
        const m = monomials + <usize>i * 80;
        for (let c: usize = 0; c < 80; c += 16) v128.store(o + c, f64x2.add(v128.load(o + c), f64x2.mul(f, v128.load(m + c))));
      }
    }
  }
}
