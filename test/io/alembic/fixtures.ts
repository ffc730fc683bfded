import { ArchiveWriter, type CompoundWriter, type ObjectWriter } from '../../../src/io/alembic/archive-writer.ts';
import { schemaMeta, schemaObjectMeta } from '../../../src/io/alembic/meta-data.ts';
import type { Pod } from '../../../src/io/alembic/pods.ts';
import type { PropertyWriter } from '../../../src/io/alembic/property-writer.ts';
import { geomParamMeta, SCHEMAS } from '../../../src/io/alembic/schemas.ts';
import type { TimeSampling } from '../../../src/io/alembic/time-sampling.ts';
import { memorySource } from '../../../src/io/files.ts';
import { readAlembic } from '../../../src/io/read-alembic.ts';
import { memorySink } from '../support.ts';

/** Archives with everything that the writer for users does not write. */

export async function archiveOf(
  build: (top: ObjectWriter, archive: ArchiveWriter) => Promise<void>,
  metaData: Record<string, string> = {},
): Promise<Uint8Array> {
  const sink = memorySink();
  const archive = new ArchiveWriter(sink, metaData);
  await build(archive.top, archive);
  await archive.finish();
  return sink.bytes();
}

export const openBytes = (bytes: Uint8Array, name = 'test.abc') => readAlembic(memorySource(name, bytes));

/** Frames per second as a time sampling that starts at 0. */
export const rate = (framesPerSecond: number, start = 0): TimeSampling => ({
  timePerCycle: 1 / framesPerSecond,
  stored: Float64Array.of(start),
});

const ARRAYS = {
  boolean: Uint8Array,
  uint8: Uint8Array,
  int8: Int8Array,
  uint16: Uint16Array,
  int16: Int16Array,
  uint32: Uint32Array,
  int32: Int32Array,
  float16: Uint16Array,
  float32: Float32Array,
  float64: Float64Array,
} as const;

/** Numbers as the bytes of a POD type. */
export const podBytes = (pod: keyof typeof ARRAYS, numbers: Iterable<number>): Uint8Array =>
  new Uint8Array(ARRAYS[pod].from(numbers as number[]).buffer);

/** Texts as the bytes of a sample, each with its zero. */
export function textBytes(texts: readonly string[], pod: 'string' | 'wstring'): Uint8Array {
  if (pod === 'string') return new TextEncoder().encode(texts.map((text) => `${text}\0`).join(''));
  const codes = texts.flatMap((text) => [...Array.from(text, (character) => character.codePointAt(0)!), 0]);
  return new Uint8Array(Uint32Array.from(codes).buffer);
}

async function setAll(
  property: PropertyWriter,
  pod: keyof typeof ARRAYS,
  samples: readonly Iterable<number>[],
): Promise<void> {
  for (const sample of samples) await property.set(podBytes(pod, sample));
}

/** Types of operations, as `.ops` has them. */
export const OPS = {
  scale: 0x00,
  translate: 0x10,
  rotate: 0x20,
  matrix: 0x30,
  rotateX: 0x40,
  rotateY: 0x50,
  rotateZ: 0x60,
};

export interface XformSpec {
  ops?: readonly number[];
  /** The numbers of all operations, per sample. */
  values?: readonly (readonly number[])[];
  inherits?: readonly boolean[];
  sampling?: number;
  /** Values as an array property, as more than 256 are. */
  asArray?: boolean;
}

