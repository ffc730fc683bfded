/**
 * How much of the light along K directions spheres take from every vertex: the twin of kernels/assembly/light-base.ts.
 *
 * V_k = Π_s (1 − o_s a_s S(t)), t = (d_s·ω_k − cos(θ+ρ)) / (cos(θ−ρ) − cos(θ+ρ)) with S smoothstep: the share of a cell of
 * radius ρ around ω_k that a sphere of angular radius θ covers, sin θ = r/d; a = min(1, (1 − cos θ)/(1 − cos ρ)). Within a
 * sphere θ grows from ½π to π, where it would block everything; π − ρ is the most.
 *
 * A sphere that lies mostly below the tangent plane and still rises above it would darken a flat face that it only stands for:
 * it counts as smaller, in the end as one that touches the plane from below. `shrunkRadius` has the formula.
 *
 * blocked T = (4/K) Σ c_k (1 − V_k) y(ω_k), c = n·ω, and (n·ω + ρ)²/4ρ for |n·ω| < ρ, where the horizon cuts the cell;
 * hidden (4π/K) Σ (1 − V_k) y(ω_k) with a ramp at the horizon.
 */
import { type BaseArrays, SEEN } from './base-arrays.ts';

/** Spheres shrink where their middle lies deeper below a tangent plane than this share of their radius … */
export const SHRINK_FROM = 0.4;
/** … and from so much deeper on touch it. */
export const SHRINK_OVER = 0.45;

/** r + (d − r) t, t = (d/r − 0.4)/0.45 between 0 and 1, of a sphere whose middle lies d < r below a tangent plane. */
const shrunkRadius = (radius: number, depth: number): number =>
  radius +
  Math.min(0, depth - radius) *
    Math.min(1, Math.max(0, (depth - SHRINK_FROM * radius) / Math.max(1e-20, SHRINK_OVER * radius)));

/** Adds up `blocked` and, if asked for, `hidden` of all vertices. `spheres` is how many there are now. */
export function blockTwin(arrays: BaseArrays, spheres: number, withHidden: boolean): void {
  const { sizes, positions, normals, groupOf, turned, harmonics, seen, active, blocked, hidden, cell } = arrays;
  const { vertices, directions: k, width } = sizes;
  const stride = k + 4;
  const blockedScale = 4 / k;
  const hiddenScale = (4 * Math.PI) / k;
  blocked.fill(0);
  if (withHidden) hidden.fill(0);
  for (let i = 0; i < vertices; i++) {
    const nx = normals[3 * i];
    const ny = normals[3 * i + 1];
    const nz = normals[3 * i + 2];
    const inView = seeSpheres(
      arrays,
      spheres,
      positions[3 * i],
      positions[3 * i + 1],
      positions[3 * i + 2],
      nx,
      ny,
      nz,
    );
    if (inView === 0) continue;
    const axes = 3 * k * groupOf[i];
    let count = 0;
    for (let q = 0; q < k; q++) {
      const x = turned[axes + q];
      const y = turned[axes + k + q];
      const z = turned[axes + 2 * k + q];
      const cosine = nx * x + ny * y + nz * z;
      if (cosine <= -cell) continue;
      active[count] = x;
      active[stride + count] = y;
      active[2 * stride + count] = z;
      active[3 * stride + count] = cosine < cell ? (cosine + cell) ** 2 / (4 * cell) : cosine;
      active[4 * stride + count] = cosine < cell ? (cosine + cell) / (2 * cell) : 1;
      active[5 * stride + count] = q;
      count++;
    }
    for (let a = 0; a < count; a++) {
      const x = active[a];
      const y = active[stride + a];
      const z = active[2 * stride + a];
      let visible = 1;
      for (let s = 0; s < SEEN * inView; s += SEEN) {
        const t = seen[s] * x + seen[s + 1] * y + seen[s + 2] * z + seen[s + 3];
        if (t <= 0) continue;
        const u = Math.min(1, t);
        visible *= 1 - seen[s + 4] * u * u * (3 - 2 * u);
      }
      if (visible === 1) continue;
      const from = active[5 * stride + a] * width;
      const cosine = blockedScale * (1 - visible) * active[3 * stride + a];
      for (let c = 0; c < width; c++) blocked[i * width + c] += cosine * harmonics[from + c];
      if (!withHidden) continue;
      const share = hiddenScale * (1 - visible) * active[4 * stride + a];
      for (let c = 0; c < width; c++) hidden[i * width + c] += share * harmonics[from + c];
    }
  }
}

/** Writes the spheres that a vertex can see to `seen`, and returns how many. */
function seeSpheres(
  { sizes, balls, opacities, seen, cell }: BaseArrays,
  spheres: number,
  px: number,
  py: number,
  pz: number,
  nx: number,
  ny: number,
  nz: number,
): number {
  const most = sizes.spheres;
  const sinCell = Math.sin(cell);
  const cosCell = Math.cos(cell);
  // A cone that ends below what the lowest direction still counts.
  const margin = cell + Math.asin(cell);
  const sinMargin = Math.sin(margin);
  const cosMargin = Math.cos(margin);
  let count = 0;
  for (let s = 0; s < spheres; s++) {
    if (!(opacities[s] > 0)) continue;
    const x = balls[s] - px;
    const y = balls[most + s] - py;
    const z = balls[2 * most + s] - pz;
    const up = nx * x + ny * y + nz * z;
    const radius = shrunkRadius(balls[3 * most + s], -up);
    const square = x * x + y * y + z * z;
    const distance = Math.sqrt(square);
    const inverse = 1 / Math.max(distance, 1e-20);
    let sine: number;
    let cosine: number;
    if (distance > radius) {
      sine = radius * inverse;
      cosine = Math.sqrt(square - radius * radius) * inverse;
      const highest = sine * cosMargin + cosine * sinMargin; // sin(θ + margin), of a cone below the horizon
      const below = cosine * cosMargin - sine * sinMargin > 0; // θ + margin < ½π
      if (below && up * inverse <= -highest) continue;
    } else {
      const angle = Math.max(cell, ((Math.PI / 2) * distance) / radius); // π − θ
      sine = Math.sin(angle);
      cosine = -Math.cos(angle);
    }
    const scale = 1 / (2 * sine * sinCell);
    const o = SEEN * count++;
    seen[o] = x * inverse * scale;
    seen[o + 1] = y * inverse * scale;
    seen[o + 2] = z * inverse * scale;
    seen[o + 3] = -(cosine * cosCell - sine * sinCell) * scale;
    seen[o + 4] = opacities[s] * Math.min(1, (1 - cosine) / (1 - cosCell));
  }
  return count;
}
