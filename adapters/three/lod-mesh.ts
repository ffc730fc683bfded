import { type BufferGeometry, type Camera, type Mesh, Object3D, type SkinnedMesh, Sphere, Vector3 } from 'three';
import { PliantError } from '../../src/error.ts';
import { resolveOptions } from '../../src/model/options.ts';
import { requireObject } from './given.ts';
import {
  hasPerspective,
  LEVEL_OPTIONS,
  LevelChoice,
  type LevelOptions,
  pixelsAtOne,
  requireErrors,
} from './level-choice.ts';
import { LodTeam } from './lod-team.ts';
import { ViewHeights } from './view-heights.ts';

/** A level of detail. */
export interface LodLevel {
  geometry: BufferGeometry;
  /** How far its surface is from that of the finest level, in the space of the `LodMesh`. */
  error: number;
}

/**
 * A mesh with levels of detail, skinned or not: whenever a camera looks at it, `mesh` gets the geometry of the coarsest level
 * whose error is too small to see. Skeleton, material and clips are those of the one mesh.
 *
 *     const lod = new LodMesh(mesh, [{ geometry: mesh.geometry, error: 0 }, { geometry: coarse, error: 0.004 }]);
 *
 * `LodLoaderPlugin` makes them of files with `MSFT_lod`.
 */
export class LodMesh extends Object3D {
  override readonly type = 'LodMesh';
  /** Tells three.js to call `update` before it draws. */
  readonly isLOD = true;
  /** Whether three.js chooses the level, with the camera that looks. */
  autoUpdate = true;
  /** What is drawn: the first child. */
  readonly mesh: Mesh | SkinnedMesh;
  readonly levels: readonly LodLevel[];
  readonly options: Readonly<LevelOptions>;
  /** Height of the picture in pixels, if it is not to be that of the renderer's viewport. */
  viewportHeight: number | undefined;
  #level = 0;
  #isAway = false;
  #team = new LodTeam();
  readonly #choice: LevelChoice;
  readonly #heights = new ViewHeights();

