import { isNameOnly } from '../io/plain-material.ts';
import { READ_OPTIONS } from '../io/read-asset.ts';
import type { Space } from '../model/mesh.ts';
import { type Note, note } from '../model/note.ts';
import type { MeshSequence } from '../model/sequence.ts';

/** What sequences can be written as; `frames` is a folder with one OBJ per frame, `obj` one mesh. */
export const SEQUENCE_FORMATS = ['glb', 'frames', 'abc', 'pc2', 'mdd', 'obj'] as const;
/** A format that sequences can be written as. */
export type SequenceFormat = (typeof SEQUENCE_FORMATS)[number];

/** Formats that hold any number of meshes; the others hold one. */
export const holdsSeveral = (format: SequenceFormat): boolean => format === 'glb' || format === 'abc';

/** What a format cannot say of the sequences written to it. `framesPerSecond` is the rate of formats that count frames. */
export async function conversionNotes(
  format: SequenceFormat,
  parts: readonly MeshSequence[],
  framesPerSecond: number = READ_OPTIONS.framesPerSecond.default,
): Promise<Note[]> {
  const notes: Note[] = [];
  const space = parts.find(({ rest }) => rest.space)?.rest.space;
  if (space && !saysSpace(format, space)) notes.push(note('space-lost', { format, space }));
  notes.push(...appearanceNotes(format, parts));
  if (format === 'abc' && (await leavesRest(parts))) notes.push(note('rest-pose-lost', {}));
  if (format === 'glb' && startOf(parts) > 0) notes.push(note('start-moved', { seconds: startOf(parts) }));
  const rate = rateOf(parts[0]);
  if (rate === undefined || Math.abs(rate / framesPerSecond - 1) < 1e-3) return notes;
  if (format === 'frames') notes.push(note('times-lost', { framesPerSecond: rate }));
  if (format === 'pc2') notes.push(note('frames-counted', { framesPerSecond, rate }));
  return notes;
}

/** What a format leaves out of materials and vertex attributes. */
export function appearanceNotes(format: SequenceFormat, parts: readonly MeshSequence[]): Note[] {
  if (format === 'glb') return [];
  const lost = parts.flatMap(({ rest }) => [
    ...(rest.materials?.every(isNameOnly) === false ? ['materials'] : []),
    ...Object.keys(rest.attributes ?? {}).filter((name) => format !== 'abc' || !/^(COLOR|TEXCOORD)_/.test(name)),
  ]);
  return lost.length > 0 ? [note('not-written', { format, names: [...new Set(lost)] })] : [];
}

/** glTF is converted to; the others take y for up and a unit for a metre. The writer of Alembic speaks of axes itself. */
const saysSpace = (format: SequenceFormat, { up, metresPerUnit }: Space): boolean =>
  format === 'glb' || (metresPerUnit === 1 && (up === 'y' || format === 'abc'));

/** Whether a rest pose differs from the first frame. */
async function leavesRest(parts: readonly MeshSequence[]): Promise<boolean> {
  for (const { rest, readFrame } of parts) {
    const first = await readFrame(0);
    if (first.some((x, c) => x !== rest.positions[c])) return true;
  }
  return false;
}

/** Mean frames per second; undefined for a single frame. */
function rateOf({ times, frameCount }: MeshSequence): number | undefined {
  return frameCount > 1 ? (frameCount - 1) / (times[frameCount - 1] - times[0]) : undefined;
}

/** When the first of several sequences starts, in seconds; 0 where that is earlier, which the writer of glTF sees to. */
export const startOf = (parts: readonly MeshSequence[]): number =>
  Math.max(0, Math.min(...parts.map(({ times }) => times[0])));