export async function addXform(parent: ObjectWriter, name: string, spec: XformSpec = {}): Promise<ObjectWriter> {
  const { ops = [], values = [], inherits = [true], sampling = 0, asArray = false } = spec;
  const object = parent.child(name, schemaObjectMeta(SCHEMAS.xform, '.xform', false));
  const schema = object.properties.compound('.xform', schemaMeta(SCHEMAS.xform, false));
  await setAll(
    schema.scalar('.inherits', { pod: 'boolean', sampling }),
    'boolean',
    inherits.map((is) => [is ? 1 : 0]),
  );
  if (ops.length > 0) await setAll(schema.scalar('.ops', { pod: 'uint8', extent: ops.length }), 'uint8', [ops]);
  if (values.length > 0) {
    const property = asArray
      ? schema.array('.vals', { pod: 'float64', sampling })
      : schema.scalar('.vals', { pod: 'float64', extent: values[0].length, sampling });
    await setAll(property, 'float64', values);
    await setAll(schema.scalar('isNotConstantIdentity', { pod: 'boolean' }), 'boolean', [[1]]);
  }
  return object;
}

interface ParamSpec {
  values: readonly number[];
  scope: string;
  indices?: readonly number[];
  /** Numbers per value, where they are not as many as they should be. */
  extent?: number;
}

export interface MeshSpec {
  /** Points per sample. */
  frames?: readonly (readonly number[])[];
  /** Corners of each face; per sample when they change. */
  counts?: readonly (readonly number[])[];
  indices?: readonly (readonly number[])[];
  uv?: ParamSpec;
  N?: ParamSpec;
  sampling?: number;
  schema?: string;
  pod?: 'float16' | 'float32' | 'float64';
}

/** A square of the unit length in the xy plane, seen from +z: corners clockwise, as archives have them. */
export const SQUARE = { points: [0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0], counts: [4], indices: [0, 3, 2, 1] };

export async function addMesh(parent: ObjectWriter, name: string, spec: MeshSpec = {}): Promise<ObjectWriter> {
  const { frames = [SQUARE.points], counts = [SQUARE.counts], indices = [SQUARE.indices] } = spec;
  const { sampling = 0, schema: title = SCHEMAS.polyMesh, pod = 'float32' } = spec;
  const object = parent.child(name, schemaObjectMeta(title, '.geom', true));
  const geom = object.properties.compound('.geom', schemaMeta(title, true));
  await addBox(geom);
  const metaData = { geoScope: 'vtx', interpretation: 'point' };
  await setAll(geom.array('P', { pod, extent: 3, metaData, sampling }), pod, frames);
  await setAll(geom.array('.faceIndices', { pod: 'int32', sampling }), 'int32', indices);
  await setAll(geom.array('.faceCounts', { pod: 'int32', sampling }), 'int32', counts);
  if (spec.uv) await addParam(geom, 'uv', 'vector', spec.uv.extent ?? 2, spec.uv);
  if (spec.N) await addParam(geom, 'N', 'normal', 3, spec.N);
  return object;
}

/** All geometry has one. */
const addBox = (schema: CompoundWriter): Promise<void> =>
  setAll(schema.scalar('.selfBnds', { pod: 'float64', extent: 6, metaData: { interpretation: 'box' } }), 'float64', [
    [0, 0, 0, 1, 1, 1],
  ]);

async function addParam(
  geom: CompoundWriter,
  name: string,
  interpretation: string,
  extent: number,
  { values, scope, indices }: ParamSpec,
): Promise<void> {
  const metaData = geomParamMeta(scope, interpretation, 'float32', extent);
  const parent = indices ? geom.compound(name, metaData) : geom;
  const spec = { pod: 'float32' as Pod, extent, metaData };
  await setAll(parent.array(indices ? '.vals' : name, spec), 'float32', [values]);
  if (indices) await setAll(parent.array('.indices', { pod: 'uint32' }), 'uint32', [indices]);
}

export async function addFaceSet(mesh: ObjectWriter, name: string, faces: readonly number[]): Promise<void> {
  const object = mesh.child(name, schemaObjectMeta(SCHEMAS.faceSet, '.faceset', true));
  const schema = object.properties.compound('.faceset', schemaMeta(SCHEMAS.faceSet, true));
  await addBox(schema);
  await setAll(schema.array('.faces', { pod: 'int32' }), 'int32', [faces]);
}

