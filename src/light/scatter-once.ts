import { evaluateSh, shCount } from '../math/spherical-harmonics.ts';
import type { RayHits } from '../mesh/rays.ts';
import { lobeDirections, pointSeed, sphereDirections } from './hemisphere-rays.ts';
import { faceNormals, type LightSurface, surfaceTracer } from './surface-rays.ts';
import { fresnelTransmittance, type Translucent } from './translucent.ts';

/**
 * Light that scatters once within a surface (Wang, Tran & Luebke 2005, "All-frequency interactive relighting of translucent
 * objects with single and multiple scattering"; Jensen et al. 2001, §2.2). Looking along the refracted ray, a point at
 * a depth drawn from e^{−σ_t s} sends on what reaches it straight from the sky through the surface. As a matrix: from
 * coefficients of light to those of the radiance that leaves, over the directions it leaves in.
 */

/** N × C × C, a row per coefficient of the directions that light leaves in. `views` × `rays` rays per vertex. */
export function scatterOnce(
  surface: LightSurface,
  material: Translucent,
  { order, views, rays, seed }: { order: number; views: number; rays: number; seed: number },
): Float32Array {
  const { positions, normals, triangles } = surface;
  const { scattering, absorption, anisotropy: g, refraction } = material;
  const extinction = scattering + absorption;
  const n = positions.length / 3;
  const size = shCount(order);
  const { tracer, offset } = surfaceTracer(surface);
  const flat = faceNormals(positions, triangles);

  const leaving = new Float32Array(3 * views);
  const inwards = new Float32Array(3 * views);
  const starts = new Float32Array(3 * views);
  const exits = hitsFor(views);
  const depths = new Float64Array(views);
  const count = views * rays;
  const points = new Float32Array(3 * count);
  const towards = new Float32Array(3 * rays);
  const directions = new Float32Array(3 * count);
  const hits = hitsFor(count);
  const blocked = new Uint8Array(count);
  const arriving = new Float64Array(size);
  const y = new Float64Array(size);
  const sum = new Float64Array(size * size);
  const out = new Float32Array(n * size * size);

  for (let i = 0; i < n; i++) {
    // (1) Directions that light leaves in, and from within, where it comes from.
    const [nx, ny, nz] = normals.subarray(3 * i, 3 * i + 3);
    const ownSeed = pointSeed(seed, i);
    lobeDirections(normals, i, 0, ownSeed, leaving);
    for (let k = 0; k < views; k++) {
      const [x, v, z] = leaving.subarray(3 * k, 3 * k + 3);
      const cosine = Math.max(1e-3, x * nx + v * ny + z * nz);
      const inner = Math.sqrt(1 - (1 - cosine * cosine) / refraction ** 2);
      const along = cosine / refraction - inner;
      inwards[3 * k] = -x / refraction + along * nx;
      inwards[3 * k + 1] = -v / refraction + along * ny;
      inwards[3 * k + 2] = -z / refraction + along * nz;
      for (let c = 0; c < 3; c++) starts[3 * k + c] = positions[3 * i + c] - offset * normals[3 * i + c];
      depths[k] = -Math.log(1 - (((k + 0.5) * GOLDEN + ownSeed / 2 ** 32) % 1)) / extinction;
    }
    tracer.closest(starts, inwards, views, exits);

    // (2) Where it scatters, straight on to the surface, and on to the sky.
    sphereDirections(ownSeed ^ 0x2545f491, towards);
    for (let k = 0; k < views; k++) {
      for (let q = 0; q < rays; q++) {
        for (let c = 0; c < 3; c++) {
          points[3 * (k * rays + q) + c] = positions[3 * i + c] + depths[k] * inwards[3 * k + c];
          directions[3 * (k * rays + q) + c] = towards[3 * q + c];
        }
      }
    }
    tracer.closest(points, directions, count, hits);
    for (let r = 0; r < count; r++) {
      if (hits.faces[r] < 0) continue;
      for (let c = 0; c < 3; c++) points[3 * r + c] += (hits.distances[r] + offset) * directions[3 * r + c];
    }
    tracer.any(points, directions, count, blocked);

    // (3) What arrives, and what of it leaves.
    sum.fill(0);
    for (let k = 0; k < views; k++) {
      if (exits.faces[k] >= 0 && depths[k] > exits.distances[k]) continue;
      arriving.fill(0);
      for (let q = 0; q < rays; q++) {
        const r = k * rays + q;
        if (hits.faces[r] < 0 || blocked[r]) continue;
        const cosine = cosineTo(flat, 3 * hits.faces[r], towards, 3 * q);
        if (cosine <= 0) continue; // from outside: the point is in no closed part
        // The way of refracted light that comes from there, nearly (Jensen et al. 2001, §4).
        const way = (hits.distances[r] * cosine) / Math.sqrt(1 - (1 - cosine * cosine) / refraction ** 2);
        const ahead =
          towards[3 * q] * inwards[3 * k] +
          towards[3 * q + 1] * inwards[3 * k + 1] +
          towards[3 * q + 2] * inwards[3 * k + 2];
        const phase = (1 - g * g) / (4 * Math.PI * (1 + g * g - 2 * g * ahead) ** 1.5);
        const factor = phase * Math.exp(-extinction * way) * fresnelTransmittance(cosine, refraction);
        evaluateSh(order, towards[3 * q], towards[3 * q + 1], towards[3 * q + 2], y);
        for (let c = 0; c < size; c++) arriving[c] += factor * y[c];
      }
      const cosine = Math.max(1e-3, leaving[3 * k] * nx + leaving[3 * k + 1] * ny + leaving[3 * k + 2] * nz);
      const scale = ((scattering / extinction) * fresnelTransmittance(cosine, refraction) * 4 * Math.PI) / rays;
      evaluateSh(order, leaving[3 * k], leaving[3 * k + 1], leaving[3 * k + 2], y);
      for (let a = 0; a < size; a++) {
        const factor = ((2 * Math.PI) / views) * scale * y[a];
        for (let b = 0; b < size; b++) sum[a * size + b] += factor * arriving[b];
      }
    }
    out.set(sum, i * size * size);
  }
  return out;
}

const GOLDEN = (Math.sqrt(5) - 1) / 2;

const hitsFor = (count: number): RayHits => ({
  distances: new Float32Array(count),
  faces: new Int32Array(count),
  us: new Float32Array(count),
  vs: new Float32Array(count),
});

/** Of a face's normal, of any length, and a direction of length 1. */
function cosineTo(normals: Float32Array, n: number, directions: Float32Array, d: number): number {
  const dot = normals[n] * directions[d] + normals[n + 1] * directions[d + 1] + normals[n + 2] * directions[d + 2];
  return dot / Math.max(Math.hypot(normals[n], normals[n + 1], normals[n + 2]), Number.MIN_VALUE);
}
