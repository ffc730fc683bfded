import type { GltfAnimation, Track } from './tracks.ts';

/** Animations that play at once: `face+eyes+teeth` of one performance. */

const JOIN = '+';

/** One animation for each name like `a+b` that no animation has but whose parts do. The first that moves a thing counts. */
export function playedTogether(animations: readonly GltfAnimation[], names: readonly string[]): GltfAnimation[] {
  return [...new Set(names)].flatMap((name) => {
    if (animations.some((animation) => animation.name === name)) return [];
    const parts = name.split(JOIN).map((part) => animations.find((animation) => animation.name === part));
    const found = parts.filter((part) => part !== undefined);
    return found.length > 1 && found.length === parts.length ? [joined(name, found)] : [];
  });
}

function joined(name: string, parts: readonly GltfAnimation[]): GltfAnimation {
  const merged = (tracksOf: (animation: GltfAnimation) => Map<number, Track[]>): Map<number, Track[]> => {
    const out = new Map<number, Track[]>();
    for (const [node, tracks] of parts.flatMap((part) => [...tracksOf(part)])) {
      const before = out.get(node) ?? [];
      const own = tracks.filter(({ path }) => !before.some((track) => track.path === path));
      out.set(node, [...before, ...own]);
    }
    return out;
  };
  const poses = merged((part) => part.poses);
  const weights = merged((part) => part.weights);
  return { name, tracks: [...poses.values(), ...weights.values()].flat(), poses, weights };
}

/** Durations that differ by less, in seconds, are equal. */
const SAME_DURATION = 1e-3;

/** The animations, two or more, that are as long as each other and move different nodes: they may belong together. */
export function belongTogether(animations: readonly GltfAnimation[]): string | undefined {
  const moving = animations.filter(({ tracks }) => tracks.length > 0);
  const endOf = ({ tracks }: GltfAnimation): number =>
    tracks.reduce((end, { times }) => Math.max(end, times[times.length - 1] ?? 0), 0);
  const nodes = moving.flatMap(({ tracks }) => [...new Set(tracks.map(({ node }) => node))]);
  const ends = moving.map(endOf);
  const alike = ends.every((end) => Math.abs(end - ends[0]) < SAME_DURATION);
  const apart = new Set(nodes).size === nodes.length;
  return moving.length > 1 && alike && apart ? moving.map(({ name }) => name).join(JOIN) : undefined;
}
