import type { GLTF } from '@gltf-transform/core';
import { flippedUvs } from '../../mesh/texture-uvs.ts';
import type { Mesh } from '../../model/mesh.ts';
import { type Note, note } from '../../model/note.ts';
import type { ModelOrigin } from '../../model/skinned-model.ts';
import { unitNormals } from '../unit-normals.ts';
import type { Accessors } from './accessors.ts';
import { readAttributes } from './attributes.ts';
import { GltfFault } from './limits.ts';
import type { GltfMaterial } from './materials.ts';
import { hasTriangles, primitiveTriangles } from './triangles.ts';

/** A glTF mesh as it is stored: all primitives in one, W split vertices, in the mesh's own space. */
export interface MeshData {
  /** Without seams. */
  mesh: Mesh;
  /** Slots per vertex: 4 per JOINTS_n; 0 when the mesh has no influences. */
  influences: number;
  /** W·influences, indices into the skin's joints. */
  joints: Uint16Array;
  /** W·influences, as stored. */
  weights: Float32Array;
  /** One per morph target: 3W position offsets. */
  targets: Float32Array[];
  targetNames: string[];
  /** W: the custom attribute _MIX. */
  mix?: Float32Array;
  /** What Pliant's writer left in `extras.pliant`. */
  pliant?: Record<string, unknown>;
  /** Where the vertices of primitives are. */
  runs: ModelOrigin['runs'];
}

/** At most this many influences are looked at per vertex: JOINTS_0 … JOINTS_7. */
const MOST_INFLUENCES = 32;

/** A run of vertices in the merged mesh: primitives that use the same accessors share one. */
interface Run {
  start: number;
  count: number;
  /** The primitives that share it, and the first of them. */
  primitives: number[];
  primitive: GLTF.IMeshPrimitive;
  at: string;
}

/** A primitive with triangles. */
interface Part {
  primitive: GLTF.IMeshPrimitive;
  run: Run;
  at: string;
}

/** Undefined when the mesh has no triangles. */
export function readMeshData(
  json: GLTF.IGLTF,
  index: number,
  accessors: Accessors,
  materials: readonly GltfMaterial[],
  notes: Note[],
): MeshData | undefined {
  const definition = json.meshes![index];
  const name = definition.name || `mesh ${index}`;

  // (1) Which primitives have triangles, and where their vertices go.
  const { parts, runs, vertices } = layOutVertices(definition, `meshes[${index}]`, accessors);
  const skipped = definition.primitives.length - parts.length;
  if (skipped > 0) notes.push(note('not-read', { what: 'points-and-lines', count: skipped }, name));
  if (parts.length === 0) return undefined;

  // (2) Attributes, run by run. One that only some primitives have is 0 elsewhere, but for normals, which then go.
  const column = (attribute: (run: Run) => number | undefined, type: GLTF.AccessorType, stride: number) => {
    if (!runs.some((run) => attribute(run) !== undefined)) return undefined;
    const out = new Float32Array(stride * vertices);
    for (const run of runs) {
      const accessor = attribute(run);
      if (accessor !== undefined)
        out.set(checkedCount(accessors.numbers(accessor, type, run.at), stride, run), stride * run.start);
    }
    return out;
  };
  const attribute = (semantic: string) => (run: Run) => run.primitive.attributes[semantic];

  const mesh: Mesh = {
    name,
    positions: column(attribute('POSITION'), 'VEC3', 3)!,
    triangles: new Uint32Array(0),
    space: { up: 'y', metresPerUnit: 1 },
  };
  const uvs = column(attribute('TEXCOORD_0'), 'VEC2', 2);
  if (uvs) mesh.uvs = flippedUvs(uvs);
  const further = readAttributes(runs, vertices, accessors, name, notes);
  if (further) mesh.attributes = further;
  gatherTriangles(mesh, parts, accessors, materials);
  if (runs.every((run) => run.primitive.attributes.NORMAL !== undefined)) {
    mesh.normals = column(attribute('NORMAL'), 'VEC3', 3)!;
    mesh.normals = unitNormals(mesh, notes);
  }

  // (3) Influences and morph targets.
  const { influences, joints, weights } = readInfluences(runs, vertices, accessors);
  const targetCount = runs[0].primitive.targets?.length ?? 0;
  for (const { primitive, at } of runs) {
    const got = primitive.targets?.length ?? 0;
    if (got !== targetCount) throw new GltfFault(`${at} has ${got} morph targets (expected ${targetCount})`);
  }
  const targets = Array.from(
    { length: targetCount },
    (_, t) => column((run) => run.primitive.targets![t].POSITION, 'VEC3', 3) ?? new Float32Array(3 * vertices),
  );
  const extras = definition.extras as Record<string, unknown> | undefined;
  const names = Array.isArray(extras?.targetNames) ? extras.targetNames : [];
  return {
    mesh,
    influences,
    joints,
    weights,
    targets,
    targetNames: targets.map((_, t) => (typeof names[t] === 'string' ? names[t] : `target ${t}`)),
    mix: column(attribute('_MIX'), 'SCALAR', 1),
    pliant: pliantExtras(extras),
    runs: runs.map(({ start, count, primitives }) => ({ start, count, primitives })),
  };
}

/** Whether a primitive is part of what is read: each that is becomes a group of the mesh. */
export const isSurface = (primitive: GLTF.IMeshPrimitive): boolean =>
  hasTriangles(primitive) && primitive.attributes.POSITION !== undefined;

