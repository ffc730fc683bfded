const BLENDER = (importer: string): string =>
  `In Blender, choose File › Import › ${importer}, then File › Export › glTF 2.0 (.glb) or Alembic (.abc).`;

const USD = BLENDER('Universal Scene Description');

/** How to convert files that are not read, by extension. */
const HINTS: Readonly<Record<string, string>> = {
  fbx: BLENDER('FBX'),
  usd: USD,
  usda: USD,
  usdc: USD,
  usdz: USD,
  stl: `${BLENDER('STL')} Or save it as PLY or OBJ.`,
  x3d: BLENDER('X3D'),
  wrl: BLENDER('X3D'),
  '3ds': 'Open it in Autodesk 3ds Max or Assimp and export glTF or COLLADA (.dae).',
  blend: 'In Blender, choose File › Export › glTF 2.0 (.glb), or Alembic (.abc) for simulations.',
  ma: 'In Maya, export Alembic (Cache › Alembic Cache) for deformations, or glTF for rigs.',
  mb: 'In Maya, export Alembic (Cache › Alembic Cache) for deformations, or glTF for rigs.',
  max: 'In 3ds Max, export glTF for rigs, or Alembic for deformations.',
  c4d: 'In Cinema 4D, export glTF for rigs, or Alembic for deformations.',
  bgeo: 'In Houdini, write Alembic (.abc) with the Alembic ROP.',
  zip: 'Unpack it first, then drop the folder.',
  rar: 'Unpack it first, then drop the folder.',
  '7z': 'Unpack it first, then drop the folder.',
  bin: 'Drop it together with its .gltf file, or drop the whole folder.',
  mtl: 'Drop it together with its .obj file, or drop the whole folder.',
};

/** What to do with a file that is not read; undefined if there is no known way. */
export const convertHint = (name: string): string | undefined => HINTS[name.split('.').at(-1)!.toLowerCase()];
