import type { MeshSequence } from '../src/model/sequence.ts';
import { number } from '../src/report/format.ts';
import { spaceText } from './describe.ts';
import type { OutputKind } from './output.ts';

/** What a format calls itself in a sentence. */
const TITLES: Record<OutputKind, string> = { glb: 'glTF', obj: 'OBJ', frames: 'OBJ', pc2: 'PC2', mdd: 'MDD' };

/** Formats that say which axis is up and how long a unit is: their writers convert. */
const SAYS_SPACE: readonly OutputKind[] = ['glb'];

/** What the output cannot say of the sequences in it, one sentence each. */
export function conversionNotes(kind: OutputKind, parts: readonly MeshSequence[], framesPerSecond: number): string[] {
  const notes: string[] = [];
  const space = parts.find(({ rest }) => rest.space)?.rest.space;
  if (space && !SAYS_SPACE.includes(kind) && (space.up !== 'y' || space.metresPerUnit !== 1)) {
    notes.push(`${TITLES[kind]} cannot say ${spaceText(space)}: coordinates are kept as they are.`);
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

/** Mean frames per second; undefined for a single frame. */
function rateOf({ times, frameCount }: MeshSequence): number | undefined {
  return frameCount > 1 ? (frameCount - 1) / (times[frameCount - 1] - times[0]) : undefined;
}
