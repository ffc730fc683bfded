import type { Camera, Matrix4 } from 'three';

/** A mesh with levels. */
interface TeamMember {
  readonly matrixWorld: Matrix4;
  /** Whether it was taken out of its scene: then it has no say. */
  readonly isAway: boolean;
  /** The level for a camera and a picture of so many pixels, if the present one is `current`. */
  levelFor(camera: Camera, height: number, current: number): number;
  show(level: number): void;
}

/**
 * Meshes that change levels at once: parts of one character, which meet only where both have the same level. The finest level
 * that any of them needs is taken.
 */
export class LodTeam {
  level = 0;
  readonly #members: TeamMember[] = [];
  /** 35: what the level was chosen for: the camera's matrix, the sum of the members', the picture's height, the lens, how many. */
  readonly #seen = new Float64Array(35).fill(Number.NaN);
  readonly #now = new Float64Array(35);
  /** The team of clones that is not complete yet. */
  #clones?: { team: LodTeam; of: Set<TeamMember> };

  join(member: TeamMember): void {
    this.#members.push(member);
    member.show(this.level);
  }

  /** Without this a mesh that is gone would keep the others at the level it needed last. */
  leave(member: TeamMember): void {
    const at = this.#members.indexOf(member);
    if (at >= 0) this.#members.splice(at, 1);
    this.#clones?.of.delete(member);
    this.#seen.fill(Number.NaN);
  }

  /** Chooses the level for a camera and shows it; `asking` is the member that is about to be drawn. Cheap for those after it. */
  update(camera: Camera, height: number, asking: TeamMember): void {
    if (this.#members.length > 1 && !this.#look(camera, height)) return;
    let level = Infinity;
    for (const member of this.#members) {
      if (member.isAway && member !== asking) continue;
      level = Math.min(level, member.levelFor(camera, height, this.level));
    }
    this.show(level);
  }

  show(level: number): void {
    this.level = level;
    for (const member of this.#members) member.show(level);
  }

  /** The team that a clone of a member is in: with clones of the others, made before or after. */
  teamOfClone(member: TeamMember): LodTeam {
    if (!this.#clones || this.#clones.of.has(member)) this.#clones = { team: new LodTeam(), of: new Set() };
    this.#clones.of.add(member);
    return this.#clones.team;
  }

  /** Whether anything has moved since the last time; remembers it. */
  #look({ matrixWorldInverse: view, projectionMatrix: lens }: Camera, height: number): boolean {
    const now = this.#now.fill(0);
    now[32] = height;
    now[33] = lens.elements[5];
    for (let c = 0; c < 16; c++) now[c] = view.elements[c];
    for (const { matrixWorld, isAway } of this.#members) {
      now[34] += isAway ? 0 : 1;
      for (let c = 0; c < 16; c++) now[16 + c] += matrixWorld.elements[c];
    }
    const changed = now.some((value, c) => value !== this.#seen[c]);
    this.#seen.set(now);
    return changed;
  }
}
