import {
  type AnimationClip,
  type Camera,
  type Intersection,
  type Material,
  type Matrix4,
  Object3D,
  type Raycaster,
  Sphere,
} from 'three';
import { PliantError } from '../../../src/error.ts';
import { integerOption, numberOption, type OptionsOf, resolveOptions } from '../../../src/model/options.ts';
import { requireClip, requireObject } from '../given.ts';
import { LEVEL_OPTIONS, LevelChoice } from '../level-choice.ts';
import type { Disposable } from '../material.ts';
import { DEPTH_MATERIALS, DEPTH_SLOTS } from '../mesh-skinning.ts';
import { ShadowFlags } from '../shadow-flags.ts';
import { ViewHeights } from '../view-heights.ts';
import { CrowdBones, type PosedClip } from './crowd-bones.ts';
import { CrowdInstances, HIDDEN, type PlayOptions, SHOWN } from './crowd-instances.ts';
import { CrowdLevel, type CrowdLevelMesh } from './crowd-level.ts';
import { CrowdRays } from './crowd-rays.ts';
import { type CrowdPart, CrowdRig } from './crowd-rig.ts';
import { CrowdSelection } from './crowd-selection.ts';
import { crowdMaterial } from './crowd-shader.ts';

/** The options of `SkinnedCrowd`. */
export const CROWD_OPTIONS = {
  ...LEVEL_OPTIONS,
  rate: numberOption(30, { min: 1, max: 240, unit: 'per second' }, 'how many poses of a clip are stored'),
  capacity: integerOption(64, { min: 1 }, 'instances to make room for at first; more can be added'),
} as const;

/** What a crowd draws. */
export interface CrowdDrawing {
  parts: readonly CrowdPart[];
  bones: CrowdBones;
  /** Of all levels. */
  meshes: readonly CrowdLevelMesh[];
}

/** Options of `SkinnedCrowd`. */
export type CrowdOptions = OptionsOf<typeof CROWD_OPTIONS> & {
  /** Clips that instances can play. */
  clips: readonly (AnimationClip | PosedClip)[];
};

/**
 * Thousands of skinned characters, each with its own place and pose, in one draw call per level of detail and material.
 *
 *     const crowd = new SkinnedCrowd(gltf.scene, { clips: gltf.animations });
 *     scene.add(crowd);
 *     const i = crowd.addInstance(matrix);
 *     crowd.play(i, 'walk', { time: 0.3 });
 *
 *     crowd.advance(seconds);
 *     renderer.render(scene, camera);
 *
 * Everything visible below the given object is drawn, also meshes without a skin; it need not be part of a scene. Levels
 * are those of every `LodMesh` in it. Clips are stored as poses in a texture, and blended between two of them.
 */
export class SkinnedCrowd extends Object3D {
  override readonly type = 'SkinnedCrowd';
  /** Tells three.js to call `update` before it draws. */
  readonly isLOD = true;
  /** Whether three.js chooses levels and culls, with the camera that looks. */
  autoUpdate = true;
  /** Height of the picture in pixels, if it is not to be that of the renderer's viewport. */
  viewportHeight: number | undefined;
  readonly options: Readonly<OptionsOf<typeof CROWD_OPTIONS>>;
  readonly #rig: CrowdRig;
  readonly #bones: CrowdBones;
  readonly #instances: CrowdInstances;
  readonly #levels: CrowdLevel[];
  readonly #choice: LevelChoice;
  readonly #selection = new CrowdSelection();
  readonly #rays: CrowdRays;
  readonly #heights = new ViewHeights();
  readonly #shadows: ShadowFlags;
  readonly #undo: Disposable[] = [];

