import type { Mesh, SkinnedModel } from '../../../../src/index.ts';

/** Models from a worker with the materials of the meshes that they were made of: their pictures are decoded already. */
export const withMaterialsOf = (models: readonly SkinnedModel[], meshes: readonly Mesh[]): SkinnedModel[] =>
  models.map((model, p) => {
    const materials = meshes[p]?.materials;
    if (!materials || materials.length !== model.mesh.materials?.length) return model;
    return { ...model, mesh: { ...model.mesh, materials } };
  });
