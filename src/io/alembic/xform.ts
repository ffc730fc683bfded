import { IDENTITY34, matrix34FromColumnMajor44, multiply34 } from '../../math/matrix34.ts';
import { setTransformStep } from '../transform-step.ts';
import type { ArchiveObject } from './archive.ts';
import type { Property } from './properties.ts';

/**
 * The Xform schema: `.ops` has a byte per operation (its type in the upper four bits, what a program uses it for in the
 * lower), `.vals` the numbers of all operations one after the other, `.inherits` whether the parent's matrix applies.
 * Angles are degrees. A point goes through the last operation first.
 */
const OPERATIONS = [
  { kind: 'scale', channels: 3 },
  { kind: 'translate', channels: 3 },
  { kind: 'rotate', channels: 4 },
  { kind: 'matrix', channels: 16 },
  { kind: 'rotate', channels: 1, axis: [1, 0, 0] },
  { kind: 'rotate', channels: 1, axis: [0, 1, 0] },
  { kind: 'rotate', channels: 1, axis: [0, 0, 1] },
] as const satisfies Operation[];

interface Operation {
  kind: 'scale' | 'translate' | 'rotate' | 'matrix';
  channels: number;
  /** Of a rotation whose only channel is the angle. */
  axis?: readonly number[];
}

export class Xform {
  readonly #operations: readonly Operation[];
  readonly #channels: number;
  readonly #values: Property | undefined;
  readonly #inherits: Property | undefined;

  private constructor(
    operations: readonly Operation[],
    channels: number,
    values: Property | undefined,
    inherits: Property | undefined,
  ) {
    this.#operations = operations;
    this.#channels = channels;
    this.#values = values;
    this.#inherits = inherits;
  }

  /** The transform of an object that follows the schema. */
  static async open(object: ArchiveObject): Promise<Xform> {
    const schema = await (await object.properties()).compound('.xform');
    const used = (property: Property | undefined) => (property && property.samples > 0 ? property : undefined);
    const ops = used(await schema?.property('.ops'));
    const values = used(await schema?.property('.vals'));
    const inherits = used(await schema?.property('.inherits'));
    const codes = ops ? await ops.numbers(0) : [];
    const operations = Array.from(codes, (code) => {
      return OPERATIONS[code >> 4] ?? ops!.fail(`operation ${code >> 4} (expected 0 to 6)`, ops!.header.offset);
    });
    const channels = operations.reduce((sum, operation) => sum + operation.channels, 0);
    if (values) {
      const got = await values.size(0);
      if (values.header.pod !== 'float64' || got !== 8 * channels || values.header.extent === 0) {
        values.fail(`${got} bytes of values (expected ${8 * channels} for ${channels} float64)`, values.header.offset);
      }
    }
    return new Xform(operations, channels, channels > 0 ? values : undefined, inherits);
  }

  /** The times of what changes. */
  get times(): Float64Array[] {
    return [this.#values, this.#inherits].flatMap((property) =>
      !property || property.isConstant ? [] : [property.times],
    );
  }

  /** Whether the parent's matrix applies. Not interpolated. */
  async inheritsAt(time: number): Promise<boolean> {
    if (!this.#inherits) return true;
    return (await this.#inherits.around(time, 1)).a[0] !== 0;
  }

  /** 3 × 4, relative to the parent. Between samples the operations' numbers are interpolated, as animation curves are. */
  async matrixAt(time: number): Promise<Float64Array> {
    const out = Float64Array.from(IDENTITY34);
    const values = this.#values;
    if (!values) return out;
    const { a, b, fraction, offset } = await values.around(time, this.#channels / values.header.extent);
    const channels = Float64Array.from(a, (value, c) => value + fraction * (b[c] - value));
    const step = new Float64Array(12);
    let from = 0;
    for (const { kind, channels: count, axis } of this.#operations) {
      const v = channels.subarray(from, from + count);
      // Rows of a 4 × 4 matrix for row vectors are columns of ours: the translation is the last.
      if (kind === 'matrix') matrix34FromColumnMajor44(step, 0, v);
      else setTransformStep(step, kind, axis ? [...axis, v[0]] : v);
      multiply34(out, 0, out, 0, step, 0);
      from += count;
    }
    if (!out.every(Number.isFinite)) values.fail('a transform is not finite', offset);
    return out;
  }
}

/** 3 × 4: from the space of the last transform to that of the archive. */
export async function worldMatrixAt(chain: readonly Xform[], time: number): Promise<Float64Array> {
  const world = Float64Array.from(IDENTITY34);
  for (const xform of chain) {
    const local = await xform.matrixAt(time);
    if (await xform.inheritsAt(time)) multiply34(world, 0, world, 0, local, 0);
    else world.set(local);
  }
  return world;
}
