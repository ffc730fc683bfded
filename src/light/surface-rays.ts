import { PliantError } from '../error.ts';
import { diagonalOf } from '../mesh/bounds.ts';
import { type RayHits, RayTracer } from '../mesh/rays.ts';
import { crossOfEdges } from '../mesh/triangle.ts';
import { HemisphereRays, pointSeed } from './hemisphere-rays.ts';

/** A surface in a pose, in world space. N vertices, one per point: seams are joined. */
export interface LightSurface {
  /** 3N. */
  positions: Float32Array;
  /** 3N, of length 1. */
  normals: Float32Array;
  /** 3F, counter-clockwise seen from outside. */
  triangles: Uint32Array;
  /** What part of the light is reflected: one number, one per vertex (N), or linear red, green and blue (3N). */
  albedo: number | Float32Array;
}

/** Rays begin so far above the surface, in parts of its diagonal. */
const OFFSET = 1e-4;

/** One tracer per list of triangles: its memory is large, and poses of a surface share it. */
const tracers = new WeakMap<Uint32Array, RayTracer>();

/** The tracer of a surface, built for its pose, and how far above the surface rays begin. */
export function surfaceTracer({ positions, triangles }: LightSurface): { tracer: RayTracer; offset: number } {
  const tracer = tracers.get(triangles) ?? new RayTracer(triangles);
  tracers.set(triangles, tracer);
  tracer.build(positions);
  return { tracer, offset: OFFSET * diagonalOf(positions) };
}

/** Rays from points into the hemispheres above them, against a surface. */
export class SurfaceRays {
  readonly rays: HemisphereRays;
  /** Of the last point that was traced. */
  readonly hits: RayHits;
  readonly #tracer: RayTracer;
  readonly #origins: Float32Array;
  readonly #offset: number;
  readonly #faceNormals: Float32Array;

  constructor(surface: LightSurface, count: number) {
    const { positions, triangles } = surface;
    const { tracer, offset } = surfaceTracer(surface);
    this.#tracer = tracer;
    this.#offset = offset;
    this.rays = new HemisphereRays(count);
    this.#origins = new Float32Array(3 * count);
    this.#faceNormals = faceNormals(positions, triangles);
    this.hits = {
      distances: new Float32Array(count),
      faces: new Int32Array(count),
      us: new Float32Array(count),
      vs: new Float32Array(count),
    };
  }

  /** Traces the rays of point i (three coordinates from 3i on) to `hits`; `seed` is that of the surface in this pose. */
  trace(points: Float32Array, normals: Float32Array, i: number, seed: number): void {
    const { rays, hits } = this;
    rays.aim(normals[3 * i], normals[3 * i + 1], normals[3 * i + 2], pointSeed(seed, i));
    const origins = this.#origins;
    const x = points[3 * i] + this.#offset * normals[3 * i];
    const y = points[3 * i + 1] + this.#offset * normals[3 * i + 1];
    const z = points[3 * i + 2] + this.#offset * normals[3 * i + 2];
    for (let c = 0; c < origins.length; c += 3) {
      origins[c] = x;
      origins[c + 1] = y;
      origins[c + 2] = z;
    }
    this.#tracer.closest(origins, rays.directions, rays.count, hits);
  }

  /** Whether ray q of the last point met the back of its face. */
  fromBehind(q: number): boolean {
    const { directions } = this.rays;
    const normals = this.#faceNormals;
    const n = 3 * this.hits.faces[q];
    return (
      directions[3 * q] * normals[n] + directions[3 * q + 1] * normals[n + 1] + directions[3 * q + 2] * normals[n + 2] >
      0
    );
  }
}

/** 3F, as long as twice the faces' areas. */
export function faceNormals(positions: Float32Array, triangles: Uint32Array): Float32Array {
  const out = new Float32Array(triangles.length);
  const normal = new Float64Array(3);
  for (let f = 0; f < triangles.length; f += 3) {
    const a = 3 * triangles[f];
    out.set(crossOfEdges(normal, positions, a, 3 * triangles[f + 1], a, 3 * triangles[f + 2]), f);
  }
  return out;
}

/** Refuses arrays of other sizes, points that are nowhere, and corners that are no vertex. */
export function requireSurface({ positions, normals, triangles, albedo }: LightSurface, operation: string): void {
  const fail = (cause: string): never => {
    throw new PliantError('bad-input', operation, cause);
  };
  const n = positions.length / 3;
  if (normals.length !== positions.length) fail(`${normals.length} numbers of normals (expected ${positions.length})`);
  if (!positions.every(Number.isFinite)) fail('a position is not finite');
  if (!normals.every(Number.isFinite)) fail('a normal is not finite');
  if (triangles.some((i) => i >= n)) fail(`a triangle has a corner beyond the ${n} vertices`);
  const values = typeof albedo === 'number' ? [albedo] : albedo;
  if (typeof albedo !== 'number' && albedo.length !== n && albedo.length !== 3 * n) {
    fail(`${albedo.length} numbers of albedo (expected ${n} or ${3 * n})`);
  }
  if (!values.every((x) => x >= 0 && x <= 1)) fail('albedo beyond 0 … 1');
}
