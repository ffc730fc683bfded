import { PliantError } from '../../error.ts';
import { surfaceArea } from '../../measure/area.ts';
import { type Note, note } from '../../model/note.ts';
import type { SkinnedModel } from '../../model/skinned-model.ts';
import type { MixOptions } from './mix-options.ts';
import type { PosePair } from './pose-pairs.ts';
import { type TotalMeasure, totalArea, totalVolume } from './total-measure.ts';

/** Holes whose lids have more than this share of the surface's area are openings: there is no volume to keep. */
const MOST_CAPS = 0.1;
/** A surface with less than this share of the volume of a sphere of its area bounds nothing to speak of. */
const LEAST_COMPACT = 0.003;

/** What a mix is to keep as a whole: the volume of surfaces that bound one, the area of meshes that stay flat. */
export function chooseTotal(
  { name, mesh }: SkinnedModel,
  pairs: readonly PosePair[],
  keep: MixOptions['keep'],
  notes: Note[],
): TotalMeasure | undefined {
  if (keep === 'none') return undefined;
  const flat = pairs.every(({ normals }) => normals.length === 3);
  if (keep === 'area' && !flat) {
    const cause = 'area needs a mesh that is flat in every pose';
    throw new PliantError('bad-input', 'mix', cause, { option: 'keep' });
  }
  if (flat && keep !== 'volume') return totalArea(mesh);
  const volume = totalVolume(mesh);
  const rest = Math.abs(volume.measure(Float64Array.from(mesh.positions), pairs[0].normals));
  const area = surfaceArea(mesh.positions, mesh.triangles);
  const compact = rest / (area ** 1.5 / (6 * Math.sqrt(Math.PI)));
  const open = volume.capShare > MOST_CAPS || !(compact > LEAST_COMPACT);
  if (open && keep === 'volume') {
    const cause = `volume needs a closed surface (got ${name}, which is open; small holes are fine)`;
    throw new PliantError('bad-input', 'mix', cause, { option: 'keep' });
  }
  if (open) {
    notes.push(note('areas-only', {}, name));
    return undefined;
  }
  const holes = volume.caps.length;
  if (holes > 0) notes.push(note('holes-closed', { holes }, name));
  return volume;
}
