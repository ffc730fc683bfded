import type { KernelMemory } from '../kernels/load.ts';
import type { SkinOperator } from '../model/skinned-model.ts';

/** What a thread needs to pose a model, as data that can be sent to it. */
export interface SkinJob {
  memory: KernelMemory;
  /** `rigid` is linear blending with one influence. */
  kernel: Exclude<SkinOperator, 'rigid'>;
  /** k influences. */
  k: number;
  antipodality: boolean;
  at: SkinPlaces;
}

/** Byte offsets into the memory; 0 where there is none. Everything per vertex is padded to a multiple of four vertices. */
export interface SkinPlaces {
  /** The table that kernels read: see `writeTable`. */
  table: number;
  /** f32, per four vertices xxxx yyyy zzzz; without normals positions only. */
  restPositions: number;
  restNormals: number;
  /** u16, k per vertex. */
  joints: number;
  /** f32, k per vertex, the largest first. */
  weights: number;
  /** f32, one per vertex, for `mix` only. */
  mix: number;
  /** f32: see bone-layout.ts. */
  bones: number;
  /** f32, x y z per vertex. */
  positions: number;
  normals: number;
  /** `SCRATCH_BYTES` per thread. */
  scratch: number;
}

/** The places of the table, after k and antipodality, in the order of kernels/assembly/skin-table.ts. */
const FIELDS = ['restPositions', 'restNormals', 'joints', 'weights', 'mix', 'bones', 'positions', 'normals'] as const;
export const TABLE_BYTES = Int32Array.BYTES_PER_ELEMENT * (2 + FIELDS.length);

/** Writes the job where the kernels read it. */
export function writeTable({ k, antipodality, at }: SkinJob, buffer: ArrayBufferLike): void {
  const table = new Int32Array(buffer, at.table, 2 + FIELDS.length);
  table.set([k, antipodality ? 1 : 0, ...FIELDS.map((field) => at[field])]);
}
