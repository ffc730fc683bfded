// Everything the WebAssembly module exports. Raw pointers into one imported memory; src/kernels/load.ts has the types.
export { blendFloats, blendRows } from './blend-rows';
export { gramOfRows, multiply } from './dense';
export { clothAir, clothBending, clothIntegrate, clothStrain, clothViscosity } from './cloth';
export {
  detailCarry, detailEdges, detailFollow, detailFromWorld, detailHinges, detailLaunch, detailSettle, detailTarget,
  detailToWorld,
} from './detail';
export { dqs } from './dqs';
export { symmetricEigen } from './eigen';
export { fitSums } from './fit-sums';
export { fitAssign, fitWeights } from './fit-weights';
export { lbs } from './lbs';
export { lightBlock } from './light-base';
export { lightModes } from './light-modes';
export { mix } from './mix';
export { rayAny, rayClosest } from './rays';
export { sdqs } from './sdqs';
export { upsampleCoefficients, upsampleDetail } from './upsample';