/** A place for the vertices of every primitive with triangles. */
function layOutVertices(
  { primitives }: GLTF.IMesh,
  place: string,
  accessors: Accessors,
): { parts: Part[]; runs: Run[]; vertices: number } {
  const parts: Part[] = [];
  const runs = new Map<string, Run>();
  let vertices = 0;
  for (const [p, primitive] of primitives.entries()) {
    const at = `${place}.primitives[${p}]`;
    if (!isSurface(primitive)) continue;
    const position = primitive.attributes.POSITION;
    const key = JSON.stringify([primitive.attributes, primitive.targets]);
    let run = runs.get(key);
    if (!run) {
      run = { start: vertices, count: accessors.count(position), primitives: [], primitive, at };
      runs.set(key, run);
      vertices += run.count;
    }
    run.primitives.push(p);
    parts.push({ primitive, run, at });
  }
  return { parts, runs: [...runs.values()], vertices };
}

/** `extras.pliant`, when it is an object. */
export function pliantExtras(extras: unknown): Record<string, unknown> | undefined {
  const pliant = (extras as Record<string, unknown> | undefined)?.pliant;
  return typeof pliant === 'object' && pliant !== null ? (pliant as Record<string, unknown>) : undefined;
}

function checkedCount(values: Float32Array, stride: number, run: Run): Float32Array {
  if (values.length === stride * run.count) return values;
  throw new GltfFault(
    `${run.at}: an attribute has ${values.length / stride} elements (expected ${run.count} like POSITION)`,
  );
}

/** Fills triangles, groups and materials. */
function gatherTriangles(
  mesh: Mesh,
  parts: readonly Part[],
  accessors: Accessors,
  materials: readonly GltfMaterial[],
): void {
  const used = new Map<number, number>(); // material of the file → of this mesh
  mesh.groups = [];
  mesh.materials = [];
  const pieces: Uint32Array[] = [];
  let start = 0;
  for (const [p, { primitive, run, at }] of parts.entries()) {
    const corners = primitiveTriangles(primitive, run.count, accessors, at);
    for (let c = 0; c < corners.length; c++) corners[c] += run.start;
    pieces.push(corners);
    const count = corners.length / 3;
    let material: number | undefined;
    if (primitive.material !== undefined && !materials[primitive.material].plain) {
      material = used.get(primitive.material);
      if (material === undefined) {
        material = mesh.materials.push(materials[primitive.material].material) - 1;
        used.set(primitive.material, material);
      }
    }
    const given = pliantExtras(primitive.extras)?.group;
    const name =
      typeof given === 'string' ? given : material === undefined ? `part ${p}` : mesh.materials[material].name;
    mesh.groups.push({ name, start, count, material });
    start += count;
  }
  mesh.triangles = new Uint32Array(3 * start);
  for (const [p, piece] of pieces.entries()) mesh.triangles.set(piece, 3 * mesh.groups[p].start);
}

/** JOINTS_0, WEIGHTS_0, JOINTS_1, … side by side. None when a primitive has none. */
function readInfluences(
  runs: readonly Run[],
  vertices: number,
  accessors: Accessors,
): Pick<MeshData, 'influences' | 'joints' | 'weights'> {
  const setsOf = ({ attributes }: GLTF.IMeshPrimitive): number => {
    let sets = 0;
    while (attributes[`JOINTS_${sets}`] !== undefined && attributes[`WEIGHTS_${sets}`] !== undefined) sets++;
    return sets;
  };
  const counts = runs.map((run) => setsOf(run.primitive));
  const influences = counts.includes(0) ? 0 : 4 * counts.reduce((a, b) => Math.max(a, b));
  if (influences > MOST_INFLUENCES) {
    throw new GltfFault(`${influences} influences per vertex (expected at most ${MOST_INFLUENCES})`, 'unsupported');
  }
  const joints = new Uint16Array(influences * vertices);
  const weights = new Float32Array(influences * vertices);
  for (const run of runs) {
    const { primitive, at, start, count } = run;
    for (let set = 0; set < setsOf(primitive) && influences > 0; set++) {
      const j = accessors.integers(primitive.attributes[`JOINTS_${set}`], 'VEC4', `${at}.JOINTS_${set}`);
      const w = checkedCount(accessors.numbers(primitive.attributes[`WEIGHTS_${set}`], 'VEC4', at), 4, run);
      if (j.length !== 4 * count || j instanceof Uint32Array) {
        const kind = `${8 * j.BYTES_PER_ELEMENT}-bit`;
        throw new GltfFault(
          `invalid ${at}.JOINTS_${set} (got ${j.length / 4} ${kind} elements, expected ${count} of 8 or 16 bits)`,
        );
      }
      for (let i = 0; i < count; i++) {
        for (let c = 0; c < 4; c++) {
          const slot = (start + i) * influences + 4 * set + c;
          joints[slot] = j[4 * i + c];
          weights[slot] = w[4 * i + c];
        }
      }
    }
  }
  return { influences, joints, weights };
}

/** W·stride numbers per split vertex → N·stride per vertex, of vertices whose split vertices agree. */
export function contractToVertices<T extends Float32Array | Uint16Array>(
  values: T,
  stride: number,
  vertexOf: Uint32Array,
  vertices: number,
): T {
  if (vertices === vertexOf.length) return values;
  const Kind = values.constructor as new (length: number) => T;
  const out = new Kind(stride * vertices);
  for (let w = 0; w < vertexOf.length; w++) {
    for (let c = 0; c < stride; c++) out[stride * vertexOf[w] + c] = values[stride * w + c];
  }
  return out;
}
