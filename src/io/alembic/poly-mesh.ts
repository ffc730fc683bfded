import { flippedUvs } from '../../mesh/texture-uvs.ts';
import type { Mesh } from '../../model/mesh.ts';
import { firstNonFinite } from '../../model/mesh.ts';
import { type Note, type NoteData, note } from '../../model/note.ts';
import { meshFromPolygons, type PolygonMesh } from '../polygons.ts';
import type { ArchiveObject } from './archive.ts';
import { type FaceSets, readFaceSets } from './face-sets.ts';
import { cornerIndices, type MeshCounts, readGeomParam } from './geom-param.ts';
import { isFloat, isIndex } from './pods.ts';
import type { Compound, Property } from './properties.ts';

/**
 * The PolyMesh and SubD schemas: `P` the points, `.faceIndices` the vertices of all corners, `.faceCounts` the corners of
 * every face, `N` and `uv` as GeomParams. A SubD is its control mesh: what it would be subdivided into is not computed.
 */
export interface PolyMesh {
  /** At the first sample, in the object's own space. */
  mesh: Mesh;
  points: Property;
}

/** Where faces are not the same throughout. */
export type FacesChange = NoteData['faces-change'];

/** Why a mesh cannot be read as one that deforms. */
export interface Unusable {
  why: NoteData['object-not-read']['reason'] | FacesChange;
}

export async function readPolyMesh(object: ArchiveObject, name: string, notes: Note[]): Promise<PolyMesh | Unusable> {
  const geom = await (await object.properties()).compound('.geom');
  const points = await geom?.numeric('P', 3, isFloat);
  const indices = await geom?.numeric('.faceIndices', 1, isIndex);
  const counts = await geom?.numeric('.faceCounts', 1, isIndex);
  if (!geom || !points || !indices || !counts) return { why: 'no-faces' };
  if ([points, indices, counts].some((property) => property.samples === 0)) return { why: 'no-samples' };
  const change = await topologyChange(points, indices, counts);
  if (change) return { why: change };

  const positions = new Float32Array(await points.numbers(0));
  if (positions.length === 0) return { why: 'no-vertices' };
  const bad = firstNonFinite(positions);
  if (bad >= 0) {
    const cause = `vertex ${Math.floor(bad / 3)} has a coordinate ${positions[bad]} (expected a finite number)`;
    points.fail(cause, points.block(0).offset);
  }
  const own: Note[] = [];
  const faces = await readFaces(indices, counts, positions.length / 3);
  const sets = await readFaceSets(object, faces.counts.length, own);
  const ordered = orderFaces(faces, sets, own);
  const meshCounts: MeshCounts = {
    vertices: positions.length / 3,
    faces: faces.counts.length,
    corners: faces.indices.length,
  };
  const polygons: PolygonMesh = { name, positions, starts: ordered.starts, corners: ordered.vertex };
  const uvs = await readGeomParam(geom, 'uv', 2, meshCounts, own);
  if (uvs) Object.assign(polygons, { uvs: uvs.values, cornerUvs: cornerIndices(uvs, ordered) });
  const normals = await readGeomParam(geom, 'N', 3, meshCounts, own);
  if (normals) Object.assign(polygons, { normals: normals.values, cornerNormals: cornerIndices(normals, ordered) });
  polygons.attributes = await readFurther(geom, meshCounts, ordered, own);
  if (sets) Object.assign(polygons, groupsOf(sets, ordered.setSizes, name));
  notes.push(...own.map((each) => ({ ...each, about: name })));
  return { mesh: meshFromPolygons(polygons, notes), points };
}

/** Uvs and colours that are kept at most, of all that an archive has. */
const MOST_FURTHER = 16;

/** Colours and further uvs, which programs put among the arbitrary parameters. Colours are linear. */
async function readFurther(
  geom: Compound,
  counts: MeshCounts,
  ordered: OrderedFaces,
  notes: Note[],
): Promise<PolygonMesh['attributes']> {
  const params = geom.header('.arbGeomParams')?.kind === 'compound' ? await geom.compound('.arbGeomParams') : undefined;
  const attributes: NonNullable<PolygonMesh['attributes']> = {};
  const leftOut: string[] = [];
  let [uvs, colours] = [0, 0];
  for (const header of params?.headers ?? []) {
    const { name, metaData } = header;
    const size = header.kind === 'compound' ? Number(metaData.get('podExtent')) : header.extent;
    const interpretation = metaData.get('interpretation');
    const isColour = (interpretation === 'rgb' && size === 3) || (interpretation === 'rgba' && size === 4);
    const isUvs = interpretation === 'vector' && size === 2;
    const isKept = (isColour || isUvs) && uvs + colours < MOST_FURTHER;
    const param = isKept ? await readGeomParam(params!, name, size, counts, notes) : undefined;
    if (!isKept) leftOut.push(name);
    if (!param) continue;
    const values = isUvs ? flippedUvs(param.values) : param.values;
    attributes[isUvs ? `TEXCOORD_${++uvs}` : `COLOR_${colours++}`] = {
      size,
      values,
      corners: cornerIndices(param, ordered),
    };
  }
  if (leftOut.length > 0) notes.push(note('not-read', { what: 'vertex-attributes', names: leftOut }));
  return attributes;
}

