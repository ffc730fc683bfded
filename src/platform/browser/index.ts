/**
 * Files and threads of browsers.
 *
 * @module pliant/browser
 */

export { blobFiles } from './files.ts';
export { browserPool } from './pool.ts';
