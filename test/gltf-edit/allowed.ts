import type { EDITING_VERBS } from '../../bench/engines/verbs.ts';

/** What a verb may change in the file that it was given, in the words of `compareGltf`. */

/** Weights and joints of a vertex, in as many sets as it takes. */
const WEIGHTS = ['JOINTS', 'WEIGHTS'].flatMap((name) => [
  `changed meshes/*/primitives/*/attributes/${name}_*`,
  `added meshes/*/primitives/*/attributes/${name}_*`,
  `removed meshes/*/primitives/*/attributes/${name}_1`,
]);

const OUR_EXTRAS = ['added **/extras/pliant', 'changed **/extras/pliant/**'];

export const ALLOWED: Record<keyof typeof EDITING_VERBS, readonly string[]> = {
  convert: [],
  weights: [...WEIGHTS, ...OUR_EXTRAS],
  lod: [
    // Levels, which are in no scene.
    'added nodes/*',
    'added meshes/*',
    'added nodes/*/extensions',
    'added nodes/*/extensions/MSFT_lod',
    'added nodes/*/extras',
    'added nodes/*/extras/MSFT_screencoverage',
    'added nodes/*/extras/MSFT_screencoverage/*',
    'added extensionsUsed/*',
    // A node that clips move, or that others hang from, hands its mesh to a child.
    'removed nodes/*/mesh',
    'removed nodes/*/skin',
    'removed nodes/*/weights',
    'added nodes/*/children',
    'added nodes/*/children/*',
    // Morphs of levels are dialled like those of the mesh.
    'added animations/*/channels/*',
    'changed animations/*/channels/*/target/node',
  ],
  mix: ['added meshes/*/primitives/*/attributes/_MIX', ...OUR_EXTRAS],
  linearize: [
    ...WEIGHTS,
    ...OUR_EXTRAS,
    // Blend bones, below the joints that they follow, with tracks of their own.
    'added nodes/*',
    'added nodes/*/children',
    'added nodes/*/children/*',
    'added skins/*/joints/*',
    'extended skins/*/inverseBindMatrices',
    // Those of joints that stretch are beside the root joint, which can no longer be the common root.
    'changed skins/*/skeleton',
    'added animations/*/channels/*',
    'added animations/*/samplers/*',
    'added extensionsUsed/*',
  ],
};
