export const CLOTH_SCENE_NAMES = ['flag', 'tablecloth', 'balloon', 'collapse'] as const;
export type ClothSceneName = (typeof CLOTH_SCENE_NAMES)[number];

/** Poses that Antonopoulos 2010 uses of each. */
export const SCENE_FRAMES: Readonly<Record<ClothSceneName, number>> = {
  flag: 70,
  tablecloth: 70,
  balloon: 60,
  collapse: 35,
};
