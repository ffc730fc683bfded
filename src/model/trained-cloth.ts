import { PliantError } from '../error.ts';
import { firstNonFinite, type Mesh, triangleCount, validateMesh, vertexCount } from './mesh.ts';
import { checkPaperModel, type PaperModel } from './paper-cloth.ts';

/** How the fine cloth gets its folds: by regression, by linear regression, as in Feng 2010, or not at all. */
export const CLOTH_METHODS = ['learned', 'linear', 'paper', 'embed'] as const;
/** What gives trained cloth its folds. */
export type ClothMethod = (typeof CLOTH_METHODS)[number];

/** What physics of the detail adds. */
export const CLOTH_PHYSICS = ['off', 'still', 'quiet', 'lively', 'alone'] as const;
/** Physics of the detail. */
export type ClothPhysics = (typeof CLOTH_PHYSICS)[number];

/**
 * Coarse pose → detail, patch by patch. V patches, one per coarse vertex, N fine vertices, d inputs, m modes, E centres.
 * Most numbers are bytes with a scale per group: value = byte · scale.
 */
export interface UpsamplerModel {
  modes: number;
  inputs: number;
  /** 0 for linear regression. */
  centres: number;
  /** What positions and nearness to the body are multiplied by. */
  scales: [position: number, body: number];
  /** Per patch d × (the numbers it sees), and V × d scales: what it sees → inputs. */
  directions: Int8Array;
  directionScales: Float32Array;
  /** V × d × 2: inputs stay within these. */
  limits: Float32Array;
  /** V × (1 + d) × m: constant and linear part. */
  matrices: Float32Array;
  /** V × E × d, and V × d scales: where Gaussians stand. */
  points: Int8Array;
  pointScales: Float32Array;
  /** V × E × m, and V × m scales: what they are multiplied by. */
  blends: Int8Array;
  blendScales: Float32Array;
  /** 3N × 3 × m: the detail's shapes, in 1/127: of each fine vertex under each of its three coarse ones. */
  basis: Int8Array;
}

/** The last numbers that a patch sees are about the body. */
export const PATCH_BODY_NUMBERS = 3;

/** Cloth that was trained: a coarse mesh to simulate, and how a fine one follows it. In metres, y up. Plain data. */
export interface TrainedCloth {
  name: string;
  coarse: Mesh;
  fine: Mesh;
  /** Vertices that a body holds. */
  pinned: { coarse: Uint32Array; fine: Uint32Array };
  /** The distance that the fine cloth keeps from a body, m. */
  thickness: number;
  method: ClothMethod;
  physics: ClothPhysics;
  /** Whether a body moved it in the motions that it was trained on. */
  body?: boolean;
  upsampler?: UpsamplerModel;
  /** For the method of Feng 2010. */
  paper?: PaperModel;
}

/** Throws `bad-input` where something is not trained cloth, or contradicts itself. */
export function validateTrainedCloth(data: unknown, operation = 'validateTrainedCloth'): TrainedCloth {
  const require: Require = (holds, what) => {
    if (!holds) throw new PliantError('bad-input', operation, `not trained cloth: invalid ${what}`);
  };
  require(typeof data === 'object' && data !== null, 'data');
  const cloth = data as TrainedCloth;
  require(typeof cloth.name === 'string', 'name');
  for (const which of ['coarse', 'fine'] as const) {
    const mesh = cloth[which];
    require(mesh?.positions instanceof Float32Array && mesh.triangles instanceof Uint32Array, `${which} mesh`);
    require(mesh.triangles.length > 0, `${which} mesh`);
    validateMesh(mesh, operation);
    const pins = cloth.pinned?.[which];
    const n = vertexCount(mesh);
    require(pins instanceof Uint32Array && pins.every((i) => i < n), `pins of the ${which} mesh`);
  }
  require(Number.isFinite(cloth.thickness) && cloth.thickness >= 0, 'thickness');
  require(CLOTH_METHODS.includes(cloth.method), 'method');
  require(CLOTH_PHYSICS.includes(cloth.physics), 'physics');
  require(cloth.body === undefined || typeof cloth.body === 'boolean', 'body');
  require(cloth.upsampler !== undefined || cloth.method === 'embed' || cloth.method === 'paper', 'upsampler');
  if (cloth.upsampler) validateUpsampler(cloth, cloth.upsampler, require);
  require(cloth.paper !== undefined || cloth.method !== 'paper', 'paper');
  if (cloth.paper) {
    const sizes = { vertices: vertexCount(cloth.fine), coarseTriangles: triangleCount(cloth.coarse) };
    checkPaperModel(cloth.paper, sizes, operation, require);
  }
  return cloth;
}

type Require = (holds: boolean, what: string) => void;

/** A sane number of modes, inputs or centres: with V of them arrays stay addressable. */
const MOST = 65_536;

function validateUpsampler({ coarse, fine }: TrainedCloth, u: UpsamplerModel, require: Require): void {
  const v = vertexCount(coarse);
  const counts = { modes: [u.modes, 1], inputs: [u.inputs, 1], centres: [u.centres, 0] } as const;
  for (const [what, [count, least]] of Object.entries(counts)) {
    require(Number.isInteger(count) && count >= least && count <= MOST, what);
  }
  const { modes: m, inputs: d, centres: e } = u;
  require(Array.isArray(u.scales) &&
    u.scales.length === 2 &&
    u.scales.every((s) => Number.isFinite(s) && s >= 0), 'scales');
  const bytes = (name: 'directions' | 'points' | 'blends' | 'basis', length?: number) =>
    require(u[name] instanceof Int8Array && u[name].length === (length ?? u[name].length), name);
  const floats = (name: 'directionScales' | 'limits' | 'matrices' | 'pointScales' | 'blendScales', length: number) =>
    require(u[name] instanceof Float32Array && u[name].length === length && firstNonFinite(u[name]) < 0, name);
  bytes('directions');
  floats('directionScales', v * d);
  floats('limits', 2 * v * d);
  floats('matrices', v * (1 + d) * m);
  bytes('points', v * e * d);
  floats('pointScales', v * d);
  bytes('blends', v * e * m);
  floats('blendScales', v * m);
  bytes('basis', 9 * vertexCount(fine) * m);
}
