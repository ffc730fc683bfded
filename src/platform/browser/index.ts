export { blobFiles } from './files.ts';
export { browserPool } from './pool.ts';
