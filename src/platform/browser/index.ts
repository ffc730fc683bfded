export { blobFiles } from './files.ts';
