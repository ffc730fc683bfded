import type { Command } from 'commander';
import type { OptionSpecs, OptionsOf } from '../../src/index.ts';
import { SMALL_MODEL_GLB } from '../../src/io/glb/options.ts';
import { givenFlags } from '../flags/flags.ts';

/** `--small`, which stands for several flags of GLB output; those given beside it have the last word. */
export const addSmallFlag = (command: Command, how = 'compressed, reordered, quantized, no names'): Command =>
  command.option('--small', `smallest: ${how}`, false);

export const isSmall = (command: Command): boolean => command.opts<{ small?: boolean }>().small === true;

/** The options of a GLB that were given, after those of `--small` that its writer is asked for at all. */
export function givenWithSmall<T extends OptionSpecs>(command: Command, specs: T): Partial<OptionsOf<T>> {
  const small = Object.entries(SMALL_MODEL_GLB).filter(([name]) => isSmall(command) && name in specs);
  return { ...(Object.fromEntries(small) as Partial<OptionsOf<T>>), ...givenFlags(command, specs) };
}
