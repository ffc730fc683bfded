import type { Command } from 'commander';
import { PliantError } from '../../src/error.ts';
import { readAsset } from '../../src/io/read-asset.ts';
import { type Bounds, boundsOf } from '../../src/mesh/bounds.ts';
import type { Asset } from '../../src/model/asset.ts';
import { firstNonFinite } from '../../src/model/mesh.ts';
import { checkpoint } from '../../src/model/run.ts';
import type { MeshSequence } from '../../src/model/sequence.ts';
import { nodeFiles } from '../../src/platform/node/index.ts';
import { spaceText } from '../../src/report/asset-text.ts';
import { bytes } from '../../src/report/format.ts';
import { withExamples } from '../flags/help.ts';
import { addReadFlags, closeAsset, expandPaths, givenReadFlags, groupPaths } from '../input/open-input.ts';
import { type Answer, action, type Run } from '../terminal/session.ts';
import {
  type Description,
  describeMesh,
  describeModel,
  describeMotion,
  describePredictor,
  describeSequence,
  objectRows,
} from '../text/describe.ts';
import { filesText, notesText } from '../text/report-text.ts';
import { type Page, pairs } from '../text/table.ts';

/** Reads every frame: finds numbers that are none, and how far the motion reaches. */
async function reachOf(sequence: MeshSequence, run: Run): Promise<Bounds> {
  const reach: Bounds = { min: [Infinity, Infinity, Infinity], max: [-Infinity, -Infinity, -Infinity] };
  const frame = new Float32Array(sequence.rest.positions.length);
  for (let k = 0; k < sequence.frameCount; k++) {
    await checkpoint(run, 'info', k, sequence.frameCount, 'reading frames');
    await sequence.readFrame(k, frame);
    const nan = firstNonFinite(frame);
    if (nan >= 0) {
      const cause = `frame ${k}, vertex ${Math.floor(nan / 3)} has a coordinate ${frame[nan]} (expected a finite number)`;
      throw new PliantError('bad-file', 'info', cause, { file: sequence.name });
    }
    const { min, max } = boundsOf(frame);
    for (let c = 0; c < 3; c++) {
      reach.min[c] = Math.min(reach.min[c], min[c]);
      reach.max[c] = Math.max(reach.max[c], max[c]);
    }
  }
  return reach;
}

/** One asset, as an object and as a text. */
async function describe(asset: Asset, files: readonly string[], readFrames: boolean, run: Run): Promise<Answer> {
  const sequences: Description[] = [];
  for (const sequence of asset.sequences) {
    sequences.push(describeSequence(sequence, readFrames ? await reachOf(sequence, run) : undefined));
  }
  const meshes = asset.meshes.map(describeMesh);
  const models = asset.models.map(describeModel);
  const predictors = (asset.predictors ?? []).map(describePredictor);
  const motions = asset.motions.map(describeMotion);
  const json = (list: Description[]): object[] => list.map((description) => description.json);
  return {
    json: {
      files,
      format: asset.format,
      bytes: asset.bytes,
      space: asset.space,
      meshes: json(meshes),
      sequences: json(sequences),
      models: json(models),
      predictors: asset.predictors && json(predictors),
      motions: json(motions),
      objects: asset.objects,
      notes: asset.notes,
    },
    text: (page) => infoText(asset, files, [...predictors, ...models, ...sequences, ...meshes, ...motions], page),
  };
}

function infoText(asset: Asset, files: readonly string[], things: readonly Description[], page: Page): string {
  const facts = [asset.format, bytes(asset.bytes), ...(asset.space ? [spaceText(asset.space)] : [])];
  const sections = things.map(({ heading, rows }) => `${page.strong(heading)}\n${pairs(rows, page)}`);
  if (things.length === 0) sections.push('nothing that Pliant could use');
  if (asset.objects?.length) sections.push(`${page.strong('objects')}\n${pairs(objectRows(asset.objects), page)}`);
  if (asset.notes.length) sections.push(`${page.strong('notes')}\n${notesText(asset.notes, page)}`);
  return [`${page.strong(filesText(files))}: ${facts.join(', ')}`, ...sections].join('\n\n');
}

export function infoCommand(command: Command, signal: AbortSignal): void {
  command
    .description(
      'Shows what files hold: meshes, sequences, rigs and motions, their sizes, and problems that would trouble ' +
        'algorithms. Reads Alembic, OBJ, PLY, OFF, glTF, COLLADA, BVH, PC2 and MDD.',
    )
    .argument('<files...>', 'files, a folder, or patterns in quotes; several meshes are one sequence')
    .option('--each', 'take every mesh file for itself, not as a frame of a sequence', false)
    .option('--no-frames', 'do not read the frames of a sequence: quicker, finds less');
  addReadFlags(command).action(
    action(signal, async (run, files: string[], self: Command) => {
      const { each, frames } = self.opts<{ each: boolean; frames: boolean }>();
      const answers: Answer[] = [];
      for (const group of await groupPaths(await expandPaths('info', files), each)) {
        const asset = await readAsset(nodeFiles, group, givenReadFlags(self));
        try {
          answers.push(await describe(asset, group, frames, run));
        } finally {
          await closeAsset(asset);
        }
      }
      return {
        json: { assets: answers.map(({ json }) => json) },
        text: (page) => answers.map(({ text }) => text(page)).join('\n\n'),
      };
    }),
  );
  withExamples(command, [
    ['pliant info character.glb', 'meshes, bones and clips of a rig'],
    ["pliant info 'frames/*.obj'", 'a sequence of OBJ files, in natural order'],
    ['pliant info rest.obj --cache frames.pc2', 'a mesh and the cache that moves it'],
    ['pliant info --each *.obj', 'meshes that have nothing to do with each other'],
    ['pliant info --json horse.glb', 'the same facts for a program'],
  ]);
}
