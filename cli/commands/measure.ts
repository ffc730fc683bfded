import type { Command } from 'commander';
import { PliantError } from '../../src/error.ts';
import { MEASURE_OPTIONS, measureMeshes, measureSequences, type SequenceErrors } from '../../src/measure/measure.ts';
import type { Asset } from '../../src/model/asset.ts';
import type { Mesh } from '../../src/model/mesh.ts';
import type { MeshSequence } from '../../src/model/sequence.ts';
import { number, plural } from '../../src/report/format.ts';
import { addFlags, givenFlags } from '../flags/flags.ts';
import { withCommonFlags, withExamples } from '../flags/help.ts';
import { closeAsset, openAsset, pickOne } from '../input/open-input.ts';
import {
  addRigFlags,
  chooseClip,
  givenRigFlags,
  moreClips,
  poseClip,
  type RigFlags,
  requireMixWeights,
} from '../input/rigs.ts';
import { action } from '../terminal/session.ts';
import { figuresText, notesText } from '../text/report-text.ts';
import { numberTable, type Page } from '../text/table.ts';

/** What is compared: a motion, or a mesh that stands still. */
type Subject = { name: string; sequence: MeshSequence } | { name: string; mesh: Mesh };

/** Chooses what to compare of a file. A rig with clips is its motion, a rig without is its mesh. */
function subjectOf(asset: Asset, file: string, object: string | undefined, rig: RigFlags, notes: Set<string>): Subject {
  const candidates = [
    ...asset.models.map((model) => ({
      name: model.name,
      open: (): Subject => {
        if (model.clips.length === 0) return { name: file, mesh: model.mesh };
        requireMixWeights('measure', [model], file, rig);
        for (const note of moreClips([model], rig.clip !== undefined)) notes.add(note);
        return { name: file, sequence: poseClip(model, chooseClip('measure', [model], file, rig.clip), rig) };
      },
    })),
    ...asset.sequences.map((sequence) => ({
      name: sequence.name,
      open: (): Subject => ({ name: file, sequence }),
    })),
    ...asset.meshes.map((mesh) => ({ name: mesh.name, open: (): Subject => ({ name: file, mesh }) })),
  ];
  if (candidates.length === 0) throw new PliantError('not-found', 'measure', 'holds no mesh', { file });
  return pickOne(candidates, { operation: 'measure', file, what: 'object', name: object }).open();
}

function compare(a: Subject, b: Subject, options: Parameters<typeof measureSequences>[2]) {
  if ('sequence' in a && 'sequence' in b) return measureSequences(a.sequence, b.sequence, options);
  if ('mesh' in a && 'mesh' in b) return measureMeshes(a.mesh, b.mesh, options);
  const kind = (subject: Subject): string =>
    'sequence' in subject ? plural(subject.sequence.frameCount, 'frame') : 'a mesh that does not move';
  const cause = `cannot compare (got ${kind(a)} in ${a.name} and ${kind(b)} in ${b.name}, expected two of a kind)`;
  throw new PliantError('bad-input', 'measure', cause);
}

function perFrameText({ perFrame }: SequenceErrors, page: Page): string {
  const { rmsePercent, maxErrorPercent, surfaceDistancePercent, originalArea } = perFrame;
  const shown: [string, Float64Array | undefined][] = [
    ['RMSE %', rmsePercent],
    ['max %', maxErrorPercent],
    ['surface distance %', surfaceDistancePercent],
  ];
  const given = shown.flatMap(([title, values]) => (values ? [{ title, values }] : []));
  const rows = Array.from(originalArea, (_, k) => [String(k), ...given.map(({ values }) => number(values[k]))]);
  return numberTable(['frame', ...given.map(({ title }) => title)], rows, page);
}

export function measureCommand(command: Command, signal: AbortSignal): void {
  command
    .description(
      'Compares an approximation with its original, vertex by vertex and surface by surface. Each may be a sequence, ' +
        'a mesh, or a clip of a rig. Per cent are of the diagonal of the original at rest.',
    )
    .argument('<original>', 'file, folder or pattern in quotes')
    .argument('<approximation>', 'the same motion or mesh, approximated')
    .option('--per-frame', 'print the errors of every frame, too')
    .option('--object <name>', 'which object, where a file holds several')
    .option('--cache <file>', 'PC2 or MDD file that moves the original mesh')
    .option('--other-cache <file>', 'PC2 or MDD file that moves the approximation');
  addFlags(command, MEASURE_OPTIONS);
  addRigFlags(command, 'Skinning, of both files where they are rigs:').action(
    action(signal, async (run, original: string, approximation: string, self: Command) => {
      const { object, cache, otherCache, perFrame } = self.opts<Record<string, string | undefined>>();
      const rig = givenRigFlags(self);
      const assets: Asset[] = [];
      const notes = new Set<string>();
      const open = async (file: string, itsCache: string | undefined): Promise<Subject> => {
        const asset = await openAsset('measure', file, itsCache === undefined ? {} : { cache: itsCache });
        assets.push(asset);
        return subjectOf(asset, file, object, rig, notes);
      };
      try {
        const a = await open(original, cache);
        const b = await open(approximation, otherCache);
        if (Object.keys(rig).length && assets.every(({ models }) => models.length === 0)) {
          throw new PliantError('bad-option', 'measure', `--${Object.keys(rig)[0]} needs a rig (got none)`);
        }
        const { report, ...errors } = await compare(a, b, { ...givenFlags(self, MEASURE_OPTIONS), ...run });
        report.notes.unshift(...notes);
        return {
          json: { original, approximation, ...errors, report },
          text: (page) => {
            const heading = page.strong(`${approximation} against ${original}`);
            const frames = perFrame ? perFrameText(errors, page) : '';
            const parts = [heading, figuresText(report.figures), frames, notesText(report.notes, page)];
            return parts.filter(Boolean).join('\n\n');
          },
        };
      } finally {
        for (const asset of assets) await closeAsset(asset);
      }
    }),
  );
  withCommonFlags(command, ['--per-frame', '--object', '--cache', '--other-cache', '--clip', '--operator']);
  withExamples(command, [
    ['pliant measure horse.glb fitted.glb', 'how far the rig in fitted.glb is from the morphs in horse.glb'],
    ["pliant measure 'a/*.obj' 'b/*.obj' --per-frame", 'two OBJ sequences, frame by frame'],
    ['pliant measure frames/ rig.glb --clip walk --operator dqs', 'the clip "walk", skinned by dual quaternions'],
  ]);
}
