import { expect } from 'vitest';
import type { ErrorFacts, PliantErrorCode } from '../src/error.ts';

/** What is expected of an error beside its code. */
export interface Refusal extends ErrorFacts {
  /** Numbers and names that the message tells, in this order. */
  values?: readonly (string | number)[];
}

const pattern = (value: string | number): string =>
  typeof value === 'number' ? `(?<![\\w.])${value}(?![\\w])` : value.replace(/[^\w ]/g, '\\$&');

/** An error with this code and these facts, for `toThrow` and `toEqual`. */
export const refusal = (code: PliantErrorCode, { values = [], ...facts }: Refusal = {}) =>
  expect.objectContaining({ code, ...facts, message: expect.stringMatching(values.map(pattern).join('.*')) });

/** The promise is refused with this code and these facts. */
export const expectRefusal = (promise: Promise<unknown>, code: PliantErrorCode, facts?: Refusal): Promise<void> =>
  expect(promise).rejects.toEqual(refusal(code, facts));
