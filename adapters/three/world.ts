import type { Matrix4, Object3D } from 'three';

/** A matrix of three.js from 12 numbers, 3 × 4 row-major. */
export function matrix4From34(out: Matrix4, m: ArrayLike<number>): Matrix4 {
  return out.set(m[0], m[1], m[2], m[3], m[4], m[5], m[6], m[7], m[8], m[9], m[10], m[11], 0, 0, 0, 1);
}

/** Brings the world matrices of objects up to date, with everything that stands above or beside them. */
export function updateWorld(objects: Iterable<Object3D | undefined>): void {
  const roots = new Set<Object3D>();
  for (const object of objects) if (object) roots.add(rootOf(object));
  for (const root of roots) root.updateMatrixWorld(true);
}

/** The lowest object that stands above all of the given ones, or is one of them; undefined where trees differ. */
export function commonAncestor(objects: readonly Object3D[]): Object3D | undefined {
  const lineage = (object: Object3D | null): Object3D[] => (object ? [object, ...lineage(object.parent)] : []);
  return objects.map(lineage).reduce((shared, other) => {
    const above = new Set(other);
    return shared.filter((object) => above.has(object));
  })[0];
}

/** The top of the tree that an object is part of. */
export function rootOf(object: Object3D): Object3D {
  while (object.parent) object = object.parent;
  return object;
}
