import type { ModelGlbOptions } from '../io/glb/options.ts';
import { writeModelGlb } from '../io/write-glb.ts';
import type { FigureName, Figures } from '../model/figures.ts';
import { addNotes, type Note } from '../model/note.ts';
import type { SkinnedModel } from '../model/skinned-model.ts';
import type { PartReport, VerbReport } from './verb.ts';

/** Reports of verbs that work on the parts of a rig one by one. */

/** A report to which every part adds its own. */
export const emptyVerbReport = <D extends object>(verb: string, notes: Note[], detail: D): VerbReport<D> => ({
  verb,
  figures: {},
  clips: [],
  parts: [],
  notes: [...notes],
  seconds: {},
  detail,
});

/** The figures of the worst part, the one with the largest `by`; `sums` are totals over all parts. */
export function worstFigures(parts: readonly PartReport[], by: FigureName, sums: readonly FigureName[] = []): Figures {
  const all = parts.map(({ figures = {} }) => figures);
  const worst = all.reduce((a, b) => ((b[by] ?? 0) > (a[by] ?? 0) ? b : a));
  const totals = sums.map((name) => [name, all.reduce((sum, figures) => sum + (figures[name] ?? 0), 0)]);
  return { ...worst, ...Object.fromEntries(totals) };
}

/** The GLB of models, where one is asked for. What the writer notes joins the report. */
export async function glbOf(
  models: readonly SkinnedModel[],
  glb: Partial<ModelGlbOptions> | undefined,
  influences: number,
  report: VerbReport,
): Promise<{ file?: Uint8Array }> {
  if (!glb) return {};
  const { bytes, report: written } = await writeModelGlb(models, { ...glb, influences });
  addNotes(report.notes, ...written.notes);
  report.figures.bytes = bytes.length;
  return { file: bytes };
}
