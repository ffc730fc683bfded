import { PliantError } from '../error.ts';
import { attributeFloats } from '../mesh/attribute-floats.ts';
import { boundsOf } from '../mesh/bounds.ts';
import { smoothingGroups, vertexNormals } from '../mesh/normals.ts';
import { flippedUvs, textureUvs } from '../mesh/texture-uvs.ts';
import type { Mesh } from '../model/mesh.ts';
import { note } from '../model/note.ts';
import { booleanOption, type OptionSpecs, type OptionsOf, type RunOptions, resolveOptions } from '../model/options.ts';
import { emptyReport, type Report } from '../model/report.ts';
import { checkpoint } from '../model/run.ts';
import type { MeshSequence } from '../model/sequence.ts';
import { ArchiveWriter, type CompoundWriter, type ObjectWriter } from './alembic/archive-writer.ts';
import { schemaMeta, schemaObjectMeta } from './alembic/meta-data.ts';
import type { PropertyWriter } from './alembic/property-writer.ts';
import { geomParamMeta, SCHEMAS } from './alembic/schemas.ts';
import { samplingOf } from './alembic/time-sampling.ts';
import type { ByteSink } from './files.ts';

/**
 * Alembic (Ogawa): every sequence a PolyMesh below a transform that does nothing, both with the sequence's name, as
 * other programs arrange theirs. Groups become face sets.
 */
export const WRITE_ALEMBIC_OPTIONS = {
  normals: booleanOption(true, 'write normals of meshes that have them, computed for every frame'),
} as const satisfies OptionSpecs;

/** Options of `writeAlembic`. */
export type WriteAlembicOptions = OptionsOf<typeof WRITE_ALEMBIC_OPTIONS>;

const OPERATION = 'writeAlembic';

/** Writes the frames one by one; never more than one is in memory. The caller closes the sink. */
export async function writeAlembic(
  sequences: readonly MeshSequence[],
  sink: ByteSink,
  options: Partial<WriteAlembicOptions> & RunOptions = {},
): Promise<{ report: Report }> {
  const { normals } = resolveOptions(WRITE_ALEMBIC_OPTIONS, options, OPERATION);
  if (sequences.length === 0) throw new PliantError('bad-input', OPERATION, 'no sequence (expected at least one)');
  const report = emptyReport(OPERATION);
  const archive = new ArchiveWriter(sink, { _ai_Application: 'Pliant' });
  const names = objectNames(sequences.map(({ name }) => name));
  const total = sequences.reduce((sum, { frameCount }) => sum + frameCount, 0);

  let done = 0;
  for (const [s, sequence] of sequences.entries()) {
    const { rest, frameCount, times } = sequence;
    if (rest.space && rest.space.up !== 'y') {
      report.notes.push(note('space-lost', { format: 'abc', space: rest.space }, names[s]));
    }
    const sampling = archive.addSampling(samplingOf(times));
    const { mesh, geom } = await addMesh(archive.top, names[s]);
    const writer = await addTopology(geom, rest, sampling, normals);
    await addFaceSets(mesh, rest);
    const frame = new Float32Array(rest.positions.length);
    for (let k = 0; k < frameCount; k++) {
      await checkpoint(options, OPERATION, done++, total, 'writing frames');
      await writer.frame(await sequence.readFrame(k, frame));
    }
  }
  const size = await archive.finish();
  options.onProgress?.(total, total, 'writing frames');
  report.figures.bytes = size;
  return { report };
}

/** Names that an object may have: not empty, without slashes, each once. */
function objectNames(names: readonly string[]): string[] {
  const used = new Set<string>();
  return names.map((name) => {
    const plain = name.replace(/[/\0]/g, '_') || 'mesh';
    let unique = plain;
    for (let n = 2; used.has(unique); n++) unique = `${plain}-${n}`;
    used.add(unique);
    return unique;
  });
}

async function addMesh(top: ObjectWriter, name: string): Promise<{ mesh: ObjectWriter; geom: CompoundWriter }> {
  const transform = top.child(name, schemaObjectMeta(SCHEMAS.xform, '.xform', false));
  const xform = transform.properties.compound('.xform', schemaMeta(SCHEMAS.xform, false));
  await xform.scalar('.inherits', { pod: 'boolean' }).set(Uint8Array.of(1));
  const mesh = transform.child(name, schemaObjectMeta(SCHEMAS.polyMesh, '.geom', true));
  return { mesh, geom: mesh.properties.compound('.geom', schemaMeta(SCHEMAS.polyMesh, true)) };
}

/** What takes the frames of a mesh; its faces, uvs and the indices of its normals are written already. */
interface MeshWriter {
  frame(positions: Float32Array): Promise<void>;
}

const VERTEX = 'vtx';
const FACE_VARYING = 'fvr';

