// The library's front door: explicit named exports, in the order of the flow.

export { type ErrorPlace, PliantError, type PliantErrorCode } from './error.ts';
