import type { Mesh, Space } from '../../../../src/index.ts';
import type { Doc } from '../doc.ts';
import { restoreDoc, saveDoc } from './session.ts';

/** The same document with another up axis or unit: all meshes, those of results too, are in that space. */
export function docInSpace(doc: Doc, space: Space): Doc {
  const { state, ...saved } = saveDoc('', doc);
  // Everything is framed again.
  const { camera: _, ...kept } = state;
  const { content, ...results } = inSpace(saved, space);
  const notes = content.notes.filter(({ code }) => code !== 'maybe-z-up');
  return restoreDoc({ ...results, content: { ...content, notes }, state: kept });
}

/** Plain data with all of its meshes in a space. Shared objects and arrays stay shared. */
function inSpace<T>(value: T, space: Space): T {
  const copies = new Map<unknown, unknown>();
  const copyOf = (each: unknown): unknown => {
    if (typeof each !== 'object' || each === null || ArrayBuffer.isView(each)) return each;
    if (!copies.has(each)) {
      const copy: object = Array.isArray(each) ? [] : {};
      copies.set(each, copy);
      for (const [key, inner] of Object.entries(each)) Object.assign(copy, { [key]: copyOf(inner) });
      if (isMesh(each)) Object.assign(copy, { space });
    }
    return copies.get(each);
  };
  return copyOf(value) as T;
}

const isMesh = (value: object): value is Mesh => 'positions' in value && 'triangles' in value;
