import { fitTask } from './decompose/engine/kernel-pass.ts';
import type { TaskTable } from './kernels/parallel.ts';
import { skinTask } from './skin/skin-task.ts';

/** Every task that worker pools know, by name: the workers of all platforms and their callers share it. Tiles: tile-tasks.ts. */
export const TASKS: TaskTable = {
  fit: fitTask,
  skin: skinTask,
};
