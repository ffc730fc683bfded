import { basename } from 'node:path';
import { commandLine } from './command-line.ts';
import { filesText } from './report-text.ts';

/** Where a report page comes from. It has no date: the same input gives the same words. */
export interface PageOrigin {
  /** `out.glb from frames/` */
  title: string;
  command: string;
}

/** Of a page that goes with `output`, made of `files`, by the command line that runs. */
export const pageOrigin = (output: string, files: readonly string[]): PageOrigin => ({
  title: `${basename(output)} from ${filesText(files)}`,
  command: commandLine(files),
});