  /** `levels`: finest first. A mesh that is part of a scene is replaced there: it moves below this object. */
  constructor(mesh: Mesh | SkinnedMesh, levels: readonly LodLevel[], options: Partial<LevelOptions> = {}) {
    super();
    this.options = resolveOptions(LEVEL_OPTIONS, options, 'LodMesh');
    requireLevels(mesh, levels);
    this.mesh = mesh;
    this.levels = levels.map(({ geometry, error }) => ({ geometry, error }));
    this.#choice = new LevelChoice(
      levels.map(({ error }) => error),
      this.options,
    );
    this.name = mesh.name;
    this.addEventListener('removed', () => {
      this.#isAway = true;
    });
    this.addEventListener('added', () => {
      this.#isAway = false;
    });
    mesh.parent?.add(this);
    this.add(mesh);
    this.#team.join(this);
    this.#watch();
  }

  /** The level that is drawn: 0 is the finest. */
  get level(): number {
    return this.#level;
  }

  /** Whether it was part of a scene, and is no longer. */
  get isAway(): boolean {
    return this.#isAway;
  }

  /** Those of the mesh: clips find them here too. */
  get morphTargetInfluences(): number[] | undefined {
    return this.mesh.morphTargetInfluences;
  }

  get morphTargetDictionary(): Record<string, number> | undefined {
    return this.mesh.morphTargetDictionary;
  }

  /** Lets meshes change levels at once, as parts of one character must that touch each other. */
  static together(lods: readonly LodMesh[]): void {
    const team = new LodTeam();
    for (const lod of lods) lod.#enter(team);
  }

  /** Chooses the level for a camera. three.js calls this, unless `autoUpdate` is off. */
  update(camera: Camera): void {
    this.#team.update(camera, this.viewportHeight ?? this.#heights.of(camera), this);
  }

  /** The level that this mesh would change to for a camera and a picture of so many pixels, if it has level `current`. */
  levelFor(camera: Camera, height: number, current = this.#level): number {
    let size = this.matrixWorld.getMaxScaleOnAxis() * pixelsAtOne(camera, height);
    if (hasPerspective(camera)) {
      sphere.copy(this.#bounds()).applyMatrix4(this.mesh.matrixWorld);
      const distance = sphere.center.distanceTo(place.setFromMatrixPosition(camera.matrixWorld)) - sphere.radius;
      const near = (camera as { near?: number }).near ?? 0;
      size /= Math.max(distance, near, Number.MIN_VALUE);
    }
    return this.#choice.next(Math.min(current, this.levels.length - 1), size);
  }

  /** Draws a level, until `update` chooses another; the coarsest for a larger number. */
  show(level: number): void {
    if (!(Number.isInteger(level) && level >= 0)) {
      const cause = `level (got ${level}, expected 0 to ${this.levels.length - 1})`;
      throw new PliantError('bad-option', 'LodMesh', cause);
    }
    level = Math.min(level, this.levels.length - 1);
    this.#level = level;
    if (this.mesh.geometry !== this.levels[level].geometry) this.mesh.geometry = this.levels[level].geometry;
  }

  /** A mesh of its own with the same geometries. For skinned meshes: `SkeletonUtils.clone` of what holds the bones. */
  override clone(recursive = true): this {
    const copy = new LodMesh(this.mesh.clone(recursive), this.levels, this.options);
    copy.#enter(this.#team.teamOfClone(this));
    Object3D.prototype.copy.call(copy, this, false);
    copy.autoUpdate = this.autoUpdate;
    copy.viewportHeight = this.viewportHeight;
    if (recursive) for (const child of this.children) if (child !== this.mesh) copy.add(child.clone());
    return copy as this;
  }

  /** Frees the geometries of all levels, and leaves those it changed levels with; materials and skeleton are the caller's. */
  override dispose(): void {
    super.dispose?.(); // of three.js since r181
    this.#enter(new LodTeam());
    for (const { geometry } of this.levels) geometry.dispose();
  }

  #enter(team: LodTeam): void {
    this.#team.leave(this);
    this.#team = team;
    team.join(this);
  }

  #bounds(): Sphere {
    const { mesh } = this;
    if ('boundingSphere' in mesh) {
      if (mesh.boundingSphere === null) mesh.computeBoundingSphere();
      return mesh.boundingSphere!;
    }
    const { geometry } = this.levels[0];
    if (geometry.boundingSphere === null) geometry.computeBoundingSphere();
    return geometry.boundingSphere!;
  }

  #watch(): void {
    const { mesh } = this;
    const { onBeforeRender } = mesh;
    mesh.onBeforeRender = (renderer, scene, camera, ...rest) => {
      this.#heights.remember(renderer, camera);
      onBeforeRender.call(mesh, renderer, scene, camera, ...rest);
    };
  }
}

const sphere = new Sphere();
const place = new Vector3();

/** Every level needs what the mesh is drawn with. */
function requireLevels(mesh: Mesh | undefined, levels: readonly LodLevel[]): asserts mesh is Mesh {
  requireObject(mesh, 'LodMesh');
  const missing = levels.findIndex((level) => !level?.geometry?.getAttribute);
  if (missing >= 0) throw new PliantError('bad-input', 'LodMesh', `level ${missing} has no geometry`);
  requireErrors(
    levels.map(({ error }) => error),
    'LodMesh',
  );
  const needed = (mesh as SkinnedMesh).isSkinnedMesh ? ['position', 'skinIndex', 'skinWeight'] : ['position'];
  levels.forEach(({ geometry }, l) => {
    const missing = needed.find((name) => !geometry.getAttribute(name));
    if (missing) throw new PliantError('bad-input', 'LodMesh', `level ${l} has no attribute "${missing}"`);
  });
}
