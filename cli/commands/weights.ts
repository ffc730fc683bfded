import type { Command } from 'commander';
import { PliantError } from '../../src/error.ts';
import type { Asset, ByteSink } from '../../src/index.ts';
import { MODEL_GLB_OPTIONS } from '../../src/io/glb/options.ts';
import { SPACE_OPTIONS } from '../../src/io/up-axis.ts';
import { BIND_OPTIONS, INFLUENCE_OPTIONS } from '../../src/rig/bind/bind-options.ts';
import { MIRROR_OPTIONS } from '../../src/rig/bind/mirror.ts';
import { weights } from '../../src/verbs/weights.ts';
import { WEIGHTS_OPTIONS } from '../../src/verbs/weights-parts.ts';
import { addFlags, collect, givenFlags } from '../flags/flags.ts';
import { withCommonFlags, withExamples } from '../flags/help.ts';
import { addOutputFlags, addSmallFlag, givenWithSmall, isSmall, type OutputFlags } from '../flags/shared-flags.ts';
import type { Inputs } from '../input/inputs.ts';
import { readNameMap } from '../input/read-json.ts';
import { planOutput } from '../output/output.ts';
import { answerOf, answerWith } from '../terminal/answer.ts';
import { action, type Run } from '../terminal/session.ts';
import type { Page } from '../text/table.ts';
import { weightsText } from '../text/weights-text.ts';

/** As many influences are written as are kept. */
const { influences: _, ...WRITE_OPTIONS } = MODEL_GLB_OPTIONS;
const { object, align, symmetrize } = WEIGHTS_OPTIONS;

interface Flags extends OutputFlags {
  skeleton?: string;
  exclude?: string;
  clips?: string[];
  map?: string;
}

async function weighFile(run: Run, file: string, self: Command) {
  const { output: path, force, skeleton, clips: clipFiles = [], map, exclude } = self.opts<Flags>();
  const glb = givenWithSmall(self, WRITE_OPTIONS);
  const compute = async (inputs: Inputs, sink?: ByteSink) => {
    const asset = await inputs.open(file, givenFlags(self, SPACE_OPTIONS));
    const clips: Asset[] = [];
    for (const clipFile of clipFiles) clips.push(await inputs.open(clipFile));
    const outcome = await weights(asset, {
      ...givenFlags(self, WEIGHTS_OPTIONS),
      ...run,
      skeleton: await inputs.openIf(skeleton),
      clips,
      map: await readNameMap('weights', map),
      exclude: exclude?.split(',').map((name) => name.trim()),
      ...(sink && { glb, sink }),
    });
    return { ...outcome, text: (page: Page) => weightsText(outcome, page) };
  };
  if (path === undefined) {
    if (!isSmall(self) && Object.keys(glb).length === 0) return answerOf('weights', (inputs) => compute(inputs));
    throw new PliantError('bad-option', 'weights', 'GLB flags need an output (use -o)');
  }
  const plan = await planOutput('weights', path, ['glb']);
  const task = { verb: 'weights', reads: [file, skeleton, map, ...clipFiles], plan, force } as const;
  return answerWith(task, (inputs, output) => compute(inputs, output.sink));
}

export function define(command: Command, signal: AbortSignal): void {
  command
    .description(
      'Binds a mesh to the skeleton of a rig or BVH file, and reports the error of fewer influences per vertex over the ' +
        'clips. A rig keeps its weights and is only trimmed, unless --skeleton, --exclude, --method or an option of a ' +
        'method is given. Without -o, nothing is written. Percentages are of the diagonal of the rest pose.',
    )
    .argument('<mesh>', 'a mesh (OBJ, PLY, OFF, GLB, glTF, COLLADA) or a rig');
  addFlags(addOutputFlags(command, 'GLB to write'), { object, ...SPACE_OPTIONS });
  command
    .optionsGroup('Skeleton and clips:')
    .option('--skeleton <file>', 'BVH file, or a rig whose skeleton and clips are used');
  addFlags(command, { align })
    .option('--exclude <names>', 'bones to leave without influence, comma-separated')
    .option('--clips <file>', 'add the clips of a BVH file or rig, matched by joint name; may be repeated', collect)
    .option('--map <file>', 'JSON file {"joint of the clip": "bone of the rig", …} for names that differ');
  addFlags(command.optionsGroup('Weights:'), { ...BIND_OPTIONS, ...INFLUENCE_OPTIONS });
  addFlags(command.optionsGroup('Symmetry:'), { symmetrize, ...MIRROR_OPTIONS });
  addFlags(addSmallFlag(command.optionsGroup('GLB output:')), WRITE_OPTIONS).action(action(signal, weighFile));
  withCommonFlags(command, 'output force object skeleton align exclude clips map method influences symmetrize small');
  withExamples(command, [
    ['pliant weights body.obj --skeleton rig.glb -o body.glb', 'binds a mesh to the skeleton of a rig'],
    ['pliant weights body.obj --skeleton walk.bvh --align -o walking.glb', 'binds it to a motion-capture skeleton'],
    ['pliant weights rig.glb --influences 2', 'reports the error of two influences per vertex'],
    ['pliant weights rig.glb --method geodesic --symmetrize -o better.glb', 'new symmetric weights for a rig'],
    ['pliant weights rig.glb --clips dance.bvh --map names.json -o dancing.glb', 'adds a clip to a rig'],
  ]);
}
