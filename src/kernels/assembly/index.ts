// Everything the WebAssembly module exports. Raw pointers into one imported memory; src/kernels/load.ts has the types.
export { dqs } from './dqs';
export { fitAssign, fitSums, fitWeights } from './fit';
export { lbs } from './lbs';
export { mix } from './mix';
export { sdqs } from './sdqs';
