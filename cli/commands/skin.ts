import { type Command, Option } from 'commander';
import { SEQUENCE_GLB_OPTIONS } from '../../src/io/glb/options.ts';
import { READ_OPTIONS } from '../../src/io/read-asset.ts';
import type { Asset } from '../../src/model/asset.ts';
import { vertexCount } from '../../src/model/mesh.ts';
import { emptyReport } from '../../src/model/report.ts';
import type { MeshSequence } from '../../src/model/sequence.ts';
import type { SkinnedModel } from '../../src/model/skinned-model.ts';
import { plural } from '../../src/report/format.ts';
import { addFlags, parseNumber } from '../flags/flags.ts';
import { withCommonFlags, withExamples } from '../flags/help.ts';
import { closeAsset, expandPaths, openAsset, pickOne } from '../input/open-input.ts';
import {
  addRigFlags,
  chooseClip,
  givenRigFlags,
  moreClips,
  poseClip,
  requireMixWeights,
  requireRigs,
} from '../input/rigs.ts';
import { addOutputFlags, type OutputFlags, planOutput, requireOtherFiles, withOutput } from '../output/output.ts';
import { givenGlbFlags, holdsSeveral, SEQUENCE_KINDS, writeSequences } from '../output/sequences.ts';
import { addSmallFlag } from '../output/small.ts';
import { action } from '../terminal/session.ts';
import { writtenAnswer } from '../text/report-text.ts';

/** What is posed: all parts of a rig where they fit into one file, else the only one or the one that was named. */
function partsOf(asset: Asset, file: string, name: string | undefined, all: boolean): SkinnedModel[] {
  const models = requireRigs('skin', asset, file);
  const choice = { operation: 'skin', file, what: 'object', name };
  return all && name === undefined ? [...models] : [pickOne(models, choice)];
}

/** A rate at which a clip is sampled between its keys. */
const rateFlag = (): Option =>
  new Option('--frames-per-second <number>', "pose at a steady rate [default at the clip's own keys]").argParser(
    (text) => parseNumber('skin', 'frames-per-second', READ_OPTIONS.framesPerSecond, text),
  );

interface Flags extends OutputFlags {
  object?: string;
  framesPerSecond?: number;
}

export function skinCommand(command: Command, signal: AbortSignal): void {
  command
    .description(
      'Poses a clip of a rig with a skinning operator and writes the motion as a sequence: what players that only blend ' +
        'linearly, or only know morph targets, then show.',
    )
    .argument('<rig>', 'a file with bones, weights and clips: GLB, glTF, COLLADA');
  addOutputFlags(
    command,
    'out.glb (morph targets), out.abc, out.pc2 or out.mdd (with out.obj beside), frames/ (a folder of OBJs)',
  );
  addRigFlags(command)
    .option('--object <name>', 'pose one part of a rig that has several [default all]')
    .addOption(rateFlag());
  addSmallFlag(command.optionsGroup('GLB output:'));
  addFlags(command, SEQUENCE_GLB_OPTIONS).action(
    action(signal, async (run, file: string, self: Command) => {
      const { output, force, object, framesPerSecond } = self.opts<Flags>();
      const plan = await planOutput('skin', output, SEQUENCE_KINDS);
      const glb = givenGlbFlags(self, SEQUENCE_GLB_OPTIONS, plan.kind);
      const rig = givenRigFlags(self);
      await requireOtherFiles('skin', plan, await expandPaths('skin', [file]));
      const asset = await openAsset('skin', file);
      const sequences: MeshSequence[] = [];
      try {
        const parts = partsOf(asset, file, object, holdsSeveral(plan.kind));
        requireMixWeights('skin', parts, file, rig);
        const clip = chooseClip('skin', parts, file, rig.clip, asset.clipNames);
        sequences.push(...parts.map((part) => poseClip(part, clip, rig, framesPerSecond)));
        const { result, written } = await withOutput(plan, force, (open) => writeSequences(open, sequences, glb, run));
        const vertices = sequences.reduce((sum, { rest }) => sum + vertexCount(rest), 0);
        const frames = Math.max(...sequences.map(({ frameCount }) => frameCount));
        const size = `${plural(vertices, 'vertex', 'vertices')}, ${plural(frames, 'frame')}`;
        const chosen = { ...emptyReport('skin'), notes: [...asset.notes, ...moreClips(parts, rig.clip !== undefined)] };
        return writtenAnswer(`clip "${clip}" of ${file}: ${size}`, {}, [chosen, ...result], written);
      } finally {
        for (const sequence of sequences) await sequence.close?.();
        await closeAsset(asset);
      }
    }),
  );
  withCommonFlags(command, [
    '--output',
    '--force',
    '--clip',
    '--operator',
    '--object',
    '--frames-per-second',
    '--small',
    '--quantize',
    '--compress',
  ]);
  withExamples(command, [
    ['pliant skin figure.glb --operator dqs -o figure-dqs.glb', 'the first clip by dual quaternions, as morph targets'],
    ['pliant skin figure.glb --clip walk -o frames/', 'the clip "walk" as a folder of OBJ files'],
  ]);
}