/** 1 visible, 0 hidden, −1 as the parent is; one per sample. */
export const setVisibility = (object: ObjectWriter, values: readonly number[], sampling = 0): Promise<void> =>
  setAll(
    object.properties.scalar('visible', { pod: 'int8', sampling }),
    'int8',
    values.map((value) => [value]),
  );

export async function addInstance(parent: ObjectWriter, name: string, source: string): Promise<void> {
  const object = parent.child(name, { isInstance: '1' });
  await object.properties.scalar('.instanceSource', { pod: 'string' }).set(textBytes([source], 'string'));
}

/** An object of a schema that is not read, with one property. */
export async function addOther(parent: ObjectWriter, name: string, schema: string, compound = '.geom'): Promise<void> {
  const object = parent.child(name, schemaObjectMeta(schema, compound, true));
  const geom = object.properties.compound(compound, schemaMeta(schema, true));
  await setAll(geom.array('P', { pod: 'float32', extent: 3 }), 'float32', [[0, 0, 0]]);
}

/** Points moved by (x, y, z). */
export const moved = (points: readonly number[], ...by: readonly number[]): number[] =>
  points.map((value, c) => value + by[c % 3]);

/** One archive with all that is read: transforms of every kind, two meshes, sets, an instance, a camera. */
export const fullArchive = (): Promise<Uint8Array> =>
  archiveOf(
    async (top, archive) => {
      const sampling = archive.addSampling(rate(24));
      const uneven = archive.addSampling({
        timePerCycle: 5.6177910464447366e306,
        stored: Float64Array.of(0, 1 / 48, 1 / 24, 1 / 12),
      });
      const cyclic = archive.addSampling({ timePerCycle: 1 / 24, stored: Float64Array.of(0, 1 / 96) });
      const ops = [OPS.translate, OPS.rotateX, OPS.rotateY, OPS.rotateZ, OPS.scale];
      const move = await addXform(top, 'move', {
        ops,
        values: [
          [0, 0, 0, 0, 0, 0, 1, 1, 1],
          [1, 0, 0, 90, 0, 0, 1, 1, 1],
          [1, 2, 0, 90, 90, 0, 2, 1, 1],
        ],
        sampling,
      });
      const mesh = await addMesh(move, 'square', {
        frames: [
          SQUARE.points,
          moved(SQUARE.points, 0, 0, 1),
          moved(SQUARE.points, 0, 0, 1),
          moved(SQUARE.points, 1, 0, 0),
        ],
        uv: { values: [0, 0, 0, 1, 1, 1, 1, 0], scope: 'fvr' },
        N: { values: [0, 0, 1], scope: 'con' },
        sampling: uneven,
      });
      await addFaceSet(mesh, 'all', [0]);
      const turn = await addXform(move, 'turn', {
        ops: [OPS.matrix, OPS.rotate],
        values: [[1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 5, 6, 7, 1, 0, 0, 1, 45]],
        inherits: [true, false, false],
        sampling,
      });
      const two = await addMesh(turn, 'two', {
        frames: [[0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 2, 2, 2]],
        counts: [[4, 3]],
        indices: [[0, 3, 2, 1, 1, 2, 4]],
        uv: { values: [0, 0, 1, 1], indices: [0, 1, 0, 1, 0], scope: 'vtx' },
        N: { values: [0, 0, 1, 0, 1, 0], indices: [1, 0], scope: 'uni' },
        schema: SCHEMAS.subD,
        sampling: cyclic,
      });
      await addFaceSet(two, 'first', [1]);
      await setVisibility(two, [1, 0, 1], sampling);
      await addInstance(top, 'again', '/move/square');
      await addOther(top, 'eye', 'AbcGeom_Camera_v1');
      const note = top.properties.array('words', { pod: 'wstring' });
      await note.set(textBytes(['größe', ''], 'wstring'), [2]);
    },
    { _ai_Application: 'test', _ai_Description: 'one; two' },
  );
