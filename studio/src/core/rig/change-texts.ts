import { plural } from '../../../../src/report/format.ts';
import type { PartChanges } from '../../worker/rig-file.ts';

/** What was changed in an opened file, one line for each kind of change. */
export function changeTexts(changes: readonly PartChanges[]): string[] {
  const namesOf = (has: (part: PartChanges) => boolean) => [...new Set(changes.filter(has).map(({ name }) => name))];
  const line = (what: string, names: readonly string[], done: string) =>
    names.length > 0 ? [`${what} of ${names.join(', ')}: ${done}.`] : [];
  /** The node above them → joints that were added. */
  const roots = new Map<string | undefined, number>();
  for (const { joints, root } of changes) if (joints > 0) roots.set(root, (roots.get(root) ?? 0) + joints);
  const told = [
    ...line(
      'Weights',
      namesOf(({ weights }) => weights),
      'changed',
    ),
    ...line(
      'Mix weights',
      namesOf(({ mixWeights }) => mixWeights),
      'added',
    ),
    ...Array.from(roots, ([root, joints]) => `${plural(joints, 'joint')} added${root ? ` below ${root}` : ''}.`),
    ...(roots.size > 0 ? ['Clips: tracks of the new joints added.'] : []),
  ];
  if (told.length === 0) return ['No changes.'];
  return [...told, 'Materials, textures, other nodes and clips: unchanged.'];
}