async function addTopology(
  geom: CompoundWriter,
  rest: Mesh,
  sampling: number,
  withNormals: boolean,
): Promise<MeshWriter> {
  const bounds = geom.scalar('.selfBnds', {
    pod: 'float64',
    extent: 6,
    metaData: { interpretation: 'box' },
    sampling,
  });
  const metaData = { geoScope: VERTEX, interpretation: 'point' };
  const points = geom.array('P', { pod: 'float32', extent: 3, metaData, sampling });

  // (1) The faces never change: one sample, and as many as the points have.
  const indices = geom.array('.faceIndices', { pod: 'int32', sampling });
  const counts = geom.array('.faceCounts', { pod: 'int32', sampling });
  const steady: [PropertyWriter, Uint8Array][] = [
    [indices, bytesOf(turnedAround(rest.triangles))],
    [counts, bytesOf(new Int32Array(rest.triangles.length / 3).fill(3))],
  ];

  // (2) One value per vertex; or per split vertex, and corners refer to them.
  const corners = rest.seams && bytesOf(turnedAround(rest.seams.triangles));
  const param = (name: string, interpretation: string, extent: number, within = geom): PropertyWriter => {
    const meta = geomParamMeta(corners ? FACE_VARYING : VERTEX, interpretation, 'float32', extent);
    if (!corners) return within.array(name, { pod: 'float32', extent, metaData: meta, sampling });
    const compound = within.compound(name, meta);
    const values = compound.array('.vals', { pod: 'float32', extent, metaData: meta, sampling });
    steady.push([compound.array('.indices', { pod: 'uint32', sampling }), corners]);
    return values;
  };
  const uvs = textureUvs(rest);
  if (uvs) steady.push([param('uv', 'vector', 2), bytesOf(uvs)]);
  const further = Object.entries(rest.attributes ?? {}).filter(([name]) => /^(COLOR|TEXCOORD)_/.test(name));
  const arbitrary = further.length > 0 ? geom.compound('.arbGeomParams') : undefined;
  for (const [name, attribute] of further) {
    const values = attributeFloats(attribute);
    const isUvs = name.startsWith('TEXCOORD_');
    const interpretation = isUvs ? 'vector' : attribute.size === 4 ? 'rgba' : 'rgb';
    const bytes = bytesOf(isUvs ? flippedUvs(values) : values);
    steady.push([param(name, interpretation, attribute.size, arbitrary), bytes]);
  }
  const normalValues = withNormals && rest.normals ? param('N', 'normal', 3) : undefined;
  const smooth = normalValues && smoothingGroups(rest);
  const normals = normalValues && new Float32Array(rest.normals!.length);

  let isFirst = true;
  return {
    async frame(positions) {
      const { min, max } = boundsOf(positions);
      await bounds.set(bytesOf(Float64Array.of(...min, ...max)));
      await points.set(bytesOf(positions));
      if (normals) await normalValues.set(bytesOf(vertexNormals(rest, positions, 'angle', smooth, normals)));
      for (const [property, bytes] of steady) {
        if (isFirst) await property.set(bytes);
        else property.repeat();
      }
      isFirst = false;
    },
  };
}

/** Exclusive: no triangle is in two groups. */
const EXCLUSIVE = 1;

async function addFaceSets(mesh: ObjectWriter, rest: Mesh): Promise<void> {
  const groups = rest.groups ?? [];
  const names = objectNames(groups.map(({ name }) => name || 'group'));
  for (const [g, { start, count }] of groups.entries()) {
    const set = mesh.child(names[g], schemaObjectMeta(SCHEMAS.faceSet, '.faceset', true));
    const schema = set.properties.compound('.faceset', schemaMeta(SCHEMAS.faceSet, true));
    const bounds = schema.scalar('.selfBnds', { pod: 'float64', extent: 6, metaData: { interpretation: 'box' } });
    await bounds.set(bytesOf(Float64Array.of(...EMPTY_BOX)));
    const faces = schema.array('.faces', { pod: 'int32' });
    await faces.set(bytesOf(Int32Array.from({ length: count }, (_, f) => start + f)));
    await schema.scalar('.facesExclusive', { pod: 'uint32' }).set(bytesOf(Uint32Array.of(EXCLUSIVE)));
  }
}

/** A box around nothing, as Alembic has it: from the largest to the smallest number. */
const EMPTY_BOX = [1, 1, 1, -1, -1, -1].map((sign) => sign * Number.MAX_VALUE);

/** Faces of an archive go around clockwise, seen from outside. */
function turnedAround(triangles: Uint32Array): Uint32Array {
  const out = new Uint32Array(triangles.length);
  for (let t = 0; t < out.length; t += 3) {
    for (let c = 0; c < 3; c++) out[t + c] = triangles[t + 2 - c];
  }
  return out;
}

const bytesOf = (numbers: ArrayBufferView): Uint8Array =>
  new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength);
