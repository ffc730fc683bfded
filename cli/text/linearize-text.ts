import { vertexCount } from '../../src/model/mesh.ts';
import { distinctNotes, type Notes } from '../../src/model/note.ts';
import { digits, percent, plural } from '../../src/report/format.ts';
import type { LinearizeResult } from '../../src/rig/linearize/linearize.ts';
import type { OutputFile } from '../../src/verbs/envelope.ts';
import type { LinearizeOutcome } from '../jobs/linearize-job.ts';
import type { Answer } from '../terminal/answer.ts';
import { notesText, writtenText } from './report-text.ts';
import { numberTable, pairs } from './table.ts';

/** What `linearize` says of its results: on the terminal, and to programs. */

export function linearizeAnswer(
  title: string,
  { parts, notes }: LinearizeOutcome,
  written: readonly OutputFile[],
): Answer {
  const all = distinctNotes([...notes, ...parts.flatMap(({ report }) => report.notes)]);
  return {
    summary: true,
    json: answerJson(parts, all, written),
    text: (page) => {
      const blocks = parts.map((part) => {
        const name = parts.length > 1 ? part.original.name : title;
        const clips = part.clips.map(({ name: clip, lbs, linearized, halfWay }) => [
          clip,
          digits(lbs),
          digits(linearized),
          digits(halfWay),
        ]);
        const table = clips.length
          ? `\n\n${numberTable(['enveloping error, %', 'linear', 'linearized', 'between keys'], clips, page)}`
          : '';
        return `${page.strong(name)}\n${pairs(partRows(part), page)}${table}`;
      });
      return [...blocks, notesText(all, page), writtenText(written)].filter(Boolean).join('\n\n');
    },
  };
}

/** Seconds of the work itself, without those of measuring it. */
const workSeconds = ({ report }: LinearizeResult): number =>
  Object.entries(report.seconds).reduce((sum, [stage, x]) => sum + (stage === 'measuring' ? 0 : x), 0);

function partJson(part: LinearizeResult): object {
  const { original, model, averageInfluences, report } = part;
  return {
    name: original.name,
    vertices: vertexCount(original.mesh),
    blendBones: model.blendBones?.bones.length ?? 0,
    envelopingError: part.envelopingError,
    envelopingErrorLbs: part.envelopingErrorLbs,
    envelopingErrorBySolver: part.envelopingErrorBySolver,
    averageInfluences: averageInfluences.after,
    averageInfluencesBefore: averageInfluences.before,
    seconds: workSeconds(part),
    curve: part.curve,
    stopped: part.stopped,
    training: { source: part.training.source, frames: part.training.clip.times.length },
    clips: part.clips,
    joints: part.joints,
    bones: model.blendBones?.bones.map(({ bone, masters, weights }) => ({
      name: model.skeleton.names[bone],
      masters: Array.from(masters, (j) => model.skeleton.names[j]),
      weights,
    })),
    stages: report.seconds,
    converged: report.converged,
    iterations: report.iterations,
  };
}

/** Of one rig its figures; of several those of the one that came out worst, the sums, and each by itself. */
function answerJson(parts: readonly LinearizeResult[], notes: Readonly<Notes>, written: readonly OutputFile[]): object {
  const worst = parts.reduce((a, b) => (b.envelopingError > a.envelopingError ? b : a));
  const several = {
    blendBones: parts.reduce((sum, { model }) => sum + (model.blendBones?.bones.length ?? 0), 0),
    seconds: parts.reduce((sum, part) => sum + workSeconds(part), 0),
    parts: parts.map(partJson),
  };
  return { ...partJson(worst), ...(parts.length > 1 && several), notes, written };
}

function partRows(result: LinearizeResult): [string, string][] {
  const { original, averageInfluences: influences, report } = result;
  return [
    [
      'from',
      `${plural(vertexCount(original.mesh), 'vertex', 'vertices')}, ${plural(original.skeleton.names.length, 'bone')}`,
    ],
    ['blend bones', `${result.model.blendBones?.bones.length ?? 0}`],
    [
      'enveloping error',
      `${percent(result.envelopingError)}; linear blending alone ${percent(result.envelopingErrorLbs)}`,
    ],
    ['influences', `${digits(influences.after)} per vertex on average; before ${digits(influences.before)}`],
    [
      'seconds',
      Object.entries(report.seconds)
        .map(([stage, x]) => `${stage} ${x.toFixed(2)}`)
        .join(', '),
    ],
  ];
}
