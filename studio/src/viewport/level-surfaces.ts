import { Group } from 'three';
import { type Bvh, buildBvh, nearestOnSurface, refitBvh, surfacePoint } from '../../../src/doors/mesh.ts';
import { type SkinnedModel, Skinner } from '../../../src/index.ts';
import { heatColours } from '../core/paint/frame-errors.ts';
import { PosedRig } from '../core/rig/posed-rig.ts';
import type { JointTurns } from '../core/rig/rig-pose.ts';
import { SkinnedSurface } from './skinned-surface.ts';

/** A part of a level, and the original that it is compared with. */
interface LevelPart {
  rig: PosedRig;
  surface: SkinnedSurface;
  skinner: Skinner;
  original: Skinner;
  /** Of the original; fitted to the pose that is measured. */
  bvh: Bvh;
}

/** One level of detail at a time, in the pose of the rig. */
export class LevelSurfaces {
  readonly object = new Group();
  /** The given rigs, then their levels. */
  readonly models: SkinnedModel[][];
  #parts: LevelPart[] = [];
  /** The level of the parts. */
  #level = -1;

  constructor(models: SkinnedModel[][]) {
    this.models = models;
  }

  get surfaces(): SkinnedSurface[] {
    return this.#parts.map(({ surface }) => surface);
  }

  /** Chooses the level: 0 is as given. */
  follow(level: number): void {
    if (level === this.#level) return;
    this.#drop();
    this.#level = level;
    const originals = this.models[0];
    this.#parts = this.models[level].map((model, p) => ({
      rig: new PosedRig(model),
      surface: new SkinnedSurface(model, 'lbs'),
      skinner: skinnerOf(model),
      original: skinnerOf(originals[p]),
      bvh: buildBvh(originals[p].mesh.positions, originals[p].mesh.triangles),
    }));
    for (const { surface } of this.#parts) this.object.add(surface.object);
  }

  /** `turnsOf`: what was turned by hand, of each part. */
  pose(clip: string, time: number, turnsOf: (part: number) => JointTurns): void {
    for (const [p, { rig, surface }] of this.#parts.entries()) {
      rig.pose(clip, time, turnsOf(p));
      surface.pose(rig.transforms, rig.morphWeights);
    }
  }

  /** Colours every vertex by its distance from the original in this pose, in % of the diagonal. */
  paint(top: number, diagonal: number): void {
    const found = surfacePoint();
    for (const { rig, surface, skinner, original, bvh } of this.#parts) {
      refitBvh(bvh, rig.skinned(original));
      const positions = rig.skinned(skinner);
      const percent = new Float32Array(positions.length / 3);
      for (let i = 0; i < percent.length; i++) {
        nearestOnSurface(bvh, positions[3 * i], positions[3 * i + 1], positions[3 * i + 2], found);
        percent[i] = (100 * found.distance) / diagonal;
      }
      surface.layers.paint(heatColours(percent, top), 'difference');
    }
  }

  dispose(): void {
    this.object.removeFromParent();
    this.#drop();
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
