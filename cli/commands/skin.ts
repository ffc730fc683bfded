import { Command, Option } from 'commander';
import { PliantError } from '../../src/error.ts';
import { SEQUENCE_GLB_OPTIONS } from '../../src/io/glb-options.ts';
import { READ_OPTIONS } from '../../src/io/read-asset.ts';
import { vertexCount } from '../../src/model/mesh.ts';
import type { SkinnedModel } from '../../src/model/skinned-model.ts';
import { addFlags, parseNumber } from '../flags.ts';
import { plural } from '../format.ts';
import { withExamples } from '../help.ts';
import { closeAsset, findNamed, openAsset } from '../open-input.ts';
import { addOutputFlags, type OutputFlags, outputKind, withOutput } from '../output.ts';
import { writtenAnswer } from '../report-text.ts';
import { addRigFlags, givenRigFlags, poseClip } from '../rigs.ts';
import { givenGlbFlags, SEQUENCE_KINDS, writeSequences } from '../sequences.ts';
import { action } from '../session.ts';

/** The parts of a rig that are posed: the named one, or all. */
function partsOf(models: readonly SkinnedModel[], file: string, name: string | undefined): readonly SkinnedModel[] {
  if (models.length === 0) throw new PliantError('not-found', 'skin', 'holds no rig', { file });
  const named = findNamed(models, { operation: 'skin', file, what: 'object', name });
  return named ? [named] : models;
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

export function skinCommand(signal: AbortSignal): Command {
  const command = new Command('skin')
    .description('pose a clip of a rig with an operator, and write the motion as a sequence')
    .argument('<rig>', 'a file with bones, weights and clips: GLB, glTF, COLLADA');
  addOutputFlags(command, 'out.glb (morph targets), out.pc2 (with out.obj beside), frames/ (a folder of OBJs)');
  addRigFlags(command)
    .option('--object <name>', 'pose one part of a rig that has several [default all]')
    .addOption(rateFlag());
  addFlags(command.optionsGroup('GLB output:'), SEQUENCE_GLB_OPTIONS).action(
    action(signal, async (run, file: string, self: Command) => {
      const { output: path, force, object, framesPerSecond } = self.opts<Flags>();
      const glb = givenGlbFlags(self, SEQUENCE_GLB_OPTIONS, outputKind('skin', path, SEQUENCE_KINDS));
      const asset = await openAsset('skin', file);
      const rig = givenRigFlags(self);
      const sequences = partsOf(asset.models, file, object).map((m) => poseClip('skin', m, file, rig, framesPerSecond));
      try {
        const { result, written } = await withOutput('skin', path, { kinds: SEQUENCE_KINDS, force }, (output) =>
          writeSequences('skin', output, sequences, glb, run),
        );
        const vertices = sequences.reduce((sum, { rest }) => sum + vertexCount(rest), 0);
        const heading = `${sequences[0].name}: ${plural(vertices, 'vertex', 'vertices')}, ${plural(sequences[0].frameCount, 'frame')}`;
        return writtenAnswer(heading, result, written);
      } finally {
        for (const sequence of sequences) await sequence.close?.();
        await closeAsset(asset);
      }
    }),
  );
  return withExamples(command, [
    ['pliant skin figure.glb --operator dqs -o figure-dqs.glb', 'the first clip by dual quaternions, as morph targets'],
    ['pliant skin figure.glb --clip walk -o frames/', 'the clip "walk" as a folder of OBJ files'],
  ]);
}
