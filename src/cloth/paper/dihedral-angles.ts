import { meshEdges } from '../../mesh/adjacency.ts';
import { crossOfEdges } from '../../mesh/triangle.ts';
import { type Mesh, vertexCount } from '../../model/mesh.ts';
import { hingesOf } from '../body.ts';

/**
 * Θ of Feng 2010, §3.4.1: the angles between neighbouring triangles of the coarse mesh, which no rigid motion changes.
 * They are taken against those at rest, so that a tube's own folds are 0 and angles stay away from ±π.
 */
export class DihedralAngles {
  /** H. */
  readonly count: number;
  readonly #hinges: Uint32Array;
  readonly #rest: Float64Array;
  readonly #first = new Float64Array(3);
  readonly #second = new Float64Array(3);

  constructor(mesh: Mesh) {
    this.#hinges = hingesOf(mesh.triangles, meshEdges(mesh.triangles, vertexCount(mesh)));
    this.count = this.#hinges.length / 4;
    this.#rest = new Float64Array(this.count);
    const rest = new Float64Array(this.count);
    this.measure(mesh.positions, rest);
    this.#rest.set(rest);
  }

  /** Radians in −π…π of a pose (3V), into `out` (H). */
  measure(x: ArrayLike<number>, out: Float64Array): void {
    const hinges = this.#hinges;
    const m = this.#first;
    const n = this.#second;
    for (let h = 0; h < this.count; h++) {
      const a = 3 * hinges[4 * h];
      const b = 3 * hinges[4 * h + 1];
      crossOfEdges(m, x, a, b, a, 3 * hinges[4 * h + 2]);
      crossOfEdges(n, x, a, 3 * hinges[4 * h + 3], a, b);
      const ex = x[b] - x[a];
      const ey = x[b + 1] - x[a + 1];
      const ez = x[b + 2] - x[a + 2];
      const sine =
        ex * (m[1] * n[2] - m[2] * n[1]) + ey * (m[2] * n[0] - m[0] * n[2]) + ez * (m[0] * n[1] - m[1] * n[0]);
      const cosine = m[0] * n[0] + m[1] * n[1] + m[2] * n[2];
      out[h] = wrapped(Math.atan2(sine, cosine * Math.sqrt(ex * ex + ey * ey + ez * ez)) - this.#rest[h]);
    }
  }
}

/** The same angle within −π…π. */
const wrapped = (angle: number): number =>
  angle > Math.PI ? angle - 2 * Math.PI : angle < -Math.PI ? angle + 2 * Math.PI : angle;

/**
 * What both mappings see of the coarse cloth: Θ and its change per second Θ̇, in one array (2H). The chapter does not say how
 * the two compare; Θ̇ is scaled so that both vary alike over the examples.
 */
export class PoseInput {
  /** 2H. */
  readonly values: Float64Array;
  readonly #angles: DihedralAngles;
  readonly #now: Float64Array;
  readonly #before: Float64Array;
  readonly #velocityScale: number;

  constructor(angles: DihedralAngles, velocityScale: number) {
    this.#angles = angles;
    this.#velocityScale = velocityScale;
    this.values = new Float64Array(2 * angles.count);
    this.#now = this.values.subarray(0, angles.count);
    this.#before = new Float64Array(angles.count);
  }

  /** `previous` is the pose `seconds` > 0 earlier. */
  set(pose: ArrayLike<number>, previous: ArrayLike<number>, seconds: number): void {
    const now = this.#now;
    const before = this.#before;
    this.#angles.measure(pose, now);
    this.#angles.measure(previous, before);
    const rate = this.#velocityScale / seconds;
    for (let h = 0; h < now.length; h++) this.values[now.length + h] = rate * wrapped(now[h] - before[h]);
  }
}
