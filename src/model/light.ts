import { PliantError } from '../error.ts';
import type { LightGroups } from './light-poses.ts';
import { type LightSamples, requireSamples } from './light-samples.ts';
import { firstNonFinite } from './mesh.ts';
import { SKIN_OPERATORS, type SkinOperator } from './skin-operator.ts';

/**
 * How light falls on a skinned model in any pose (after Feng 2010, chapter 5): spheres that move with its bones give most
 * of it, what was traced in some poses corrects them. C coefficients of spherical harmonics, index l² + l + m; N vertices
 * of the model's mesh; all in the space of its rest pose.
 */
export interface LightModel {
  /** Bands of the spherical harmonics, 1 … 6: C = order². */
  order: number;
  /** Times that light is reflected between parts of the model. */
  bounces: number;
  /** Mean linear colour that reflects it. */
  albedo: readonly [number, number, number];
  /** The operator that posed the model when it was traced. */
  operator: SkinOperator;
  spheres: LightSpheres;
  /** M × 4S: what each morph of the model adds to the spheres' centres and radii, x y z r. Absent without morphs. */
  sphereMorphs?: Float32Array;
  /** 5 × 5, band by band: how bounces follow from direct light. */
  bounceFactors: Float32Array;
  residual?: LightResidual;
  /** Traced poses, blended: they take the place of spheres and residual. */
  samples?: LightSamples;
  /** Of what the model was when it was made: other values say that this light belongs to another model. */
  hashes: { mesh: string; weights: string };
  /** How it was baked: clips by name, numbers of poses and of rays per vertex. */
  made?: { clips: string[]; poses: number; rays: number; seed: number };
}

/** S spheres within a model that cast its shadows. They follow bones by linear blending. */
export interface LightSpheres {
  /** S. */
  count: number;
  /** 3S, at rest. */
  centres: Float32Array;
  /** S, at rest. */
  radii: Float32Array;
  /** S: the part of the light that a sphere takes away, 0 … 1. */
  opacities: Float32Array;
  /** 4S bones. */
  joints: Uint16Array;
  /** 4S, ≥ 0, each sphere's sum is 1. */
  weights: Float32Array;
}

/**
 * What traced light has beyond that of the spheres. Each vertex belongs to its heaviest bone, G bones have any; vectors
 * are in the frame of that bone. P poses were traced.
 */
export interface LightResidual extends LightGroups {
  /** Of diffuse transfer. */
  diffuse: LightModes;
  /** Of visibility, for gloss. */
  visibility?: LightModes;
}

/** A mean and r modes per bone; coefficients of the modes by regression over poses. */
export interface LightModes {
  /** r. */
  modes: number;
  /** N × C, times `meanScales`, G × C. */
  mean: Int8Array;
  meanScales: Float32Array;
  /** N × r × C, times `basisScales`, G × r. */
  basis: Int8Array;
  basisScales: Float32Array;
  /** G × r × P, times `coefficientScales`, G × r: of the kernels around the P poses. */
  coefficients: Int16Array;
  coefficientScales: Float32Array;
}

/** Numbers per band in `bounceFactors`, and bands. */
const BOUNCE_FACTORS = 25;
const MAX_LIGHT_ORDER = 6;
const MAX_LIGHT_MODES = 64;

