import type { Object3D } from 'three';

/** Brings the world matrices of objects up to date, with everything that stands above or beside them. */
export function updateWorld(objects: Iterable<Object3D | undefined>): void {
  const roots = new Set<Object3D>();
  for (const object of objects) if (object) roots.add(rootOf(object));
  for (const root of roots) root.updateMatrixWorld(true);
}

/** The top of the tree that an object is part of. */
export function rootOf(object: Object3D): Object3D {
  while (object.parent) object = object.parent;
  return object;
}
