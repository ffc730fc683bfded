import { type Material, type Mesh, triangleCount } from '../../../../src/index.ts';

const RED: Material = {
  name: 'cloth',
  baseColor: [0.42, 0.05, 0.06, 1],
  metallic: 0,
  roughness: 0.9,
  doubleSided: true,
};

/** A garment with its own materials, or in the colour of cloth, so that it stands out from the body. */
export function inClothColour(mesh: Mesh): Mesh {
  if (mesh.materials) return mesh;
  const groups = [{ name: 'cloth', start: 0, count: triangleCount(mesh), material: 0 }];
  return { ...mesh, materials: [RED], groups };
}
