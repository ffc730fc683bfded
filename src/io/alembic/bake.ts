import { IDENTITY34 } from '../../math/matrix34.ts';
import { transformMesh } from '../../mesh/transform-mesh.ts';
import { firstNonFinite, type Mesh, vertexCount } from '../../model/mesh.ts';
import { frameOutOfRange, type MeshSequence } from '../../model/sequence.ts';
import { unionOfTimes } from './bracket.ts';
import type { PolyMesh } from './poly-mesh.ts';
import type { Property } from './properties.ts';
import { worldMatrixAt, type Xform } from './xform.ts';

/** A mesh in the space of the archive: the transforms above it are part of its points. */
export interface Baked {
  /** At the first frame. */
  mesh: Mesh;
  /** Absent when nothing moves. */
  motion?: Pick<MeshSequence, 'frameCount' | 'times' | 'readFrame'>;
}

const isIdentity = (m: Float64Array): boolean => m.every((value, c) => value === IDENTITY34[c]);

/**
 * Points and transforms may be sampled at different times. Frames are at all of them: what has a sample there is exact,
 * what has none is interpolated between its neighbours (points linearly, transforms as their operations' numbers are).
 */
export async function bake({ mesh, points }: PolyMesh, chain: readonly Xform[], name: string): Promise<Baked> {
  const moving = [...(points.isConstant ? [] : [points.times]), ...chain.flatMap((xform) => xform.times)];
  const times = moving.length > 0 ? unionOfTimes(moving) : Float64Array.of(0);
  const n = vertexCount(mesh);
  const first = await worldMatrixAt(chain, times[0]);
  const rest = isIdentity(first) ? mesh : transformMesh(mesh, first);
  requireFinite(rest.positions, points, points.block(0).offset, times[0]);
  if (moving.length === 0) return { mesh: rest };

  const isStill = chain.every((xform) => xform.times.length === 0);
  const readFrame = async (k: number, out: Float32Array = new Float32Array(3 * n)): Promise<Float32Array> => {
    if (!(Number.isInteger(k) && k >= 0 && k < times.length)) throw frameOutOfRange(name, k, times.length);
    const { a, b, fraction, offset } = await points.around(times[k], n);
    const matrix = isStill ? first : await worldMatrixAt(chain, times[k]);
    if (fraction === 0) out.set(a);
    else for (let c = 0; c < out.length; c++) out[c] = a[c] + fraction * (b[c] - a[c]);
    if (!isIdentity(matrix)) transformInPlace(out, matrix);
    requireFinite(out, points, offset, times[k]);
    return out;
  };
  return { mesh: rest, motion: { frameCount: times.length, times, readFrame } };
}

function transformInPlace(points: Float32Array, m: Float64Array): void {
  const [m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11] = m;
  for (let o = 0; o < points.length; o += 3) {
    const x = points[o];
    const y = points[o + 1];
    const z = points[o + 2];
    points[o] = m0 * x + m1 * y + m2 * z + m3;
    points[o + 1] = m4 * x + m5 * y + m6 * z + m7;
    points[o + 2] = m8 * x + m9 * y + m10 * z + m11;
  }
}

function requireFinite(positions: Float32Array, points: Property, offset: number, time: number): void {
  // Zero times a number is 0, unless it is none: one sum tells, faster than a test of each.
  let sum = 0;
  for (let c = 0; c < positions.length; c++) sum += 0 * positions[c];
  if (sum === 0) return;
  const bad = firstNonFinite(positions);
  const cause = `at ${Number(time.toPrecision(6))} s vertex ${Math.floor(bad / 3)} has a coordinate ${positions[bad]} (expected a finite number)`;
  points.fail(cause, offset);
}
