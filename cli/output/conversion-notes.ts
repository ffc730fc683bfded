import type { Space } from '../../src/model/mesh.ts';
import type { Notes } from '../../src/model/note.ts';
import type { MeshSequence } from '../../src/model/sequence.ts';
import { spaceText } from '../../src/report/asset-text.ts';
import { number } from '../../src/report/format.ts';
import type { OutputKind } from './output.ts';

/** What a format calls itself in a sentence. */
const TITLES: Record<OutputKind, string> = {
  glb: 'glTF',
  abc: 'Alembic',
  obj: 'OBJ',
  frames: 'OBJ',
  pc2: 'PC2',
  mdd: 'MDD',
};

/** What the output cannot say of the sequences in it, one sentence each. */
export async function conversionNotes(
  kind: OutputKind,
  parts: readonly MeshSequence[],
  framesPerSecond: number,
): Promise<Notes> {
  const notes: Notes = [];
  const space = parts.find(({ rest }) => rest.space)?.rest.space;
  if (space && !saysSpace(kind, space)) {
    notes.push(`${TITLES[kind]} cannot say ${spaceText(space)}: coordinates are kept as they are.`);
  }
  if (kind === 'abc' && (await leavesRest(parts))) {
    notes.push('Alembic has no rest pose: the first frame will serve as one, unless --rest names another.');
  }
  if (kind === 'glb' && startOf(parts) > 0) {
    notes.push(`The motion starts at ${number(startOf(parts))} s, and was moved to start at 0.`);
  }
  const rate = rateOf(parts[0]);
  if (rate === undefined || Math.abs(rate / framesPerSecond - 1) < 1e-3) return notes;
  if (kind === 'frames') {
    notes.push(`OBJ has no times: read these files with --frames-per-second ${number(rate)}.`);
  }
  if (kind === 'pc2') {
    const span = number(framesPerSecond / rate);
    notes.push(
      `PC2 counts frames, here ${number(framesPerSecond)} per second and ${span} from one to the next: give --frames-per-second ${number(rate)} to count each as one.`,
    );
  }
  return notes;
}

/** glTF is converted to; the others take y for up and a unit for a metre. The writer of Alembic speaks of axes itself. */
const saysSpace = (kind: OutputKind, { up, metresPerUnit }: Space): boolean =>
  kind === 'glb' || (metresPerUnit === 1 && (up === 'y' || kind === 'abc'));

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

/** When the first of several sequences starts, in seconds; at 0 where that is earlier, which the writer of glTF sees to. */
export const startOf = (parts: readonly MeshSequence[]): number =>
  Math.max(0, Math.min(...parts.map(({ times }) => times[0])));
