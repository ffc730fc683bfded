import type { GLTF } from '@gltf-transform/core';
import type { VertexAttribute } from '../../model/mesh.ts';
import { type Note, note } from '../../model/note.ts';
import type { Accessors } from './accessors.ts';
import { GltfFault } from './limits.ts';

/** Vertex attributes that are carried as they are stored: further uvs, colours, tangents, custom ones. */

const CARRIED = /^(TEXCOORD_[1-9]\d*|COLOR_\d+|TANGENT|_.+)$/;
/** What Pliant itself keeps elsewhere. */
const OWN = '_MIX';
/** At most this many, since every vertex of the mesh gets those of all its primitives. */
const MOST_ATTRIBUTES = 32;

const SIZES: Partial<Record<GLTF.AccessorType, number>> = { SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4 };

/** Vertices of a primitive, from `start` on. */
interface Vertices {
  start: number;
  count: number;
  primitive: GLTF.IMeshPrimitive;
  at: string;
}

/** Undefined when there are none. An attribute that only some primitives have is 0 elsewhere, and a colour white. */
export function readAttributes(
  runs: readonly Vertices[],
  vertices: number,
  accessors: Accessors,
  name: string,
  notes: Note[],
): Record<string, VertexAttribute> | undefined {
  const semantics = [...new Set(runs.flatMap(({ primitive }) => Object.keys(primitive.attributes)))].sort();
  const attributes: Record<string, VertexAttribute> = {};
  const leftOut: string[] = [];
  for (const semantic of semantics.filter((each) => CARRIED.test(each) && each !== OWN)) {
    const read = Object.keys(attributes).length < MOST_ATTRIBUTES && readAttribute(semantic, runs, vertices, accessors);
    if (read) attributes[semantic] = read;
    else leftOut.push(semantic);
  }
  if (leftOut.length > 0) notes.push(note('not-read', { what: 'vertex-attributes', names: leftOut }, name));
  return Object.keys(attributes).length > 0 ? attributes : undefined;
}

/** Undefined for matrices, and for tangents that some vertices do not have. */
function readAttribute(
  semantic: string,
  runs: readonly Vertices[],
  vertices: number,
  accessors: Accessors,
): VertexAttribute | undefined {
  const parts = runs.map((run) => ({ ...run, accessor: run.primitive.attributes[semantic] as number | undefined }));
  const given = parts.flatMap(({ accessor }) => (accessor === undefined ? [] : [accessor]));
  const definitions = given.map((accessor) => accessors.definition(accessor));
  const sizes = definitions.map(({ type }) => SIZES[type] ?? 0);
  if (sizes.includes(0) || (semantic === 'TANGENT' && given.length < runs.length)) return undefined;
  for (const { accessor, count, at } of parts) {
    const got = accessor === undefined ? count : accessors.count(accessor);
    if (got !== count) throw new GltfFault(`${at}.${semantic} has ${got} elements (expected ${count} like POSITION)`);
  }

  // Primitives that store it alike keep it so; others meet in floats.
  const size = Math.max(...sizes);
  const [first] = definitions;
  const alike = definitions.every(
    ({ componentType, normalized = false }) =>
      componentType === first.componentType && normalized === (first.normalized ?? false),
  );
  const array = accessors.stored(given[0]);
  const isFloat = !alike || array instanceof Float32Array || array instanceof Uint32Array;
  const normalized = !isFloat && first.normalized === true;
  const Kind = isFloat ? Float32Array : (array.constructor as Uint8ArrayConstructor);
  const values = new Kind(size * vertices) as VertexAttribute['values'];
  if (semantic.startsWith('COLOR_')) values.fill(normalized ? 2 ** (8 * values.BYTES_PER_ELEMENT) - 1 : 1);
  for (const { accessor, start, count, at } of parts) {
    if (accessor === undefined) continue;
    const { type } = accessors.definition(accessor);
    const from = isFloat ? accessors.numbers(accessor, type, at) : accessors.stored(accessor);
    const stride = SIZES[type]!;
    for (let i = 0; i < count; i++) {
      for (let c = 0; c < stride; c++) values[size * (start + i) + c] = from[stride * i + c];
    }
  }
  return { size, values, ...(normalized && { normalized }) };
}
