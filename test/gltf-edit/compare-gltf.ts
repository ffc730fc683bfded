import type { GLTF } from '@gltf-transform/core';
import { binOf, jsonOf } from '../io/gltf/fixtures.ts';

/**
 * What differs between two GLB files, as a list of places: `added nodes/7`, `removed materials/0/normalTexture`,
 * `changed meshes/0/primitives/0/attributes/WEIGHTS_0`. Everything is compared in its place, node k with node k, but for
 * accessors and buffer views, which are compared as what they hold, where they are referred to. A list of numbers or
 * matrices that continues as before is `extended`.
 */
export function compareGltf(before: Uint8Array, after: Uint8Array): string[] {
  const [a, b] = [new Opened(before), new Opened(after)];
  const differences: string[] = [];
  compare(a, b, a.json, b.json, '', differences);
  return differences.sort();
}

/** Differences that no pattern allows. In a pattern `*` stands for a step of the path, `**` for any number of them. */
export function unexpected(differences: readonly string[], allowed: readonly string[]): string[] {
  const patterns = allowed.map(
    (pattern) =>
      new RegExp(
        `^${pattern
          .replace(/[.+]/g, '\\$&')
          .split('**')
          .map((part) => part.replace(/\*/g, '[^/]+'))
          .join('.*')}$`,
      ),
  );
  return differences.filter((difference) => !patterns.some((pattern) => pattern.test(difference)));
}

class Opened {
  readonly json: GLTF.IGLTF;
  readonly #bin: Uint8Array;

  constructor(glb: Uint8Array) {
    this.json = jsonOf(glb);
    this.#bin = binOf(glb);
  }

  bytes(view: number): Uint8Array {
    const { byteOffset = 0, byteLength } = this.json.bufferViews![view];
    return this.#bin.subarray(byteOffset, byteOffset + byteLength);
  }

  /** What an accessor holds: its kind of number, and the bytes of each element, tightly packed. */
  elements(accessor: number): { kind: string; size: number; bytes: Uint8Array } {
    const {
      type,
      componentType,
      count,
      bufferView,
      byteOffset = 0,
      normalized,
      sparse,
    } = this.json.accessors![accessor];
    const size = componentBytes(componentType) * COMPONENTS[type];
    const out = new Uint8Array(size * count);
    if (bufferView !== undefined) {
      const from = this.bytes(bufferView);
      const stride = this.json.bufferViews![bufferView].byteStride ?? size;
      for (let i = 0; i < count; i++) {
        out.set(from.subarray(byteOffset + i * stride, byteOffset + i * stride + size), i * size);
      }
    }
    if (sparse) {
      const width = componentBytes(sparse.indices.componentType);
      const indices = this.bytes(sparse.indices.bufferView).slice(sparse.indices.byteOffset ?? 0);
      const values = this.bytes(sparse.values.bufferView).subarray(sparse.values.byteOffset ?? 0);
      for (let s = 0; s < sparse.count; s++) {
        const at = indices.subarray(s * width, (s + 1) * width).reduceRight((sum, byte) => 256 * sum + byte, 0);
        out.set(values.subarray(s * size, (s + 1) * size), at * size);
      }
    }
    return { kind: `${type} ${componentType} ${normalized ?? false}`, size, bytes: out };
  }
}

const COMPONENTS: Record<string, number> = { SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4, MAT2: 4, MAT3: 9, MAT4: 16 };
const componentBytes = (type: number): number => [1, 1, 2, 2, 0, 4, 4][type - 5120];

/** Where an index is that of an accessor, and where that of a buffer view. */
const TO_ACCESSOR = [
  /^meshes\/\d+\/primitives\/\d+\/(attributes|targets\/\d+)\/\w+$/,
  /^meshes\/\d+\/primitives\/\d+\/indices$/,
  /^skins\/\d+\/inverseBindMatrices$/,
  /^animations\/\d+\/samplers\/\d+\/(input|output)$/,
];
const TO_VIEW = [/^images\/\d+\/bufferView$/];
/** Compared where they are referred to, but for what only extensions that nobody knows can refer to. */
const STORED = ['accessors', 'bufferViews', 'buffers'];

const matches = (patterns: readonly RegExp[], path: string): boolean => patterns.some((pattern) => pattern.test(path));

function compare(a: Opened, b: Opened, x: unknown, y: unknown, path: string, out: string[]): void {
  if (STORED.includes(path)) {
    if (path === 'accessors') compareUnreferred(a, b, out);
  } else if (typeof x === 'number' && typeof y === 'number' && matches(TO_ACCESSOR, path)) {
    const difference = compareElements(a.elements(x), b.elements(y));
    if (difference) out.push(`${difference} ${path}`);
  } else if (typeof x === 'number' && typeof y === 'number' && matches(TO_VIEW, path)) {
    if (!sameBytes(a.bytes(x), b.bytes(y))) out.push(`changed ${path}`);
  } else if (isObject(x) && isObject(y) && Array.isArray(x) === Array.isArray(y)) {
    for (const key of new Set([...Object.keys(x), ...Object.keys(y)])) {
      const inner = path ? `${path}/${key}` : key;
      if (!(key in x)) out.push(...addedAt(y[key], inner));
      else if (!(key in y)) out.push(`removed ${inner}`);
      else compare(a, b, x[key], y[key], inner, out);
    }
  } else if (x !== y) out.push(`changed ${path}`);
}

/** Of lists and extras that were not there before, every entry is something more. */
const addedAt = (value: unknown, path: string): string[] =>
  isObject(value) && (Array.isArray(value) || path.endsWith('extras'))
    ? Object.keys(value).map((key) => `added ${path}/${key}`)
    : [`added ${path}`];

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

const sameBytes = (a: Uint8Array, b: Uint8Array): boolean =>
  a.length === b.length && a.every((byte, i) => byte === b[i]);

type Elements = ReturnType<Opened['elements']>;

function compareElements(a: Elements, b: Elements): 'changed' | 'extended' | undefined {
  if (a.kind !== b.kind) return 'changed';
  if (sameBytes(a.bytes, b.bytes)) return undefined;
  const continued = b.bytes.length > a.bytes.length && sameBytes(a.bytes, b.bytes.subarray(0, a.bytes.length));
  return continued ? 'extended' : 'changed';
}

/** Accessors that nothing known refers to may be named by an extension: they must hold the same, in the same place. */
function compareUnreferred(a: Opened, b: Opened, out: string[]): void {
  const referred = new Set<unknown>();
  const visit = (value: unknown, path: string): void => {
    if (matches(TO_ACCESSOR, path)) referred.add(value);
    if (!isObject(value)) return;
    for (const [key, inner] of Object.entries(value)) visit(inner, path ? `${path}/${key}` : key);
  };
  visit(a.json, '');
  for (const [k] of a.json.accessors!.entries()) {
    if (referred.has(k)) continue;
    if (!b.json.accessors?.[k]) out.push(`removed accessors/${k}`);
    else if (compareElements(a.elements(k), b.elements(k))) out.push(`changed accessors/${k}`);
  }
}
