import type { Mesh, Object3D, SkinnedMesh, Texture } from 'three';
import { PliantError } from '../../../src/error.ts';
import { bounceFactorsOf } from '../../../src/light/bounces.ts';
import { determinant34, MATRIX_STRIDE } from '../../../src/math/matrix34.ts';
import { type OptionsOf, resolveOptions } from '../../../src/model/options.ts';
import type { SkinnedCrowd } from '../crowd/skinned-crowd.ts';
import { requireObject } from '../given.ts';
import type { Disposable } from '../material.ts';
import { skinnings } from '../skinnings.ts';
import { ROW_ATTRIBUTE } from './baked-light.ts';
import { type BakedPlace, CharacterSpheres } from './character-spheres.ts';
import { CrowdLight } from './crowd-light.ts';
import { LightEnvironment, type LightSource } from './light-environment.ts';
import { type FloorOptions, LightFloor } from './light-floor.ts';
import type { LightUniforms } from './light-material.ts';
import { type LightNote, warnOfLight } from './light-notes.ts';
import { LIGHT_OPTIONS, requireDirections } from './light-options.ts';
import { LightOfMeshes } from './mesh-light.ts';
import { ResidualTable } from './residual-table.ts';
import { SphereTexture } from './sphere-texture.ts';

/** Settings of `useLight`. */
export interface LightOptions extends Partial<OptionsOf<typeof LIGHT_OPTIONS>> {
  /** A floor to be shaded: `true` for a sheet that darkens what lies below it, or its settings. */
  floor?: boolean | FloorOptions;
}

/** Settings of `useLight` for a crowd. */
export type CrowdLightOptions = Pick<LightOptions, 'spheres' | 'directions' | 'albedo'>;

/**
 * Lights everything below `object` softly, in any pose: ambient light is replaced by that of `environment`, with shadows of
 * the character on itself, on others in the same `LightEnvironment` and on a floor. Nothing has to be baked; what was is added.
 * The instances of a `SkinnedCrowd` shade themselves, by fewer spheres unless told.
 */
export function useLight(
  object: SkinnedCrowd,
  environment: LightEnvironment | LightSource,
  options?: CrowdLightOptions,
): CrowdLight;
export function useLight(
  object: Object3D,
  environment: LightEnvironment | LightSource,
  options?: LightOptions,
): CharacterLight;
export function useLight(
  object: Object3D,
  environment: LightEnvironment | LightSource,
  options: LightOptions = {},
): CharacterLight | CrowdLight {
  requireObject(object, 'useLight');
  const around = environment instanceof LightEnvironment ? environment : new LightEnvironment(environment);
  return isCrowd(object) ? new CrowdLight(object, around, options) : new CharacterLight(object, around, options);
}

/** By its name: who has no crowd should not load one. */
const isCrowd = (object: Object3D): object is SkinnedCrowd => object.type === 'SkinnedCrowd' && 'drawing' in object;

/** The light of one character. */
export class CharacterLight extends LightOfMeshes {
  readonly object: Object3D;
  /** The shaded floor, to be added to the scene, if asked for. */
  readonly floor: LightFloor | undefined;
  readonly spheres: CharacterSpheres;
  readonly #options: LightOptions;
  readonly #texture: SphereTexture;
  readonly #bounces: Float32Array;
  readonly #baked: readonly BakedOnCharacter[];
  readonly #notes: LightNote[] = [];
  #isCompared = false;

