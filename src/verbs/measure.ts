import { PliantError } from '../error.ts';
import { GLTF_SPACE, meshInGltfSpace, sequenceInGltfSpace } from '../io/glb/space.ts';
import { measureDetail } from '../measure/detail.ts';
import {
  MEASURE_OPTIONS,
  type MeasureOptions,
  measureMeshes,
  measureSequences,
  type SequenceErrors,
} from '../measure/measure.ts';
import type { Asset } from '../model/asset.ts';
import type { Mesh } from '../model/mesh.ts';
import type { Note } from '../model/note.ts';
import type { OptionSpecs } from '../model/options.ts';
import { type MeshSequence, memorySequence } from '../model/sequence.ts';
import { plural } from '../model/wording.ts';
import { chooseClip, moreClips, type PoseOptions, pickOne, poseClip, requireMixWeights } from './choose.ts';
import { posingOption } from './scenes.ts';
import { assetOf, meshPart, sequenceClip, type VerbInput, type VerbReport, verbReport } from './verb.ts';

/** Options of `measure`, except those for posing. */
export const MEASURE_VERB_OPTIONS = {
  object: { type: 'string', default: undefined, description: 'object to compare, if a file holds several' },
  ...MEASURE_OPTIONS,
} as const satisfies OptionSpecs;

/** Options of `measure`. */
export interface MeasureVerbOptions extends MeasureOptions, Omit<PoseOptions, 'framesPerSecond'> {
  object?: string;
  /** The same motion without detail: how much of what it lacks does the approximation have? */
  base?: VerbInput;
}

/** What only `measure` reports: its curves. */
export type MeasureDetail = Pick<SequenceErrors, 'perFrame' | 'perVertex'>;

/** What is compared: a motion, or a mesh that stands still. */
type Subject = { asset: Asset; name: string; notes: Note[] } & ({ sequence: MeshSequence } | { mesh: Mesh });

/** Compares an approximation with its original: motions, meshes, or clips of rigs. */
export async function measure(
  [original, approximation]: readonly [VerbInput, VerbInput],
  options: MeasureVerbOptions = {},
): Promise<{ report: VerbReport<MeasureDetail> }> {
  const assets = [assetOf(original), assetOf(approximation)] as const;
  const { object, base, clip, operator, antipodality, kernel, ...asked } = options;
  const pose = { clip, operator, antipodality, kernel };
  const all = [...assets, ...(base ? [assetOf(base)] : [])];
  const [a, b, plain] = inOneSpace(all.map((asset) => subjectOf(asset, object, pose)));
  const stray = posingOption(pose);
  if (stray && assets.every(({ models }) => models.length === 0)) {
    throw new PliantError('bad-option', 'measure', 'applies to rigs only', { option: stray });
  }
  const { report, perFrame, perVertex } = await compare(a, b, asked);
  if (plain) Object.assign(report.figures, await measureDetail(motionOf(a), motionOf(b), motionOf(plain), asked));
  const clips = [a, b].flatMap((each) => ('sequence' in each ? [sequenceClip(each.sequence, each.name)] : []));
  const parts = [a, b].map((each) => meshPart(each.name, surfaceOf(each)));
  const notes = [...a.notes, ...b.notes, ...report.notes];
  return { report: verbReport({ perFrame, perVertex }, { ...report, clips, parts, notes }) };
}

/** The object of an asset to compare. A rig with clips is its motion, a rig without is its mesh. */
function subjectOf(asset: Asset, object: string | undefined, pose: PoseOptions): Subject {
  const { models, sequences, meshes } = asset;
  const found = pickOne<{ name?: string }>([...models, ...sequences, ...meshes], {
    verb: 'measure',
    asset,
    option: 'object',
    name: object,
  });
  const named = { asset, name: found.name ?? 'mesh', notes: [] as Note[] };
  const model = models.find((each) => each === found);
  const sequence = sequences.find((each) => each === found);
  if (sequence) return { ...named, sequence };
  if (!model) return { ...named, mesh: found as Mesh };
  if (model.clips.length === 0) return { ...named, mesh: model.mesh };
  requireMixWeights('measure', asset, [model], pose);
  const clip = chooseClip('measure', { ...asset, clipNames: undefined }, [model], pose.clip);
  return { ...named, notes: moreClips(asset, [model], pose.clip !== undefined), sequence: poseClip(model, clip, pose) };
}

const surfaceOf = (subject: Subject): Mesh => ('mesh' in subject ? subject.mesh : subject.sequence.rest);

/** Both as glTF has them, where one has another up axis or unit than the other. */
function inOneSpace(subjects: readonly Subject[]): Subject[] {
  const [a, ...others] = subjects.map((subject) => surfaceOf(subject).space ?? GLTF_SPACE);
  if (others.every((b) => a.up === b.up && a.metresPerUnit === b.metresPerUnit)) return [...subjects];
  return subjects.map((subject) =>
    'mesh' in subject
      ? { ...subject, mesh: meshInGltfSpace(subject.mesh) }
      : { ...subject, sequence: sequenceInGltfSpace(subject.sequence) },
  );
}

/** A mesh that stands still is a motion of one frame. */
const motionOf = (subject: Subject): MeshSequence =>
  'sequence' in subject ? subject.sequence : memorySequence(subject.name, subject.mesh, [subject.mesh.positions]);

function compare(a: Subject, b: Subject, options: MeasureOptions) {
  if ('sequence' in a && 'sequence' in b && a.sequence.frameCount === b.sequence.frameCount)
    return measureSequences(a.sequence, b.sequence, options);
  if ('mesh' in a && 'mesh' in b) return measureMeshes(a.mesh, b.mesh, options);
  const kind = (subject: Subject): string => {
    const what = 'sequence' in subject ? plural(subject.sequence.frameCount, 'frame') : 'a mesh that does not move';
    return `${what} in ${subject.asset.name ?? subject.name}`;
  };
  const cause = `cannot compare ${kind(a)} with ${kind(b)} (expected two meshes, or two motions of equal length)`;
  throw new PliantError('bad-input', 'measure', cause, { file: b.asset.name });
}
