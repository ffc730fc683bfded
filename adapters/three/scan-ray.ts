import { cross3 } from '../../src/math/vector.ts';

/** Rounding of coordinates across a ray, as a fraction of how far from it vertices lie: those are single precision. */
const SLACK = 1e-6;

let across = new Float64Array(0);

/**
 * The faces that a line may meet, by looking at all of them: a superset of those it hits. Each vertex is seen along the
 * line, as two coordinates across it; a triangle whose box in these does not contain the line cannot be hit. For a single
 * ray this is much less work than refitting a hierarchy.
 *
 * `positions` 3N, `triangles` 3F; the line goes through `o` in direction `d` (3 each, d not 0).
 */
export function facesAcrossLine(
  positions: Float32Array,
  triangles: Uint32Array,
  o: ArrayLike<number>,
  d: ArrayLike<number>,
): number[] {
  // (1) Two directions across: d × the axis it is farthest from, and d × that.
  const sizes = [Math.abs(d[0]), Math.abs(d[1]), Math.abs(d[2])];
  const axis = sizes.indexOf(Math.min(...sizes));
  const u = cross3(
    d,
    [0, 1, 2].map((c) => (c === axis ? 1 : 0)),
  );
  const v = cross3(d, u);
  const [ux, uy, uz] = u;
  const [vx, vy, vz] = v;
  const [ox, oy, oz] = [o[0], o[1], o[2]];

  // (2) All vertices.
  if (across.length < (2 * positions.length) / 3) across = new Float64Array((2 * positions.length) / 3);
  let extent = 0;
  for (let i = 0, a = 0; i < positions.length; i += 3, a += 2) {
    const x = positions[i] - ox;
    const y = positions[i + 1] - oy;
    const z = positions[i + 2] - oz;
    across[a] = ux * x + uy * y + uz * z;
    across[a + 1] = vx * x + vy * y + vz * z;
    const size = Math.abs(x) + Math.abs(y) + Math.abs(z);
    if (size > extent) extent = size;
  }

  // (3) All triangles.
  const found: number[] = [];
  const slack = SLACK * extent * (d[0] ** 2 + d[1] ** 2 + d[2] ** 2);
  for (let t = 0; t < triangles.length; t += 3) {
    const a = 2 * triangles[t];
    const b = 2 * triangles[t + 1];
    const c = 2 * triangles[t + 2];
    if (beside(across[a], across[b], across[c], slack)) continue;
    if (beside(across[a + 1], across[b + 1], across[c + 1], slack)) continue;
    found.push(t / 3);
  }
  return found;
}

/** Whether three numbers all lie on one side of 0, by more than rounding. */
const beside = (x: number, y: number, z: number, slack: number): boolean =>
  x > 0 ? x > slack && y > slack && z > slack : x < -slack && y < -slack && z < -slack;