  constructor(object: Object3D, environment: LightEnvironment, options: LightOptions, made?: CharacterSpheres['made']) {
    super(environment);
    const { floor, ...given } = options;
    const { spheres, directions, neighbours, albedo, baked, path } = resolveOptions(LIGHT_OPTIONS, given, 'useLight');
    requireDirections(directions);
    const meshes = meshesOf(object);
    if (meshes.length === 0) throw new PliantError('bad-input', 'useLight', 'no mesh below the object');
    this.object = object;
    this.#options = options;
    this.#bounces = bounceFactorsOf(albedo);
    this.spheres = new CharacterSpheres(meshes, spheres, baked, made);
    this.floor = floor ? new LightFloor(this.spheres, environment, floor === true ? {} : floor) : undefined;
    this.#baked = [...new Set(this.spheres.baked.values())].map(
      (place) => new BakedOnCharacter(place, this.spheres, object),
    );
    for (const { place } of this.#baked) {
      const [made] = place.light.light.albedo;
      if (given.albedo !== undefined && Math.abs(albedo - made) > 1e-3)
        this.#warn({ code: 'light-albedo', data: { made, now: albedo } }, place);
      if (place.light.changed.length > 0)
        this.#notes.push({ code: 'light-changed', data: { changed: place.light.changed.join(' and ') } });
    }
    this.#texture = new SphereTexture(this.spheres.posed.count + neighbours);
    this.lightMeshes(meshes, { path, directions, baked: this.#baked.length > 0 });
    environment.characters.add(this.spheres);
  }

  protected override release(): void {
    for (const each of this.#baked) each.dispose();
    this.environment.characters.delete(this.spheres);
    this.floor?.dispose();
    this.#texture.dispose();
  }

  /** Meshes below the object that show what was baked. */
  get baked(): readonly Mesh[] {
    return [...this.spheres.baked.keys()];
  }

  /** What is not as it was when light was baked; also on the console. Operators are compared when a picture is drawn. */
  get notes(): readonly LightNote[] {
    return this.#notes;
  }

  /** The same light on a clone of the object: spheres are not made again. */
  cloneTo(object: Object3D): CharacterLight {
    requireObject(object, 'useLight');
    return new CharacterLight(object, this.environment, this.#options, this.spheres.made);
  }

  protected override follow(): void {
    if (!this.#isCompared) this.#compareOperators();
    for (const character of this.environment.characters) character.pose();
    this.#texture.update(this.spheres, this.environment.characters);
    for (const each of this.#baked) each.update(this.environment);
  }

  #compareOperators(): void {
    this.#isCompared = true;
    for (const { place } of this.#baked) {
      const { mesh, light } = place;
      const made = light.light.operator;
      const now =
        skinnings.get(mesh as SkinnedMesh)?.operator ?? ((mesh as SkinnedMesh).isSkinnedMesh ? 'lbs' : 'rigid');
      if (made !== now) this.#warn({ code: 'light-operator', data: { made, now } }, place);
    }
  }

  #warn(note: LightNote, { mesh }: BakedPlace): void {
    this.#notes.push(note);
    warnOfLight(note, mesh.name || 'a mesh');
  }

  /** Values for the shaders of a material that draws a mesh of this character next. */
  fill(uniforms: LightUniforms, mesh: Mesh): void {
    uniforms.pliantSpheres.value = this.#texture.texture;
    uniforms.pliantSphereCount.value = this.#texture.count;
    uniforms.pliantSh.value = this.environment.turned;
    const place = this.spheres.baked.get(mesh);
    const baked = this.#baked.find((each) => each.place === place);
    uniforms.pliantBounces.value = baked ? baked.bounces : this.#bounces;
    // Levels of detail have no rows.
    const residual = mesh.geometry.hasAttribute(ROW_ATTRIBUTE) ? baked : undefined;
    uniforms.pliantModes.value = residual?.modes ?? null;
    uniforms.pliantTable.value = residual?.table?.texture ?? null;
    uniforms.pliantModeCount.value = residual?.modeCount ?? -1;
    uniforms.pliantGlossCount.value = residual?.glossCount ?? -1;
  }
}

/** What was baked for a mesh, on a character in its pose. */
class BakedOnCharacter implements Disposable {
  readonly place: BakedPlace;
  readonly bounces: Float32Array;
  readonly modes: Texture | null;
  readonly table: ResidualTable | undefined;
  /** Less than 0 where nothing is stored but spheres. */
  readonly modeCount: number;
  readonly glossCount: number;
  readonly #spheres: CharacterSpheres;
  readonly #object: Object3D;
  /** How much larger the character is than it was when baked, over its object's scale. */
  readonly #scale: number;

  constructor(place: BakedPlace, spheres: CharacterSpheres, object: Object3D) {
    const { light } = place.light;
    const bones = (place.mesh as SkinnedMesh).skeleton?.bones.length ?? 1;
    this.place = place;
    this.bounces = light.bounceFactors;
    this.modes = place.light.take();
    this.table = light.residual && new ResidualTable(light.residual, bones);
    this.modeCount = light.residual?.diffuse.modes ?? -1;
    this.glossCount = light.residual?.visibility?.modes ?? -1;
    this.#spheres = spheres;
    this.#object = object;
    let sum = 0;
    for (let j = place.first; j < place.first + bones; j++) {
      sum += Math.cbrt(Math.abs(determinant34(spheres.transforms, MATRIX_STRIDE * j)));
    }
    this.#scale = sum / bones / scaleOf(object);
  }

  update({ turned }: LightEnvironment): void {
    const { transforms } = this.#spheres;
    this.table?.update(transforms, MATRIX_STRIDE * this.place.first, this.#scale * scaleOf(this.#object), turned);
  }

  dispose(): void {
    this.table?.dispose();
    if (this.modes) this.place.light.release();
  }
}

const scaleOf = ({ matrixWorld }: Object3D): number => Math.cbrt(Math.abs(matrixWorld.determinant())) || 1;

/** The meshes below an object that have a surface of their own to be lit. */
function meshesOf(object: Object3D): Mesh[] {
  const meshes: Mesh[] = [];
  object.traverse((below) => {
    const mesh = below as Mesh;
    const several = 'isInstancedMesh' in mesh || 'isBatchedMesh' in mesh;
    if (mesh.isMesh && !several && mesh.geometry.getAttribute('normal') && mesh.geometry.getAttribute('position')) {
      meshes.push(mesh);
    }
  });
  return meshes;
}
