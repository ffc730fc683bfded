import { Group, Matrix4, type Object3D, Quaternion, type SkinnedMesh, Vector3 } from 'three';
import { SkinnedCrowd } from '../../../adapters/three/crowd/skinned-crowd.ts';
import { LodMesh } from '../../../adapters/three/lod-mesh.ts';
import { boundsOf, diagonalOf } from '../../../src/doors/mesh.ts';
import type { SkinnedModel } from '../../../src/index.ts';
import { spaceOf } from '../core/content/content.ts';
import type { Doc } from '../core/doc.ts';
import { CROWD, type CrowdFacts, type LevelKind, usefulLevels } from '../core/levels/levels-work.ts';
import { PosedRig } from '../core/rig/posed-rig.ts';
import { SkinnedSurface } from './skinned-surface.ts';
import { upVector } from './stage.ts';

const ROWS = 20;
/** Rows and columns of those that the camera begins with. */
const FRONT = 4;
/** From one to the next, in diagonals. */
const APART = 0.6;

/** A crowd of the rigs of a document at all of their levels, each at another time of the clip. */
export class CrowdScene {
  readonly object = new Group();
  readonly kind: LevelKind;
  readonly clip: string;
  /** 3 each: those in front, to begin with. */
  readonly points: Float32Array;
  readonly #crowd: SkinnedCrowd;
  readonly surfaces: SkinnedSurface[];
  readonly #full: number;
  /** The levels that it is drawn with. */
  readonly #numbers: number[];

  /** `given`: the given rigs, then their levels of that kind. */
  constructor(doc: Doc, kind: LevelKind, given: readonly SkinnedModel[][], clip: string) {
    const made = doc.levels.made.peek()[kind]!;
    this.kind = kind;
    this.clip = clip;
    this.#full = made.original.triangles;
    this.#numbers = usefulLevels(made);
    const levels = this.#numbers.map((level) => given[level]);
    const all = levels.map((models) => models.map((model) => new SkinnedSurface(model, 'lbs')));
    this.surfaces = all.flat();
    const positions = levels[0].flatMap(({ mesh }) => [...mesh.positions]);
    const diagonal = diagonalOf(positions);
    const errors = this.#numbers.map((level) => ((made.figures[level - 1]?.maxPercent ?? 0) / 100) * diagonal);

    // (1) One character whose bones are posed by the studio's own clips.
    const character = new Group();
    const lods = levels[0].map((_, p) => {
      const meshes = all.map((level) => level[p].object.children[0] as SkinnedMesh);
      const lod = new LodMesh(
        meshes[0],
        meshes.map(({ geometry }, l) => ({ geometry, error: errors[l] })),
      );
      character.add(lod);
      return lod;
    });
    LodMesh.together(lods);
    const rigs = levels[0].map((model) => new PosedRig(model));
    const times = levels[0].flatMap(({ clips }) => clips.filter(({ name }) => name === clip).map((each) => each.times));
    const duration = Math.max(0, ...times.map((list) => list[list.length - 1] ?? 0));
    const pose = (time: number): void => {
      for (const [p, rig] of rigs.entries()) {
        rig.pose(clip, time);
        all[0][p].pose(rig.transforms, rig.morphWeights);
      }
    };
    pose(0);

    // (2) Many of them, in rows on the ground.
    this.#crowd = new SkinnedCrowd(character, { clips: duration > 0 ? [{ name: clip, duration, pose }] : [] });
    this.#crowd.castShadow = true;
    this.#crowd.receiveShadow = true;
    const up = upVector(spaceOf(doc.content).up);
    const along = new Vector3(up.y, up.z, up.x);
    const across = new Vector3().crossVectors(up, along);
    const corners: number[] = [];
    const { min, max } = boundsOf(positions);
    for (let n = 0; n < CROWD; n++) {
      const turn = new Quaternion().setFromAxisAngle(up, n * TURN);
      const place = new Vector3()
        .addScaledVector(along, (n % ROWS) * APART * diagonal)
        .addScaledVector(across, Math.floor(n / ROWS) * APART * diagonal);
      const i = this.#crowd.addInstance(new Matrix4().compose(place, turn, ONE));
      if (duration > 0) this.#crowd.play(i, 0, { time: (n * TURN) % duration });
      if (n % ROWS < FRONT && n < FRONT * ROWS)
        for (const corner of [min, max]) corners.push(...place.clone().add(new Vector3(...corner)));
    }
    this.points = Float32Array.from(corners);
    this.object.add(this.#crowd as Object3D);
  }

  advance(seconds: number): void {
    this.#crowd.advance(seconds);
  }

  /** Pixels of a sharp picture. A crowd learns it from its first picture, which may stay the only one. */
  set height(pixels: number) {
    this.#crowd.viewportHeight = pixels;
  }

  /** What the last picture has. */
  get facts(): CrowdFacts {
    const { instances: counts, triangles } = this.#crowd.drawn;
    const instances = counts.map((count, l) => ({ level: this.#numbers[l], count }));
    return { instances, triangles, full: this.#full * counts.reduce((sum, count) => sum + count, 0) };
  }

  dispose(): void {
    this.object.removeFromParent();
    this.#crowd.dispose();
    for (const surface of this.surfaces) surface.dispose();
  }
}

/** So that neighbours differ: the golden angle. */
const TURN = Math.PI * (3 - Math.sqrt(5));
const ONE = new Vector3(1, 1, 1);
