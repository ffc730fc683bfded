import type { BodyMotion } from '../cloth/body-motion.ts';
import type { PIN_OPTIONS } from '../cloth/options.ts';
import { pinsNearBone, pinsOfColour, pinsOfFaces, pinsOfList } from '../cloth/pins.ts';
import { PliantError } from '../error.ts';
import { linearFromSrgb } from '../io/srgb.ts';
import type { Asset } from '../model/asset.ts';
import type { Mesh } from '../model/mesh.ts';
import type { OptionsOf } from '../model/options.ts';
import { findNamed } from './choose.ts';

const VERB = 'cloth';

/** Everything that was asked to be pinned. */
export function pinsOf(
  mesh: Mesh,
  rig: Pick<NonNullable<BodyMotion['rig']>, 'capsules' | 'names'> | undefined,
  { pinBone, pinDistance, pinGroup, pinColor, pinVertices }: OptionsOf<typeof PIN_OPTIONS>,
  { garment, body }: { garment: Asset; body: Asset },
): Uint32Array {
  const pins = new Set<number>();
  const add = (option: string, found: Uint32Array, why: string) => {
    if (found.length === 0)
      throw new PliantError('bad-option', VERB, `pins no vertex: ${why}`, { file: garment.name, option });
    for (const i of found) pins.add(i);
  };
  for (const name of pinBone?.split(',') ?? []) {
    if (!rig) throw new PliantError('bad-option', VERB, 'applies to rigs only', { file: body.name, option: 'pinBone' });
    const solid = new Set(rig.capsules.map(({ bone }) => bone));
    const bones = Array.from(solid, (bone) => ({ bone, name: rig.names[bone] }));
    const { bone } = findNamed(bones, { verb: VERB, asset: body, option: 'pinBone', name: name.trim() })!;
    const limb = rig.capsules.filter((capsule) => capsule.bone === bone);
    add('pinBone', pinsNearBone(mesh, limb, pinDistance), `none is within ${pinDistance} m of ${name.trim()}`);
  }
  for (const name of pinGroup?.split(',') ?? []) {
    const { groups = [], materials = [] } = mesh;
    const ofMaterials = groups.flatMap((group) => {
      return group.material === undefined ? [] : { ...group, name: materials[group.material].name };
    });
    const runs = [...groups, ...ofMaterials];
    findNamed(runs, { verb: VERB, asset: garment, option: 'pinGroup', name: name.trim() });
    const meant = runs.filter((group) => group.name === name.trim());
    add('pinGroup', pinsOfFaces(mesh, meant), `${name.trim()} has no faces`);
  }
  if (pinColor !== undefined) {
    const found = pinsOfColour(mesh, linearColour(pinColor));
    add(
      'pinColor',
      found ?? new Uint32Array(0),
      found ? `none is painted ${pinColor}` : 'the mesh has no vertex colours',
    );
  }
  if (pinVertices !== undefined) add('pinVertices', pinsOfList(VERB, pinVertices, mesh), 'none is listed');
  return Uint32Array.from(pins).sort();
}

/** `#ff0000` as light. */
function linearColour(text: string): number[] {
  const [, digits] = /^#?([0-9a-f]{6})$/i.exec(text) ?? [];
  if (digits !== undefined)
    return [0, 2, 4].map((c) => linearFromSrgb(Number.parseInt(digits.slice(c, c + 2), 16) / 255));
  throw new PliantError('bad-option', VERB, `(got ${text}, expected a colour like #ff0000)`, { option: 'pinColor' });
}
