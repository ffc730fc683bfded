import { PliantError } from '../../error.ts';

/** Matches bones of two skeletons, or of the two sides of one, by name. */

/** `mixamorig:LeftArm` → `leftarm`: without the name space that some exporters put first, letters and digits only. */
const plainName = (name: string): string =>
  name
    .replace(/^.*[:|]/, '')
    .replace(/[^\p{L}\p{N}]/gu, '')
    .toLowerCase();

/**
 * For each of `targets` the index of the source of its name, or −1: equal names first, then names that are equal except for
 * case, punctuation and name space. `map` says source → target for names that differ, and wins. A source serves one target.
 * Throws `not-found` for names in the map that neither side has.
 */
export function matchBones(
  sources: readonly string[],
  targets: readonly string[],
  map: Readonly<Record<string, string>> = {},
  operation = 'matchBones',
): Int32Array {
  const out = new Int32Array(targets.length).fill(-1);
  const taken = new Set<number>();
  const pair = (target: number, source: number): void => {
    if (target < 0 || source < 0 || out[target] >= 0 || taken.has(source)) return;
    out[target] = source;
    taken.add(source);
  };
  for (const [source, target] of Object.entries(map)) {
    const missing = !sources.includes(source) ? `joint "${source}" of the clip` : `bone "${target}" of the rig`;
    if (!sources.includes(source) || !targets.includes(target)) {
      const known = sources.includes(source) ? targets : sources;
      throw new PliantError('not-found', operation, `the map names ${missing} (expected one of ${known.join(', ')})`);
    }
    pair(targets.indexOf(target), sources.indexOf(source));
  }
  targets.forEach((name, t) => {
    pair(t, sources.indexOf(name));
  });
  const plain = sources.map(plainName);
  targets.forEach((name, t) => {
    pair(t, plain.indexOf(plainName(name)));
  });
  return out;
}

const SIDES: Readonly<Record<string, string>> = {
  left: 'right',
  Left: 'Right',
  LEFT: 'RIGHT',
  l: 'r',
  L: 'R',
};
const OTHER_SIDE = new Map(Object.entries(SIDES).flatMap(([a, b]) => [[a, b] as const, [b, a] as const]));

/** Where names say a side: the word itself; a letter between punctuation; a first letter before a capital. */
const SIDE_PATTERNS = [
  /left|right|Left|Right|LEFT|RIGHT/g,
  /(?<=^|[^\p{L}\p{N}])[lrLR](?=$|[^\p{L}\p{N}])/gu,
  /(?<=^|[:|])[lrLR](?=\p{Lu})/gu,
];

/** The names that the bone on the other side may have: `thigh.L` → `thigh.R`. Empty for bones of no side. */
export function otherSideNames(name: string): string[] {
  return SIDE_PATTERNS.map((pattern) => name.replace(pattern, (side) => OTHER_SIDE.get(side) ?? side)).filter(
    (other) => other !== name,
  );
}
