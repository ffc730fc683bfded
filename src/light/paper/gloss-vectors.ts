import { ShRotation, shCount, shRotation } from '../../math/spherical-harmonics.ts';
import { vertexNormals } from '../../mesh/normals.ts';
import { BRDF_TERMS } from '../../model/light-samples.ts';
import { acrossAxes } from '../hemisphere-rays.ts';
import type { LightScene, PosedScene } from '../scene.ts';
import type { LightSurface } from '../surface-rays.ts';
import type { TransferOptions } from '../transfer.ts';
import { traceMatrices } from '../transfer-matrices.ts';
import { type Brdf, type BrdfFactors, brdfFactors } from './brdf-factors.ts';

/**
 * Light that leaves a glossy surface (§5.5): Γ = Vᵀ H (Gᵀ T) L, T the transfer matrix to a vertex's own frame. Kept is Gᵀ T, K × C
 * numbers for light in the frame of the bone; in print Gᵀ is multiplied into the bases after compression, Q = Gᵀ U. It is the
 * same product, and takes a sixth of the memory before.
 */

const factorsOf = new Map<string, BrdfFactors>();

/** Factors that were made before, again. */
export function knownFactors(order: number, brdf: Brdf, parameter: number): BrdfFactors {
  const key = `${order} ${brdf} ${parameter}`;
  const known = factorsOf.get(key) ?? brdfFactors(order, brdf, parameter);
  factorsOf.set(key, known);
  return known;
}

/** N × K × C of a scene in a pose. */
export function traceGlossVectors(
  scene: LightScene,
  posed: PosedScene,
  surface: LightSurface,
  options: Omit<TransferOptions, 'visibility'>,
  { lightMap }: BrdfFactors,
): Float32Array {
  const { order } = options;
  const size = shCount(order);
  const { matrices } = traceMatrices(surface, options);
  const frames = localFrames(scene, posed);
  const bones = Array.from({ length: scene.groups }, (_, g) =>
    shRotation(order, posed.frames.subarray(9 * g, 9 * g + 9), new ShRotation(order)),
  );
  const out = new Float32Array(scene.vertices * BRDF_TERMS * size);
  const turn = new ShRotation(order);
  const row = new Float64Array(size);
  const product = new Float64Array(size);
  for (let i = 0; i < scene.vertices; i++) {
    shRotation(order, frames.subarray(9 * i, 9 * i + 9), turn);
    for (let k = 0; k < BRDF_TERMS; k++) {
      turn.apply(lightMap, row, k * size);
      product.fill(0);
      for (let r = 0, at = i * size * size; r < size; r++) {
        for (let c = 0; c < size; c++, at++) product[c] += row[r] * matrices[at];
      }
      bones[scene.groupOf[i]].applyInverse(product, out, 0, (i * BRDF_TERMS + k) * size);
    }
  }
  return out;
}

const restFrames = new WeakMap<LightScene, Float64Array>();

/** 9N: per vertex a rotation, row-major, that takes z to its normal. That of the rest pose, turned with the bone and then the shortest way. */
export function localFrames(scene: LightScene, { normals, frames }: PosedScene): Float64Array {
  const rest = restFrames.get(scene) ?? framesAtRest(scene);
  restFrames.set(scene, rest);
  const out = new Float64Array(9 * scene.vertices);
  for (let i = 0; i < scene.vertices; i++) {
    const bone = 9 * scene.groupOf[i];
    const own = out.subarray(9 * i, 9 * i + 9);
    for (let r = 0; r < 3; r++) {
      for (let c = 0; c < 3; c++) {
        let sum = 0;
        for (let k = 0; k < 3; k++) sum += frames[bone + 3 * r + k] * rest[9 * i + 3 * k + c];
        own[3 * r + c] = sum;
      }
    }
    swing(own, normals, 3 * i);
  }
  return out;
}

/** Turns a frame so that its z becomes n: v + w × v + w × (w × v)/(1 + z·n), w = z × n (Rodrigues). */
function swing(frame: Float64Array, n: Float32Array, at: number): void {
  const [zx, zy, zz] = [frame[2], frame[5], frame[8]];
  const [nx, ny, nz] = [n[at], n[at + 1], n[at + 2]];
  const [wx, wy, wz] = [zy * nz - zz * ny, zz * nx - zx * nz, zx * ny - zy * nx];
  const cosine = zx * nx + zy * ny + zz * nz;
  if (cosine < -0.999) return void frame.set(frameOf(nx, ny, nz));
  for (let c = 0; c < 3; c++) {
    const [x, y, z] = [frame[c], frame[3 + c], frame[6 + c]];
    const [ax, ay, az] = [wy * z - wz * y, wz * x - wx * z, wx * y - wy * x];
    frame[c] = x + ax + (wy * az - wz * ay) / (1 + cosine);
    frame[3 + c] = y + ay + (wz * ax - wx * az) / (1 + cosine);
    frame[6 + c] = z + az + (wx * ay - wy * ax) / (1 + cosine);
  }
}

/** Columns: two axes across the normal, and the normal. */
function frameOf(nx: number, ny: number, nz: number): number[] {
  const [tx, ty, tz, bx, by, bz] = acrossAxes(nx, ny, nz);
  return [tx, bx, nx, ty, by, ny, tz, bz, nz];
}

function framesAtRest(scene: LightScene): Float64Array {
  const out = new Float64Array(9 * scene.vertices);
  for (const { model, firstVertex } of scene.parts) {
    const normals = vertexNormals(model.mesh);
    for (let i = 0; i < normals.length / 3; i++) {
      out.set(frameOf(normals[3 * i], normals[3 * i + 1], normals[3 * i + 2]), 9 * (firstVertex + i));
    }
  }
  return out;
}
