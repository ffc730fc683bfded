import type { Command } from 'commander';
import { INFO_OPTIONS, info } from '../../src/verbs/info.ts';
import { addFlags, givenFlags } from '../flags/flags.ts';
import { withExamples } from '../flags/help.ts';
import { addReadFlags, givenReadFlags } from '../flags/shared-flags.ts';
import { answerOf } from '../terminal/answer.ts';
import { action, type Run } from '../terminal/session.ts';
import { infoText } from '../text/info-text.ts';
import { filesText } from '../text/report-text.ts';

const showFiles = (run: Run, files: string[], self: Command) =>
  answerOf('info', async (inputs) => {
    const assets = inputs.eachGroup(files, givenReadFlags(self), self.opts<{ each: boolean }>().each);
    const { report } = await info(assets, { ...givenFlags(self, INFO_OPTIONS), ...run });
    return {
      report,
      notes: [],
      text: (page) =>
        report.detail.assets.flatMap((asset, a) => infoText(asset, filesText(inputs.list[a].files), page)),
    };
  });

export function define(command: Command, signal: AbortSignal): void {
  command
    .description(
      'Shows the contents of files: meshes, sequences, rigs and motions, their sizes, and problems found. Reads Alembic, ' +
        'OBJ, PLY, OFF, glTF, COLLADA, BVH, PC2 and MDD.',
    )
    .argument('<files...>', 'files, a folder, or quoted patterns; several meshes form a sequence')
    .option('--each', 'show each file of a sequence or folder by itself', false);
  addReadFlags(addFlags(command, INFO_OPTIONS).optionsGroup('Reading:')).action(action(signal, showFiles));
  withExamples(command, [
    ['pliant info character.glb', 'meshes, bones and clips of a rig'],
    ["pliant info 'frames/*.obj'", 'a sequence of OBJ files, in natural order'],
    ['pliant info rest.obj --cache frames.pc2', 'a mesh and its cache'],
    ['pliant info --each *.obj', 'separate meshes'],
    ['pliant info --json horse.glb', 'the same as JSON'],
  ]);
}