/** Throws `bad-input` where light breaks its contract, or is not of a model with so many vertices and bones. */
export function validateLight(light: LightModel, vertices: number, bones: number, operation = 'validateLight'): void {
  const require: Require = (holds, what) => {
    if (!holds) throw new PliantError('bad-input', operation, `not light of this model: invalid ${what}`);
  };
  const { order, bounces, albedo, operator, spheres, sphereMorphs, bounceFactors, residual, samples, hashes, made } =
    light;
  require(Number.isInteger(order) && order >= 1 && order <= MAX_LIGHT_ORDER, `order ${order}`);
  require(Number.isInteger(bounces) && bounces >= 0 && bounces <= 100, `bounces ${bounces}`);
  require(albedo.length === 3 && albedo.every((part) => part >= 0 && part <= 1), 'albedo');
  require(SKIN_OPERATORS.includes(operator), `operator ${operator}`);
  requireNumbers(require, bounceFactors, BOUNCE_FACTORS, 'bounce factors');
  require(typeof hashes.mesh === 'string' && typeof hashes.weights === 'string', 'hashes');
  requireSpheres(require, spheres, bones);
  if (sphereMorphs) {
    const rows = sphereMorphs.length / (4 * spheres.count);
    require(Number.isInteger(rows) && firstNonFinite(sphereMorphs) < 0, 'morphs of spheres');
  }
  if (made) {
    const { clips, poses, rays, seed } = made;
    require(Array.isArray(clips) && clips.every((name) => typeof name === 'string'), 'clips');
    require([poses, rays, seed].every((count) => Number.isInteger(count) && count >= 0), 'settings');
  }
  if (residual) {
    requirePoses(require, residual, vertices, bones);
    requireModes(require, residual, order * order);
  }
  if (samples) {
    requirePoses(require, samples, vertices, bones);
    requireSamples(require, samples, order * order);
  }
}

type Require = (holds: boolean, what: string) => void;

function requireNumbers(require: Require, values: ArrayLike<number>, length: number, what: string): void {
  require(values.length === length && firstNonFinite(values) < 0, what);
}

/** Throws by `require` where spheres break their contract. */
export function requireSpheres(require: Require, spheres: LightSpheres, bones: number): void {
  const { count, centres, radii, opacities, joints, weights } = spheres;
  require(Number.isInteger(count) && count >= 0, 'number of spheres');
  requireNumbers(require, centres, 3 * count, 'centres of spheres');
  requireNumbers(require, radii, count, 'radii of spheres');
  require(radii.every((radius) => radius > 0), 'radii of spheres');
  requireNumbers(require, opacities, count, 'opacities of spheres');
  require(opacities.every((opacity) => opacity >= 0 && opacity <= 1), 'opacities of spheres');
  require(joints.length === 4 * count && joints.every((joint) => joint < bones), 'joints of spheres');
  requireNumbers(require, weights, 4 * count, 'weights of spheres');
  for (let s = 0; s < count; s++) {
    const own = weights.subarray(4 * s, 4 * s + 4);
    const sum = own[0] + own[1] + own[2] + own[3];
    require(own.every((weight) => weight >= 0) && Math.abs(sum - 1) < 1e-4, `weights of sphere ${s}`);
  }
}

function requirePoses(require: Require, posed: LightGroups, n: number, bones: number): void {
  const { bones: own, groupOf, centroids, diagonal, poses } = posed;
  const groups = own.length;
  require(groups >= 1 && own.every((bone) => bone < bones) && new Set(own).size === groups, 'bones');
  require(groupOf.length === n && groupOf.every((group) => group < groups), 'bones of vertices');
  requireNumbers(require, centroids, 3 * groups, 'centroids');
  require(Number.isFinite(diagonal) && diagonal > 0, 'diagonal');
  require(Number.isInteger(poses.count) && poses.count >= 1, 'number of poses');
  require(Number.isFinite(poses.step) && poses.step >= 0, 'step of poses');
  require(poses.centroids.length === 3 * groups * poses.count, 'centroids of poses');
  require(poses.rotations.length === 4 * groups * poses.count, 'rotations of poses');
}

function requireModes(require: Require, residual: LightResidual, size: number): void {
  const { bones, groupOf, poses, diffuse, visibility } = residual;
  const [groups, n] = [bones.length, groupOf.length];
  for (const [name, part] of Object.entries({ diffuse, ...(visibility && { visibility }) })) {
    const { modes, mean, meanScales, basis, basisScales, coefficients, coefficientScales } = part;
    require(Number.isInteger(modes) && modes >= 0 && modes <= MAX_LIGHT_MODES, `number of modes of ${name}`);
    require(mean.length === n * size && basis.length === n * modes * size, `modes of ${name}`);
    requireNumbers(require, meanScales, groups * size, `scales of ${name}`);
    requireNumbers(require, basisScales, groups * modes, `scales of ${name}`);
    require(coefficients.length === groups * modes * poses.count, `coefficients of ${name}`);
    requireNumbers(require, coefficientScales, groups * modes, `coefficients of ${name}`);
  }
}
