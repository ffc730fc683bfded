// Everything the WebAssembly module exports. Raw pointers into one imported memory; src/kernels/load.ts has the types.
export { blendFloats, blendRows } from './blend-rows';
export { gramOfRows, multiply } from './dense';
export { dqs } from './dqs';
export { symmetricEigen } from './eigen';
export { fitAssign, fitSums, fitWeights } from './fit';
export { lbs } from './lbs';
export { mix } from './mix';
export { sdqs } from './sdqs';
