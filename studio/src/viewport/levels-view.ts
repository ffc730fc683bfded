import { Group } from 'three';
import { type Bvh, buildBvh, diagonalOf, nearestOnSurface, refitBvh, surfacePoint } from '../../../src/doors/mesh.ts';
import { type SkinnedModel, Skinner } from '../../../src/index.ts';
import type { Doc } from '../core/doc.ts';
import { levelPanes, levelTop } from '../core/levels/level-panes.ts';
import type { LevelsData } from '../core/levels/levels-work.ts';
import { heatColours } from '../core/paint/frame-errors.ts';
import { PosedRig } from '../core/rig/posed-rig.ts';
import type { JointTurns } from '../core/rig/rig-pose.ts';
import type { PaneContent } from '../core/view/panes.ts';
import { CrowdScene } from './crowd-scene.ts';
import { SkinnedSurface } from './skinned-surface.ts';
import type { Surface } from './surface.ts';
import type { Viewport } from './viewport.ts';

/** A part of a level, and the original that it is compared with. */
interface LevelPart {
  rig: PosedRig;
  surface: SkinnedSurface;
  skinner: Skinner;
  original: Skinner;
  /** Of the original; fitted to the pose that is measured. */
  bvh: Bvh;
}

/** Levels of detail on the stage: the chosen one in the pose of the rig, or a crowd. */
export class LevelsView {
  readonly object = new Group();
  readonly made: LevelsData;
  readonly #doc: Doc;
  readonly #viewport: Viewport;
  #parts: LevelPart[] = [];
  /** The level of the parts. */
  #level = -1;
  #crowd?: CrowdScene;

  constructor(doc: Doc, viewport: Viewport, made: LevelsData) {
    this.#doc = doc;
    this.#viewport = viewport;
    this.made = made;
    viewport.original.add(this.object);
  }

  get surfaces(): Surface[] {
    return this.#parts.map(({ surface }) => surface);
  }

  /** Shows what a pane is about. */
  show(content: PaneContent): void {
    for (const { surface } of this.#parts) {
      surface.object.visible = content === 'level' || content === 'level-error';
      surface.layers.show(content === 'level-error' ? 'difference' : 'own');
    }
    if (this.#crowd) this.#crowd.object.visible = content === 'crowd';
  }

  /** Builds and poses what the panel asks for. */
  pose(clip: string, time: number, turns: JointTurns): void {
    const contents = levelPanes(this.#doc);
    this.#followCrowd(contents?.includes('crowd') ?? false, clip);
    if (!contents || contents.includes('crowd')) return;
    this.#follow(this.#doc.levels.shown.value);
    for (const [p, { rig, surface }] of this.#parts.entries()) {
      rig.pose(clip, time, this.#doc.rig.turnsOf(p, turns));
      surface.pose(rig.transforms, rig.morphWeights);
    }
    if (contents.includes('level-error')) this.#paint();
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
    this.#drop();
    this.#followCrowd(false, '');
  }

  #follow(level: number): void {
    if (level === this.#level) return;
    this.#drop();
    this.#level = level;
    const originals = this.made.levels[0];
    this.#parts = this.made.levels[level].map((model, p) => ({
      rig: new PosedRig(model),
      surface: new SkinnedSurface(model, 'lbs'),
      skinner: skinnerOf(model),
      original: skinnerOf(originals[p]),
      bvh: buildBvh(originals[p].mesh.positions, originals[p].mesh.triangles),
    }));
    for (const { surface } of this.#parts) this.object.add(surface.object);
  }

  /** Colours every vertex by its distance from the original in this pose. */
  #paint(): void {
    const top = levelTop(this.#doc.levels);
    const diagonal = diagonalOf(this.made.levels[0].flatMap(({ mesh }) => [...mesh.positions]));
    const found = surfacePoint();
    for (const { rig, surface, skinner, original, bvh } of this.#parts) {
      refitBvh(bvh, rig.skinned(original));
      const positions = rig.skinned(skinner);
      const percent = new Float32Array(positions.length / 3);
      for (let i = 0; i < percent.length; i++) {
        const [x, y, z] = positions.subarray(3 * i, 3 * i + 3);
        nearestOnSurface(bvh, x, y, z, found);
        percent[i] = (100 * found.distance) / diagonal;
      }
      surface.layers.paint(heatColours(percent, top), 'difference');
    }
  }

  #followCrowd(wanted: boolean, clip: string): void {
    if (wanted && this.#crowd?.clip === clip) return;
    if (!wanted && !this.#crowd) return;
    this.#crowd?.dispose();
    this.#crowd = wanted ? new CrowdScene(this.#doc, this.made, clip) : undefined;
    if (this.#crowd) this.object.add(this.#crowd.object);
    else this.#doc.levels.crowd.value = undefined;
    this.#viewport.frameBeside(this.#crowd?.points);
  }

  #drop(): void {
    for (const { surface, skinner, original } of this.#parts) {
      surface.object.removeFromParent();
      surface.dispose();
      skinner.dispose();
      original.dispose();
    }
    this.#parts = [];
    this.#level = -1;
  }
}

const skinnerOf = (model: SkinnedModel): Skinner => new Skinner(model, { operator: 'lbs', normals: false });