  constructor(character: Object3D, options: Partial<CrowdOptions> = {}) {
    super();
    this.options = resolveOptions(CROWD_OPTIONS, options, 'SkinnedCrowd');
    requireObject(character, 'SkinnedCrowd');
    for (const clip of options.clips ?? []) if (!clip || !('pose' in clip)) requireClip(clip, 'SkinnedCrowd');
    const rig = new CrowdRig(character);
    const bones = new CrowdBones(rig, options.clips ?? [], this.options.rate);
    const instances = new CrowdInstances(bones, this.options.capacity);
    this.#rig = rig;
    this.#bones = bones;
    this.#instances = instances;
    this.#choice = new LevelChoice(rig.errors, this.options);
    this.#levels = rig.errors.map((_, l) => new CrowdLevel(rig.parts, l, bones, this.#heights));
    this.#rays = new CrowdRays(this, { instances, bones, levels: this.#levels, jointCount: rig.jointCount });
    try {
      this.#prepareMaterials();
    } catch (error) {
      this.dispose(); // A material that blends otherwise already.
      throw error;
    }
    for (const { meshes } of this.#levels) {
      for (const mesh of meshes) mesh.layers = this.layers;
      this.add(...meshes);
    }
    this.#shadows = new ShadowFlags(
      this,
      this.#levels.flatMap(({ meshes }) => meshes),
    );
  }

  /** What `useLight` lights. @internal */
  get drawing(): CrowdDrawing {
    return { parts: this.#rig.parts, bones: this.#bones, meshes: this.#levels.flatMap(({ meshes }) => meshes) };
  }

  /** How many instances there are. */
  get instanceCount(): number {
    return this.#instances.count;
  }

  /** How many levels of detail there are. */
  get levelCount(): number {
    return this.#levels.length;
  }

  /** Names of the clips that can be played. */
  get clipNames(): string[] {
    return this.#bones.baked.slice(1).map(({ name }) => name);
  }

  /** Adds an instance, which stands as the character was when the crowd was made; returns its number. */
  addInstance(matrix?: Matrix4): number {
    const i = this.#instances.add();
    if (matrix) this.#instances.setMatrix(i, matrix);
    return i;
  }

  /** Takes an instance away. Its number may be given to another one. */
  removeInstance(i: number): void {
    this.#instances.remove(i);
  }

  /** Puts an instance somewhere: `matrix` takes the character to the space of this object. Do not mirror it. */
  setMatrixAt(i: number, matrix: Matrix4): void {
    this.#instances.setMatrix(i, matrix);
  }

  /** Where an instance stands. */
  getMatrixAt(i: number, target: Matrix4): Matrix4 {
    return this.#instances.getMatrix(i, target);
  }

  /** Shows or hides an instance. */
  setVisibleAt(i: number, visible: boolean): void {
    this.#instances.require(i);
    this.#instances.state[i] = visible ? SHOWN : HIDDEN;
  }

  /** Plays a clip, by its name or number. Fading starts from the pose that the instance has now, if that is of a clip. */
  play(i: number, clip: string | number, options: PlayOptions = {}): void {
    const { baked } = this.#bones;
    const c = typeof clip === 'number' ? clip + 1 : baked.findIndex(({ name }, n) => n > 0 && name === clip);
    if (!(c > 0 && c < baked.length)) {
      const names = this.clipNames.join(', ') || 'none: give options.clips';
      throw new PliantError('not-found', 'SkinnedCrowd', `clip (got ${clip}, expected one of ${names})`);
    }
    this.#instances.play(i, c, options);
  }

  /** Poses an instance as the character is posed now, by hand, a mixer or inverse kinematics. */
  setPoseAt(i: number): void {
    this.#rig.root.updateWorldMatrix(true, true);
    this.#instances.setLive(i);
  }

  /** Seconds into the clip that an instance plays. */
  getTimeAt(i: number): number {
    return this.#instances.timeOf(i);
  }

  /** The level that an instance was drawn at last, or would have been. */
  getLevelAt(i: number): number {
    this.#instances.require(i);
    return this.#instances.levels[i];
  }

  /** A sphere around whatever an instance may do while it plays its clip, in the space of this object. */
  sphereAt(i: number, target = new Sphere()): Sphere {
    this.#instances.require(i);
    target.center.fromArray(this.#instances.spheres, 4 * i);
    target.radius = this.#instances.spheres[4 * i + 3];
    return target;
  }

  /** Lets time pass for all that plays. */
  advance(seconds: number): void {
    this.#instances.advance(seconds);
  }

  /** Chooses what is drawn for a camera. three.js calls this, unless `autoUpdate` is off. */
  update(camera: Camera): void {
    const height = this.viewportHeight ?? this.#heights.of(camera);
    const shadows = this.#shadows;
    shadows.follow();
    this.#selection.select(this.#instances, this.#levels, this.#choice, this, shadows.casts, camera, height);
  }

  /** What the last picture shows: instances in view at each level, and their triangles. */
  get drawn(): { instances: number[]; triangles: number } {
    return {
      instances: this.#levels.map(({ seen }) => seen),
      triangles: this.#levels.reduce((sum, { seen, triangles }) => sum + seen * triangles, 0),
    };
  }

  /** Bytes: the texture of bones, and what instances have here and in lists for the graphics card. */
  get byteLength(): { bones: number; instances: number } {
    const lists = this.#levels.reduce((sum, { byteLength }) => sum + byteLength, 0);
    return { bones: this.#bones.byteLength, instances: this.#instances.byteLength + lists };
  }

  /** Called by three.js: adds hits on instances as they are posed, with `instanceId`. */
  override raycast(raycaster: Raycaster, intersects: Intersection[]): void {
    this.#rays.cast(raycaster, intersects);
  }

  /** Frees what the crowd has on the graphics card, and gives materials back as they were. */
  override dispose(): void {
    super.dispose?.(); // of three.js since r181
    for (const level of this.#levels) level.dispose();
    this.#bones.dispose();
    for (const { dispose } of this.#undo.splice(0)) dispose();
  }

  #prepareMaterials(): void {
    const shadows = { customDepthMaterial: undefined, customDistanceMaterial: undefined } as Partial<
      Record<keyof typeof DEPTH_MATERIALS, Material>
    >;
    this.#rig.parts.forEach(({ mesh, material }, p) => {
      for (const each of [material].flat()) this.#undo.push(crowdMaterial(each));
      for (const slot of DEPTH_SLOTS) {
        const given = mesh[slot];
        if (!given && !shadows[slot]) {
          const made = DEPTH_MATERIALS[slot]();
          shadows[slot] = made;
          this.#undo.push({ dispose: () => made.dispose() });
        }
        const used = given ?? shadows[slot]!;
        this.#undo.push(crowdMaterial(used));
        for (const { meshes } of this.#levels) meshes[p][slot] = used;
      }
    });
  }
}
