import type { Command } from 'commander';
import { LIGHT_BAKE_OPTIONS } from '../../src/verbs/light-bake.ts';
import { LIGHT_MEASURE_OPTIONS } from '../../src/verbs/light-measure.ts';
import { LIGHT_FILM_OPTIONS, LIGHT_RENDER_OPTIONS } from '../../src/verbs/light-render.ts';
import { addQueueFlags, QUEUE_FLAGS } from '../batch/queue-flags.ts';
import { addFlags, collect, only } from '../flags/flags.ts';
import { withCommonFlags, withExamples } from '../flags/help.ts';
import { addOutputFlags, addReportFlags } from '../flags/shared-flags.ts';
import { requireFlagsOf, type Task, withTasks } from '../flags/tasks.ts';
import type { Answer } from '../terminal/answer.ts';
import { action, type Run } from '../terminal/session.ts';
import { BAKE_GLB_OPTIONS, bakeFile } from './light/bake.ts';
import { THREAD_OPTIONS } from './light/flags.ts';
import { measureFile } from './light/measure.ts';
import { renderFile } from './light/render.ts';

const COMMON = ['output', 'force', 'environment', 'threads', ...QUEUE_FLAGS];

/** The tasks of the verb. */
const TASKS = {
  bake: {
    does:
      'traces poses of all clips, and of limbs mixed from them, and stores what light by spheres misses in the given ' +
      'file: some 220 bytes per vertex, which other players ignore.',
    flags: [...COMMON, 'clips', 'report', ...Object.keys(LIGHT_BAKE_OPTIONS), ...Object.keys(BAKE_GLB_OPTIONS)],
    work: bakeFile,
  },
  measure: {
    does: 'compares light by spheres, and that of a bake, with traced light, also in clips that were not baked.',
    flags: [...COMMON, 'clips', ...Object.keys(LIGHT_MEASURE_OPTIONS)],
    work: measureFile,
  },
  render: {
    does: 'draws a pose, or a clip as a film.',
    flags: [...COMMON, ...Object.keys({ ...LIGHT_RENDER_OPTIONS, ...LIGHT_FILM_OPTIONS })],
    work: renderFile,
  },
} as const satisfies Record<string, Task & { work: typeof renderFile }>;

async function doTask(run: Run, name: keyof typeof TASKS, file: string, self: Command): Promise<Answer> {
  requireFlagsOf(self, name);
  return TASKS[name].work(run, file, self);
}

const { object: _, rays, ...BAKE } = LIGHT_BAKE_OPTIONS;
const names = (text: string): string[] => text.split(',').map((name) => name.trim());

export function define(command: Command, signal: AbortSignal): void {
  withTasks(command, TASKS, {
    about:
      'Soft shadows and reflected light on a rig in any pose, under light from all around. Spheres within the rig give ' +
      'most of it, with no bake at all.',
    each: 'bake: add light to a rig; measure: its errors; render: a picture or a film',
  }).argument('<rig>', 'a rig, with clips or without');
  addOutputFlags(
    command,
    'bake: GLB to write; measure: a page, out.html; render: out.png, or a film as out.apng (animated PNG) or frames/ (PNG files)',
  );
  addReportFlags(command);
  addFlags(command, {
    object: { ...LIGHT_BAKE_OPTIONS.object, description: 'the rig [default all rigs of the file]' },
  });
  command
    .option('--clips <names>', 'clips to bake or measure, comma-separated [default all]', names)
    .option(
      '--environment <file>',
      'light to measure, draw or report with: HDR or EXR [default a made one]; measure: may be repeated',
      collect,
    );
  addFlags(command, {
    rays: {
      ...rays,
      description:
        'bake, render: rays per vertex and pose [default 512]; measure: rays per vertex and pose [default 1024]',
    },
    ...THREAD_OPTIONS,
  });
  addQueueFlags(command);
  addFlags(command.optionsGroup('Bake:'), { ...BAKE, ...BAKE_GLB_OPTIONS });
  addFlags(command.optionsGroup('Measure:'), only(LIGHT_MEASURE_OPTIONS, ['frames']));
  addFlags(command.optionsGroup('Render:'), {
    ...only(LIGHT_RENDER_OPTIONS, ['clip', 'time', 'show', 'width', 'height']),
    ...only(LIGHT_FILM_OPTIONS, ['start', 'end', 'fps']),
  });
  command.action(action(signal, doTask));
  withCommonFlags(
    command,
    'output force no-report clips environment rays poses gloss queue store frames clip time show',
  );
  withExamples(command, [
    ['pliant light bake hero.glb -o hero.light.glb', 'traces 48 poses; also writes hero.light.report.html'],
    ['pliant light bake hero.glb --clips walk,dance --poses 96 -o hero.light.glb', 'of two clips, with more poses'],
    ['pliant light bake hero.glb -o lit.glb --queue redis://localhost --store /mnt/q', 'by all `pliant worker`s'],
    ['pliant light measure hero.light.glb', 'errors in all clips, also in those that were not baked'],
    ['pliant light measure hero.light.glb --environment sky.hdr -o light.html', 'under your own light, as a page'],
    ['pliant light render hero.light.glb --environment sky.hdr -o hero.png', 'a picture of a pose'],
    ['pliant light render hero.glb --show traced -o truth.png', 'traced instead'],
    ['pliant light render hero.light.glb --clip walk -o walk.apng', 'a clip as a film; -o walk/ for numbered pictures'],
  ]);
}
