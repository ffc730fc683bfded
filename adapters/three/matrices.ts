import { Matrix4 } from 'three';

/** A matrix of three.js from 12 numbers, 3 × 4 row-major. */
export function matrix4From34(out: Matrix4, m: ArrayLike<number>): Matrix4 {
  return out.set(m[0], m[1], m[2], m[3], m[4], m[5], m[6], m[7], m[8], m[9], m[10], m[11], 0, 0, 0, 1);
}

const IDENTITY = new Matrix4();

/** How far from the identity rounding takes a product of a matrix and its inverse. */
const ROUNDING = 1e-12;

/** Whether nothing would move. */
export function isIdentity({ elements }: Matrix4): boolean {
  return elements.every((x, c) => Math.abs(x - IDENTITY.elements[c]) <= ROUNDING);
}
