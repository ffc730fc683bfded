import { type BoneCapsule, fitCapsules } from '../../../src/cloth/capsules.ts';
import { capeGarment, skirtGarment } from '../../../src/cloth/garments.ts';
import type { Garment, TrainedCloth } from '../../../src/doors/cloth.ts';
import { boundsOf } from '../../../src/doors/mesh.ts';
import { type Mesh, PliantError, type SkinnedModel } from '../../../src/index.ts';
import { meshInGltfSpace, modelInGltfSpace } from '../../../src/io/glb/space.ts';
import { transformMesh } from '../../../src/mesh/transform-mesh.ts';
import { resolveOptions } from '../../../src/model/options.ts';
import { pinsOf } from '../../../src/verbs/cloth-pins.ts';
import { assetOf } from '../../../src/verbs/verb.ts';
import { inClothColour } from '../core/cloth/cloth-colour.ts';
import { DRESS_OPTIONS, type Dress, type DressOptions } from '../core/cloth/dress.ts';

/** A body and its garment, in metres and y up. */
export interface Dressed {
  body: SkinnedModel;
  capsules: BoneCapsule[];
  garment: Garment;
  /** If folds were learned for it. */
  trained?: TrainedCloth;
}

/** Where the sample figure stands, whom capes and skirts are modelled on. m. */
export const FIGURE: Stand = { height: 1.765, foot: 0, x: 0, z: -0.0065 };

/** Where a body stands. */
export interface Stand {
  height: number;
  /** Lowest height. */
  foot: number;
  /** Its middle, at the chest. */
  x: number;
  z: number;
}

/** Of its height: the chest. */
const CHEST: readonly [number, number] = [0.6, 0.8];
/** Bodies that differ less from the figure are the figure. */
const LIKE = 0.02;

/** What a rig wears. */
export function dressed(dress: Dress, model: SkinnedModel): Dressed {
  const options = resolveOptions(DRESS_OPTIONS, dress.options, 'cloth');
  const body = modelInGltfSpace(model);
  const capsules = fitCapsules(body);
  const trained = options.garment === 'own' ? dress.own?.trained : undefined;
  if (trained) {
    const mesh = inClothColour({ ...trained.fine, name: dress.own!.name });
    return { body, capsules, garment: { mesh, pinned: trained.pinned.fine }, trained };
  }
  const { mesh, pinned } = chosenGarment(dress, options, body.mesh);
  const asked = options.pinBone !== undefined || options.pinColor !== undefined;
  const rig = { capsules, names: body.skeleton.names };
  const assets = { garment: { ...assetOf(mesh), name: mesh.name ?? 'garment' }, body: assetOf(body) };
  const pins = asked ? pinsOf(mesh, rig, { ...options, pinVertices: undefined }, assets) : pinned;
  return { body, capsules, garment: { mesh: inClothColour(mesh), pinned: pins } };
}

function chosenGarment({ own }: Dress, { garment, vertices, size }: DressOptions, body: Mesh): Garment {
  if (garment === 'own') {
    if (!own) throw new PliantError('bad-input', 'cloth', 'no garment was chosen (expected a mesh)');
    return { mesh: { ...meshInGltfSpace(own.mesh), name: own.name }, pinned: new Uint32Array() };
  }
  const made = { cape: capeGarment, skirt: skirtGarment }[garment](vertices);
  return { ...made, mesh: transformMesh(made.mesh, fitting(standOf(body.positions), size)) };
}

/** 12: from the sample figure to another body; about its chest for another size. */
function fitting(stand: Stand, size: number): Float64Array {
  const same = Math.abs(stand.height / FIGURE.height - 1) < LIKE && Math.hypot(stand.x, stand.z) < LIKE;
  const { height, foot, x, z } = same ? FIGURE : stand;
  const scale = (height / FIGURE.height) * size;
  const chest = (CHEST[0] + CHEST[1]) / 2;
  const up = foot + chest * height - scale * (FIGURE.foot + chest * FIGURE.height);
  return Float64Array.of(scale, 0, 0, x - scale * FIGURE.x, 0, scale, 0, up, 0, 0, scale, z - scale * FIGURE.z);
}

export function standOf(positions: Float32Array): Stand {
  const { min, max } = boundsOf(positions);
  const height = max[1] - min[1];
  const chest: number[] = [];
  for (let o = 0; o < positions.length; o += 3) {
    const share = (positions[o + 1] - min[1]) / height;
    if (share > CHEST[0] && share < CHEST[1]) chest.push(...positions.subarray(o, o + 3));
  }
  const around = boundsOf(chest);
  return { height, foot: min[1], x: (min[0] + max[0]) / 2, z: (around.min[2] + around.max[2]) / 2 };
}
