import { Group } from 'three';
import { diagonalOf } from '../../../src/doors/mesh.ts';
import type { Doc } from '../core/doc.ts';
import { crowdKind, LEVEL_PANES, levelPanes, levelTop, shownKind } from '../core/levels/level-panes.ts';
import { LEVEL_KINDS, type LevelKind, levelModels } from '../core/levels/levels-work.ts';
import type { JointTurns } from '../core/rig/rig-pose.ts';
import type { PaneContent } from '../core/view/panes.ts';
import { CrowdScene } from './crowd-scene.ts';
import { LevelSurfaces } from './level-surfaces.ts';
import type { Surface } from './surface.ts';
import type { Viewport } from './viewport.ts';

/** Levels of detail on the stage: the chosen one of each kind in the pose of the rig, or a crowd. */
export class LevelsView {
  readonly object = new Group();
  readonly #doc: Doc;
  readonly #viewport: Viewport;
  readonly #levels: Partial<Record<LevelKind, LevelSurfaces>> = {};
  readonly #diagonal: number;
  #crowd?: CrowdScene;

  constructor(doc: Doc, viewport: Viewport) {
    this.#doc = doc;
    this.#viewport = viewport;
    const { rigs } = doc.rig;
    this.#diagonal = diagonalOf(rigs.flatMap(({ mesh }) => [...mesh.positions]));
    for (const kind of LEVEL_KINDS) {
      const made = doc.levels.made.peek()[kind];
      if (!made) continue;
      const levels = new LevelSurfaces(levelModels(rigs, made));
      this.#levels[kind] = levels;
      this.object.add(levels.object);
    }
    viewport.original.add(this.object);
  }

  get surfaces(): Surface[] {
    const levels = Object.values(this.#levels).flatMap(({ surfaces }) => surfaces);
    return [...levels, ...(this.#crowd?.surfaces ?? [])];
  }

  /** Shows what a pane is about. */
  show(content: PaneContent): void {
    const colours = content === 'level-error';
    const kind = shownKind(this.#doc.levels);
    for (const [each, { object, surfaces }] of this.#all()) {
      object.visible = content === LEVEL_PANES[each] || (colours && each === kind);
      for (const { layers } of surfaces) layers.show(colours ? 'difference' : 'own');
    }
    if (!this.#crowd) return;
    this.#crowd.object.visible = content === 'crowd';
    this.#crowd.height = this.#viewport.pixels.height;
  }

  /** Builds and poses what the panel asks for. */
  pose(clip: string, time: number, turns: JointTurns): void {
    const { levels, rig } = this.#doc;
    const contents = levelPanes(this.#doc);
    const kind = shownKind(levels);
    // What was just made gets a view of its own, in a moment.
    if (kind && !this.#levels[kind]) return;
    this.#followCrowd(contents?.includes('crowd') ? crowdKind(levels) : undefined, clip);
    if (!contents || contents.includes('crowd')) return;
    for (const [each, surfaces] of this.#all()) {
      surfaces.follow(levels.shown[each].value);
      surfaces.pose(clip, time, (part) => rig.turnsOf(part, turns));
      if (each === kind && contents.includes('level-error')) surfaces.paint(levelTop(levels), this.#diagonal);
    }
  }

  /** Called for every animation frame. */
  tick(seconds: number): void {
    if (!this.#crowd) return;
    const { playing, speed } = this.#doc.playback;
    if (playing.peek()) {
      this.#crowd.advance(speed.peek() * seconds);
      this.#viewport.invalidate();
    }
    const { facts } = this.#crowd;
    const { crowd } = this.#doc.levels;
    if (facts.triangles !== crowd.peek()?.triangles) crowd.value = facts;
  }

  dispose(): void {
    this.object.removeFromParent();
    for (const [, surfaces] of this.#all()) surfaces.dispose();
    this.#followCrowd(undefined, '');
  }

  #all(): [LevelKind, LevelSurfaces][] {
    return Object.entries(this.#levels) as [LevelKind, LevelSurfaces][];
  }

  /** A crowd of that kind of levels; undefined for none. */
  #followCrowd(kind: LevelKind | undefined, clip: string): void {
    if (kind === this.#crowd?.kind && (!kind || this.#crowd?.clip === clip)) return;
    const before = this.#crowd;
    before?.dispose();
    this.#crowd = kind && new CrowdScene(this.#doc, kind, this.#levels[kind]!.models, clip);
    if (this.#crowd) this.object.add(this.#crowd.object);
    else this.#doc.levels.crowd.value = undefined;
    // Another clip, or kind, is seen from the same place.
    if (!before || !kind) this.#viewport.frameBeside(this.#crowd?.points);
  }
}
