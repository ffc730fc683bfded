/**
 * Files and threads of Node.
 *
 * @module pliant/node
 */

export { fileError, nodeFiles } from './files.ts';
export { expandGlob } from './glob.ts';
export { nodePool } from './pool.ts';
export {
  createFileSink,
  createFolderSink,
  type FolderSinkOptions,
  removePartialFiles,
  type SinkOptions,
} from './sinks.ts';
export { nodeTiles } from './tiles.ts';
