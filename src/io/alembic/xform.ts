import { IDENTITY34, matrix34FromColumnMajor44, multiply34 } from '../../math/matrix34.ts';
import { quaternionFromAxisAngle } from '../../math/quaternion.ts';
import { composeTrs } from '../../math/trs.ts';
import type { ArchiveObject } from './archive.ts';
import { ALWAYS, bracket } from './bracket.ts';
import type { Property } from './properties.ts';

/**
 * The Xform schema: `.ops` has a byte per operation (its type in the upper four bits, what a program uses it for in the
 * lower), `.vals` the numbers of all operations one after the other, `.inherits` whether the parent's matrix applies.
 * Angles are degrees. A point goes through the last operation first.
 */
const OPERATIONS = [
  { name: 'scale', channels: 3 },
  { name: 'translate', channels: 3 },
  { name: 'rotate', channels: 4 },
  { name: 'matrix', channels: 16 },
  { name: 'rotateX', channels: 1 },
  { name: 'rotateY', channels: 1 },
  { name: 'rotateZ', channels: 1 },
] as const;

type Operation = (typeof OPERATIONS)[number];

const RADIANS = Math.PI / 180;

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
    return [this.#values, this.#inherits]
      .filter((property) => property !== undefined && !property.isConstant)
      .map((property) => property!.times);
  }

  /** Whether the parent's matrix applies. Not interpolated. */
  async inheritsAt(time: number): Promise<boolean> {
    if (!this.#inherits) return true;
    const { before } = this.#inherits.isConstant ? ALWAYS : bracket(this.#inherits.times, time);
    return (await this.#inherits.recent(this.#inherits.storedIndex(before), 1))[0] !== 0;
  }

  /** 3 × 4, relative to the parent. Between samples the operations' numbers are interpolated, as animation curves are. */
  async matrixAt(time: number): Promise<Float64Array> {
    const out = Float64Array.from(IDENTITY34);
    const values = this.#values;
    if (!values) return out;
    const { before, after, fraction } = values.isConstant ? ALWAYS : bracket(values.times, time);
    const elements = this.#channels / values.header.extent;
    const a = await values.recent(values.storedIndex(before), elements);
    const b = fraction === 0 ? a : await values.recent(values.storedIndex(after), elements);
    const channels = Float64Array.from(a, (value, c) => value + fraction * (b[c] - value));
    const step = new Float64Array(12);
    let from = 0;
    for (const operation of this.#operations) {
      matrixOf(operation, channels.subarray(from, from + operation.channels), step);
      multiply34(out, 0, out, 0, step, 0);
      from += operation.channels;
    }
    if (!out.every(Number.isFinite)) {
      values.fail('a transform is not finite', values.block(values.storedIndex(before)).offset);
    }
    return out;
  }
}

/** The matrix of one operation. */
function matrixOf({ name }: Operation, v: Float64Array, out: Float64Array): void {
  const rotate = (x: number, y: number, z: number, degrees: number): void => {
    const local = new Float64Array([0, 0, 0, 0, 0, 0, 1, 1, 1, 1]);
    const length = Math.hypot(x, y, z);
    // An axis of length 0 turns nothing.
    if (length > 0) quaternionFromAxisAngle(local, 3, x / length, y / length, z / length, degrees * RADIANS);
    composeTrs(out, 0, local, 0);
  };
  out.set(IDENTITY34);
  switch (name) {
    case 'scale':
      for (let c = 0; c < 3; c++) out[5 * c] = v[c];
      break;
    case 'translate':
      for (let c = 0; c < 3; c++) out[4 * c + 3] = v[c];
      break;
    case 'rotate':
      rotate(v[0], v[1], v[2], v[3]);
      break;
    case 'rotateX':
      rotate(1, 0, 0, v[0]);
      break;
    case 'rotateY':
      rotate(0, 1, 0, v[0]);
      break;
    case 'rotateZ':
      rotate(0, 0, 1, v[0]);
      break;
    case 'matrix':
      // Rows of a 4 × 4 matrix for row vectors are columns of ours: the translation is the last.
      matrix34FromColumnMajor44(out, 0, v);
      break;
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