interface Faces {
  /** Corners of each face. */
  counts: ArrayLike<number>;
  /** Vertex of each corner. */
  indices: ArrayLike<number>;
}

async function readFaces(indices: Property, counts: Property, vertices: number): Promise<Faces> {
  const faces: Faces = { counts: await counts.numbers(0), indices: await indices.numbers(0) };
  let corners = 0;
  for (let f = 0; f < faces.counts.length; f++) {
    const size = faces.counts[f];
    if (size < 0) counts.fail(`face ${f} has ${size} corners (expected 0 or more)`, counts.block(0).offset);
    corners += size;
  }
  if (corners !== faces.indices.length) {
    const cause = `faces have ${corners} corners (expected ${faces.indices.length}, one per index)`;
    counts.fail(cause, counts.block(0).offset);
  }
  for (let c = 0; c < corners; c++) {
    const vertex = faces.indices[c];
    if (!(vertex >= 0 && vertex < vertices)) {
      indices.fail(`corner ${c} is vertex ${vertex} (expected 0 to ${vertices - 1})`, indices.block(0).offset);
    }
  }
  return faces;
}

/** Polygons as we want them, and where their corners were. */
interface OrderedFaces {
  /** Q + 1. */
  starts: Uint32Array;
  /** C: vertex, face and corner of the archive. */
  vertex: Uint32Array;
  face: Uint32Array;
  corner: Uint32Array;
  /** Polygons of each face set, and of none. */
  setSizes: Uint32Array;
}

/** Faces set by set, each turned around: an archive has them clockwise, seen from outside. */
function orderFaces({ counts, indices }: Faces, sets: FaceSets | undefined, notes: Note[]): OrderedFaces {
  const firstCorner = new Uint32Array(counts.length + 1);
  for (let f = 0; f < counts.length; f++) firstCorner[f + 1] = firstCorner[f] + counts[f];
  let kept = 0;
  const faces = new Uint32Array(counts.length);
  for (let f = 0; f < counts.length; f++) if (counts[f] >= 3) faces[kept++] = f;
  const usable = faces.subarray(0, kept);
  const small = counts.length - kept;
  if (small > 0) notes.push(note('not-read', { what: 'small-faces', count: small }));
  // Stable: within a set the order stays.
  if (sets) usable.sort((a, b) => sets.setOf[a] - sets.setOf[b]);

  const corners = usable.reduce((sum, f) => sum + counts[f], 0);
  const out: OrderedFaces = {
    starts: new Uint32Array(usable.length + 1),
    vertex: new Uint32Array(corners),
    face: new Uint32Array(corners),
    corner: new Uint32Array(corners),
    setSizes: new Uint32Array((sets?.names.length ?? 0) + 1),
  };
  let c = 0;
  for (const [q, f] of usable.entries()) {
    for (let corner = firstCorner[f + 1] - 1; corner >= firstCorner[f]; corner--) {
      out.vertex[c] = indices[corner];
      out.face[c] = f;
      out.corner[c++] = corner;
    }
    out.starts[q + 1] = c;
    out.setSizes[sets?.setOf[f] ?? 0]++;
  }
  return out;
}

/** A group with a material of its name per face set; faces in none make a last group with the mesh's name. */
function groupsOf(
  { names }: FaceSets,
  setSizes: Uint32Array,
  meshName: string,
): Required<Pick<PolygonMesh, 'groups' | 'materials'>> {
  let start = 0;
  const groups = Array.from(setSizes, (count, set) => {
    const group = { name: names[set] ?? meshName, start, count, ...(set < names.length ? { material: set } : {}) };
    start += count;
    return group;
  });
  if (setSizes[names.length] === 0) groups.pop();
  return { groups, materials: names };
}

/**
 * How the faces change for the first time, or undefined. Blocks and keys are compared, not the faces: a key is a hash of the
 * content. Faces that are merely written anew in every sample have equal keys.
 */
async function topologyChange(points: Property, indices: Property, counts: Property): Promise<FacesChange | undefined> {
  for (const property of [counts, indices]) {
    if (property.stored === 1) continue;
    const first = await property.identity(0);
    for (let stored = 1; stored < property.stored; stored++) {
      if (property.block(stored).offset === property.block(0).offset) continue;
      if ((await property.identity(stored)) === first) continue;
      const k = property.firstSample(stored);
      const size = (other: Property, sample: number): Promise<number> =>
        other.elements(other.storedIndex(Math.min(sample, other.samples - 1)));
      return {
        sample: k,
        vertices: [await size(points, k - 1), await size(points, k)],
        faces: [await size(counts, k - 1), await size(counts, k)],
      };
    }
  }
  return undefined;
}
