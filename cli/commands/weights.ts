import type { Command } from 'commander';
import { PliantError } from '../../src/error.ts';
import { MODEL_GLB_OPTIONS } from '../../src/io/glb/options.ts';
import { BIND_OPTIONS, type BindOptions, INFLUENCE_OPTIONS } from '../../src/rig/bind/bind-options.ts';
import { MIRROR_OPTIONS } from '../../src/rig/bind/mirror.ts';
import { addFlags, givenFlags } from '../flags/flags.ts';
import { withCommonFlags, withExamples } from '../flags/help.ts';
import { closeAsset, expandPaths, openAsset } from '../input/open-input.ts';
import { runWeights, type WeightsJob, type WeightsOutcome } from '../jobs/weights-job.ts';
import {
  addOutputFlags,
  type Output,
  type OutputFlags,
  planOutput,
  requireOtherFiles,
  withOutput,
} from '../output/output.ts';
import { addSmallFlag, givenWithSmall, isSmall } from '../output/small.ts';
import type { Answer } from '../terminal/answer.ts';
import { action, type Run } from '../terminal/session.ts';
import { weightsAnswer } from '../text/weights-text.ts';

const OPERATION = 'weights';

/** How many influences are written is how many are kept. */
const { influences: _, ...WRITE_OPTIONS } = MODEL_GLB_OPTIONS;

interface Flags extends OutputFlags {
  skeleton?: string;
  align: boolean;
  exclude?: string;
  clips?: string[];
  map?: string;
  object?: string;
  symmetrize: boolean;
}

/** Flags that only some methods read; with others they would do nothing, and are refused. */
const READ_BY: Readonly<Record<string, readonly string[]>> = {
  heat: ['heat'],
  exponent: ['geodesic', 'inverse-distance'],
  cutoff: ['geodesic', 'inverse-distance'],
};

function requireReadFlags(given: Partial<BindOptions>): void {
  const method = given.method ?? BIND_OPTIONS.method.default;
  for (const [name, methods] of Object.entries(READ_BY)) {
    if (!(name in given) || methods.includes(method)) continue;
    const cause = `--${name} applies to --method ${methods.join(' and ')} (got ${method})`;
    throw new PliantError('bad-option', OPERATION, cause);
  }
}

async function computeWeights(run: Run, file: string, self: Command): Promise<Answer> {
  const flags = self.opts<Flags>();
  const { output, force, skeleton, clips = [], map, object, align, symmetrize } = flags;
  const bind = givenFlags(self, BIND_OPTIONS);
  requireReadFlags(bind);
  if (output === undefined && (isSmall(self) || Object.keys(givenFlags(self, WRITE_OPTIONS)).length > 0)) {
    throw new PliantError('bad-option', OPERATION, 'flags of GLB output need an output: name one with -o');
  }
  const job: Omit<WeightsJob, 'asset'> = {
    file,
    object,
    skeleton,
    align,
    exclude: flags.exclude ? flags.exclude.split(',').map((name) => name.trim()) : [],
    clips,
    map,
    bind,
    mirror: givenFlags(self, MIRROR_OPTIONS),
    symmetrize,
    influences: givenFlags(self, INFLUENCE_OPTIONS).influences ?? INFLUENCE_OPTIONS.influences.default,
    glb: givenWithSmall(self, WRITE_OPTIONS),
  };
  const compute = async (open?: Output<'glb'>): Promise<WeightsOutcome> => {
    const asset = await openAsset(OPERATION, file);
    try {
      return await runWeights({ ...job, asset }, open, run);
    } finally {
      await closeAsset(asset);
    }
  };
  if (output === undefined) return weightsAnswer(file, await compute(), []);

  const plan = await planOutput(OPERATION, output, ['glb']);
  await requireOtherFiles(OPERATION, plan, [...(await expandPaths(OPERATION, [file])), skeleton, map, ...clips]);
  const { result, written } = await withOutput(plan, force, (open) => {
    return compute(open);
  });
  return weightsAnswer(file, result, written);
}

export function weightsCommand(command: Command, signal: AbortSignal): void {
  const collect = (value: string, before: string[] = []): string[] => [...before, value];
  command
    .description(
      'Computes the weights of a mesh for the skeleton of a rig or of motion capture, and reports what fewer influences ' +
        'per vertex cost over the clips. A rig without --skeleton keeps its weights and is only trimmed, unless a method ' +
        'is named. Without -o nothing is written. Per cent are of the diagonal of the rest pose.',
    )
    .argument('<mesh>', 'a mesh (OBJ, PLY, OFF, GLB, glTF, COLLADA) or a rig');
  addOutputFlags(command, 'the GLB to write');
  command
    .option('--object <name>', 'take one object of a file that has several [default all]')
    .optionsGroup('Skeleton and clips:')
    .option('--skeleton <file>', 'BVH file, or a rig whose skeleton and clips are taken')
    .option('--align', "scale and move the skeleton so that it fits into the mesh's box", false)
    .option('--exclude <names>', 'bones that no vertex follows, separated by commas')
    .option('--clips <file>', 'BVH file or rig whose clips are added, by the names of joints; may be repeated', collect)
    .option('--map <file>', 'JSON file {"joint of the clip": "bone of the rig", …} for names that differ')
    .optionsGroup('Weights:');
  addFlags(command, { ...BIND_OPTIONS, ...INFLUENCE_OPTIONS });
  command.optionsGroup('Symmetry:').option('--symmetrize', 'make the weights of both sides alike', false);
  addFlags(command, MIRROR_OPTIONS);
  addSmallFlag(command.optionsGroup('GLB output:'));
  addFlags(command, WRITE_OPTIONS).action(
    action(signal, (run, file: string, self: Command) => computeWeights(run, file, self)),
  );
  withCommonFlags(command, 'output force object skeleton align exclude clips map method influences symmetrize small');
  withExamples(command, [
    ['pliant weights body.obj --skeleton rig.glb -o body.glb', 'binds a mesh to the skeleton of a rig, by heat'],
    ['pliant weights body.obj --skeleton walk.bvh --align -o walking.glb', 'to a captured skeleton, which then walks'],
    ['pliant weights rig.glb --influences 2', 'what two influences per vertex would cost over the clips'],
    [
      'pliant weights rig.glb --method geodesic --symmetrize -o better.glb',
      'new weights for a rig, the same left and right',
    ],
    ['pliant weights rig.glb --clips dance.bvh --map names.json -o dancing.glb', 'adds a clip to a rig'],
  ]);
}
