/** What Pliant says in glTF files beyond glTF itself, by the names of its extensions. */

/** Of a blend bone's node: what it follows. */
export const BLEND_BONE_EXTENSION = 'PLIANT_blend_bone';

/** Of the file: the accessor that holds a predictor. */
export const PREDICTOR_EXTENSION = 'PLIANT_predictor';

/** Of the file: the accessor that holds trained cloth. */
export const CLOTH_EXTENSION = 'PLIANT_cloth';

/** Of a node: its mesh as triangular geometry images. */
export const IMAGES_EXTENSION = 'PLIANT_geometry_images';

/** Of a primitive: how light falls on it. */
export const LIGHT_EXTENSION = 'PLIANT_light';

/** Of a node, by Microsoft: the nodes that stand in for it from afar, finest first. */
export const LOD_EXTENSION = 'MSFT_lod';
