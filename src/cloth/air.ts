import type { ClothBody } from './body.ts';

/** Its density, kg/m³, and the drag of a plate across the stream and of its surface along it. */
export const AIR = { density: 1.2, normalDrag: 1.3, tangentDrag: 0.05 } as const;

/**
 * Adds what the air does to each triangle: half the air's density times area times speed squared, separately for the
 * parts of the relative velocity across and along the triangle. Air at rest is the same law with a wind of zero.
 * `wind` is 3N, m/s; `dt` the length of the sub-step that `body.previous` lies back.
 */
export function addAir(body: ClothBody, wind: Float64Array, dt: number): void {
  const { x, previous, triangles } = body;
  const perStep = 1 / (3 * dt);
  for (let t = 0; t < triangles.length; t += 3) {
    const a = 3 * triangles[t];
    const b = 3 * triangles[t + 1];
    const c = 3 * triangles[t + 2];
    const ux = x[b] - x[a];
    const uy = x[b + 1] - x[a + 1];
    const uz = x[b + 2] - x[a + 2];
    const vx = x[c] - x[a];
    const vy = x[c + 1] - x[a + 1];
    const vz = x[c + 2] - x[a + 2];
    const nx = uy * vz - uz * vy;
    const ny = uz * vx - ux * vz;
    const nz = ux * vy - uy * vx;
    const doubleArea = Math.sqrt(nx * nx + ny * ny + nz * nz);
    if (doubleArea === 0) continue;

    // Wind relative to the triangle, split into its parts along the normal and in the plane.
    const rx =
      (wind[a] + wind[b] + wind[c]) / 3 - (x[a] + x[b] + x[c] - previous[a] - previous[b] - previous[c]) * perStep;
    const ry =
      (wind[a + 1] + wind[b + 1] + wind[c + 1]) / 3 -
      (x[a + 1] + x[b + 1] + x[c + 1] - previous[a + 1] - previous[b + 1] - previous[c + 1]) * perStep;
    const rz =
      (wind[a + 2] + wind[b + 2] + wind[c + 2]) / 3 -
      (x[a + 2] + x[b + 2] + x[c + 2] - previous[a + 2] - previous[b + 2] - previous[c + 2]) * perStep;
    const across = (rx * nx + ry * ny + rz * nz) / (doubleArea * doubleArea); // · n = the part along the normal
    const tx = rx - across * nx;
    const ty = ry - across * ny;
    const tz = rz - across * nz;
    const speed = Math.sqrt(tx * tx + ty * ty + tz * tz);
    const scale = (AIR.density / 4) * doubleArea * (1 / 3); // ½ · density · area · a third for each corner
    const sn = scale * AIR.normalDrag * Math.abs(across) * doubleArea * across;
    const st = scale * AIR.tangentDrag * speed;
    const fx = sn * nx + st * tx;
    const fy = sn * ny + st * ty;
    const fz = sn * nz + st * tz;
    pushCorners(body, t, fx, fy, fz);
  }
}

/** Adds an over-pressure (N/m²) that pushes a closed body's triangles outwards. */
export function addPressure(body: ClothBody, pressure: number): void {
  const { x, triangles } = body;
  for (let t = 0; t < triangles.length; t += 3) {
    const a = 3 * triangles[t];
    const b = 3 * triangles[t + 1];
    const c = 3 * triangles[t + 2];
    const ux = x[b] - x[a];
    const uy = x[b + 1] - x[a + 1];
    const uz = x[b + 2] - x[a + 2];
    const vx = x[c] - x[a];
    const vy = x[c + 1] - x[a + 1];
    const vz = x[c + 2] - x[a + 2];
    // The cross product is twice the area; a third of the force for each corner.
    const fx = (pressure / 6) * (uy * vz - uz * vy);
    const fy = (pressure / 6) * (uz * vx - ux * vz);
    const fz = (pressure / 6) * (ux * vy - uy * vx);
    pushCorners(body, t, fx, fy, fz);
  }
}

/** Adds a force on each corner of the triangle at t. */
function pushCorners(
  { triangles, acceleration, inverseMass }: ClothBody,
  t: number,
  fx: number,
  fy: number,
  fz: number,
) {
  for (let corner = t; corner < t + 3; corner++) {
    const i = triangles[corner];
    acceleration[3 * i] += inverseMass[i] * fx;
    acceleration[3 * i + 1] += inverseMass[i] * fy;
    acceleration[3 * i + 2] += inverseMass[i] * fz;
  }
}

/**
 * Internal friction: neighbours exchange velocity as in a fluid of this kinematic viscosity (m²/s). Quiets the scale of
 * the mesh within milliseconds and leaves folds of centimetres to swing. Momentum is kept.
 */
export function addViscosity(body: ClothBody, viscosity: number, dt: number): void {
  const { x, previous, acceleration, mass, inverseMass } = body;
  const { a, b, length, share } = body.springs;
  for (let e = 0; e < a.length; e++) {
    const i = a[e];
    const j = b[e];
    const io = 3 * i;
    const jo = 3 * j;
    // In an even mesh the mean over n neighbours of (v_j − v_i) is a quarter of edge² · Δv.
    const rate = (4 * viscosity * share[e]) / (length[e] * length[e] * dt);
    const m = (2 * rate * mass[i] * mass[j]) / (mass[i] + mass[j]);
    const fx = m * (x[jo] - previous[jo] - x[io] + previous[io]);
    const fy = m * (x[jo + 1] - previous[jo + 1] - x[io + 1] + previous[io + 1]);
    const fz = m * (x[jo + 2] - previous[jo + 2] - x[io + 2] + previous[io + 2]);
    const wi = inverseMass[i];
    const wj = inverseMass[j];
    acceleration[io] += wi * fx;
    acceleration[io + 1] += wi * fy;
    acceleration[io + 2] += wi * fz;
    acceleration[jo] -= wj * fx;
    acceleration[jo + 1] -= wj * fy;
    acceleration[jo + 2] -= wj * fz;
  }
}
