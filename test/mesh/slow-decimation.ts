import { ContractibleMesh } from '../../src/mesh/decimation/contractible-mesh.ts';
import { DECIMATE_OPTIONS } from '../../src/mesh/decimation/decimate.ts';
import type { PosedMesh } from '../../src/mesh/decimation/posed-quadrics.ts';
import { defaultsOf } from '../../src/model/options.ts';

/** Algorithm 4.1 with nothing clever: all costs and checks anew before every contraction. Second-vertex placement. */
export function slowDecimation({ triangles, poses }: PosedMesh, amount: number): [number, number][] {
  const n = poses[0].length / 3;
  const done: [number, number][] = [];
  const { boundaryWeight, pointWeight, maxTurn } = defaultsOf(DECIMATE_OPTIONS);
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
