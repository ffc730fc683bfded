import { PliantError } from '../../../src/error.ts';
import { bounceFactorsOf } from '../../../src/light/bounces.ts';
import { type OptionsOf, resolveOptions } from '../../../src/model/options.ts';
import type { SkinnedCrowd } from '../crowd/skinned-crowd.ts';
import { CrowdSpheres } from './crowd-spheres.ts';
import type { LightEnvironment } from './light-environment.ts';
import type { LightUniforms } from './light-material.ts';
import { LIGHT_OPTIONS, requireDirections } from './light-options.ts';
import { LightOfMeshes } from './mesh-light.ts';

/** Many are small in the picture: half of what a character has, a quarter of the work. */
const CROWD_PRESET = { spheres: 32, directions: 32 } as const;

/** What a crowd has no use for: its vertices are shaded where they are drawn, by spheres of their own instance. */
const NOT_OF_CROWDS = ['neighbours', 'baked', 'path', 'floor'] as const;

/** The light of a `SkinnedCrowd`: each instance shades itself, in the pose that it has. */
export class CrowdLight extends LightOfMeshes {
  readonly crowd: SkinnedCrowd;
  readonly spheres: CrowdSpheres;
  readonly #bounces: Float32Array;

  constructor(
    crowd: SkinnedCrowd,
    environment: LightEnvironment,
    options: Partial<OptionsOf<typeof LIGHT_OPTIONS>> & { floor?: unknown },
  ) {
    super(environment);
    const option = NOT_OF_CROWDS.find((name) => options[name] !== undefined);
    if (option !== undefined) {
      throw new PliantError('bad-option', 'useLight', 'is not for a SkinnedCrowd', { option });
    }
    const { floor: _, ...given } = options;
    const { spheres, directions, albedo } = resolveOptions(LIGHT_OPTIONS, given, 'useLight', CROWD_PRESET);
    requireDirections(directions);
    const { drawing } = crowd;
    this.crowd = crowd;
    this.#bounces = bounceFactorsOf(albedo);
    this.spheres = new CrowdSpheres(drawing, spheres);
    this.lightMeshes(drawing.meshes, { path: 'vertex', directions, baked: false, crowd: true });
  }

  protected override release(): void {
    this.spheres.dispose();
  }

  /** Values for the shaders of a material. */
  fill(uniforms: LightUniforms): void {
    uniforms.pliantSpheres.value = this.spheres.texture;
    uniforms.pliantSphereCount.value = this.spheres.spheres.count;
    uniforms.pliantSh.value = this.environment.turned;
    uniforms.pliantBounces.value = this.#bounces;
  }
}
