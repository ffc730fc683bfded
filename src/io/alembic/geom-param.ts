import { firstNonFinite } from '../../model/mesh.ts';
import { type Note, note } from '../../model/note.ts';
import { isFloat, isIndex } from './pods.ts';
import type { Compound, Property } from './properties.ts';

/** How many of each there are in a mesh. */
export interface MeshCounts {
  vertices: number;
  faces: number;
  corners: number;
}

/** Of what the values of a GeomParam are: one for all, per face, per vertex, per corner of a face. */
type Scope = 'con' | 'uni' | 'vtx' | 'fvr';

const SCOPES: Readonly<Record<string, Scope>> = { con: 'con', uni: 'uni', var: 'vtx', vtx: 'vtx', fvr: 'fvr' };

/** Values of a mesh, such as normals or uvs. */
export interface GeomParam {
  /** `extent` numbers each. */
  values: Float32Array;
  scope: Scope;
  /** Element of the scope → its value, when they are not one to one. */
  indices?: Uint32Array;
}

/**
 * The first sample of a GeomParam: an array property, or a compound of `.vals` and `.indices`. Undefined when it is not
 * there or does not fit the mesh, which adds a note.
 */
export async function readGeomParam(
  geom: Compound,
  name: string,
  extent: number,
  counts: MeshCounts,
  notes: Note[],
): Promise<GeomParam | undefined> {
  const header = geom.header(name);
  if (!header) return undefined;
  const isIndexed = header.kind === 'compound';
  const parts = isIndexed ? await geom.compound(name) : geom;
  const values = await parts?.property(isIndexed ? '.vals' : name);
  const indices = isIndexed ? await parts?.property('.indices') : undefined;
  if (!values || values.samples === 0 || (isIndexed && (!indices || indices.samples === 0))) return undefined;
  const { header: type } = values;
  if (type.extent !== extent || !isFloat(type.pod) || (indices && !isIndex(indices.header.pod))) {
    notes.push(note('attribute-type', { attribute: name, extent: type.extent, type: type.pod, expected: extent }));
    return undefined;
  }

  const numbers = await finiteNumbers(values);
  const valueCount = numbers.length / extent;
  const found = indices && new Uint32Array(await indices.numbers(0));
  const elements = found?.length ?? valueCount;
  if (elements === 0) return undefined;
  const far = found?.findIndex((index) => index >= valueCount) ?? -1;
  if (far >= 0) {
    const cause = `${name} refers to value ${found![far]} (expected 0 to ${valueCount - 1})`;
    return indices!.fail(cause, indices!.block(0).offset);
  }
  const said = header.metaData.get('geoScope') ?? values.header.metaData.get('geoScope') ?? '';
  const scope = fittingScope(SCOPES[said], elements, counts);
  if (!scope) {
    notes.push(note('attribute-count', { attribute: name, count: elements }));
    return undefined;
  }
  return { values: numbers, scope, indices: found };
}

/** The scope that was said, where the numbers agree; else the one with which they agree. */
function fittingScope(said: Scope | undefined, elements: number, counts: MeshCounts): Scope | undefined {
  const expected = { fvr: counts.corners, vtx: counts.vertices, uni: counts.faces, con: 1 };
  const scopes: Scope[] = [...(said ? [said] : []), 'fvr', 'vtx', 'uni', 'con'];
  return scopes.find((scope) => expected[scope] === elements);
}

async function finiteNumbers(property: Property): Promise<Float32Array> {
  const numbers = new Float32Array(await property.numbers(0));
  const bad = firstNonFinite(numbers);
  if (bad >= 0) {
    const { name, extent } = property.header;
    property.fail(`${name}: value ${Math.floor(bad / extent)} is not finite`, property.block(0).offset);
  }
  return numbers;
}

/** The value of every corner: `vertex`, `face` and `corner` say where each lies in the archive. */
export function cornerIndices(
  { scope, indices }: GeomParam,
  places: { vertex: Uint32Array; face: Uint32Array; corner: Uint32Array },
): Uint32Array {
  const elements = { vtx: places.vertex, uni: places.face, fvr: places.corner, con: undefined }[scope];
  if (!elements) return new Uint32Array(places.corner.length).fill(indices?.[0] ?? 0);
  return indices ? elements.map((element) => indices[element]) : elements;
}
