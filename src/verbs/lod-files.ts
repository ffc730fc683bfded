import { type LeveledFile, leveledGltf, replacedGltf } from '../io/edit-levels.ts';
import { type MeasuredLevel, type MeasuredPart, partDiagonal } from '../lod/level-figures.ts';
import { coverageAt, onePixelDistance } from '../lod/screen.ts';
import { joined } from '../model/bytes.ts';
import type { GltfSource } from '../model/gltf-source.ts';
import { addNotes } from '../model/note.ts';
import type { SkinnedModel } from '../model/skinned-model.ts';
import type { Pose } from '../skin/choose-poses.ts';
import type { LodOutcome, LodVerbOptions } from './lod-options.ts';
import type { LodPart } from './lod-parts.ts';
import { fileOf, KEPT_BY_EDITING } from './verb.ts';

/** The given file with its levels: all in one, or a file for each. */

/** The levels of all parts and their figures, level by level. */
interface MadeLevels {
  parts: readonly LodPart[];
  measured: readonly MeasuredPart[];
  /** All that the figures are over. */
  poses: readonly Pose[];
  levels: SkinnedModel[][];
  figures: MeasuredLevel[][];
  whole: MeasuredLevel[];
}

/** One file, or one per level; and the bytes of each level of each part. */
export async function writeFiles(
  { parts, measured, poses, levels, figures, whole }: MadeLevels,
  source: GltfSource,
  { separate, glb = {}, sink }: LodVerbOptions,
  report: LodOutcome['report'],
): Promise<{ file?: Uint8Array; files?: Uint8Array[]; bytes: number[][] }> {
  const told = ({ report: own }: LeveledFile) => addNotes(report.notes, ...own.notes);
  if (separate) {
    const [files, bytes]: [Uint8Array[], number[][]] = [[], []];
    for (const level of levels) {
      const nodes = parts.map(({ at }, m) => ({ at, surface: level[m] }));
      const written = await replacedGltf(source, nodes, glb);
      told(written);
      files.push(await joined(written.parts));
      bytes.push(written.levelBytes[0]);
    }
    report.figures.bytes = files.reduce((sum, file) => sum + file.length, 0);
    return { files, bytes };
  }
  // All parts change at the same distances, so that they still meet; a level is never used nearer than a finer one.
  const distances = whole.map((_, l) => onePixelDistance(Math.max(...whole.slice(0, l + 1).map(({ max }) => max))));
  const nodes = parts.map(({ at }, m) => ({
    ...at,
    levels: levels.map((level, l) => {
      const { rms, max, worst } = figures[l][m];
      const { name, time } = poses[worst];
      return { surface: level[m], facts: { rms, max, onePixelDistance: distances[l], worstPose: { name, time } } };
    }),
    coverage: [...distances.map((distance) => coverageAt(partDiagonal(measured[m]) / 2, distance)), 0],
  }));
  const written = await leveledGltf(source, nodes, glb);
  told(written);
  report.notes = report.notes.filter(({ code }) => code === 'not-read' || !KEPT_BY_EDITING.has(code));
  report.figures.bytes = written.report.figures.bytes;
  return { ...(await fileOf(written.parts, { sink })), bytes: written.levelBytes };
}
