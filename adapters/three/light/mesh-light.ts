import type { Material, Mesh, Texture, WebGLRenderer } from 'three';
import { PliantError } from '../../../src/error.ts';
import { type Disposable, once } from '../material.ts';
import type { LightEnvironment } from './light-environment.ts';
import { isLit, type LightUniforms, type LightWay, lightMaterial } from './light-material.ts';
import { LightPass } from './light-pass.ts';

/** What lights meshes in its surroundings: a character, or a crowd. */
export abstract class LightOfMeshes implements Disposable {
  readonly environment: LightEnvironment;
  readonly dispose: () => void;
  readonly #lights: MeshLight[] = [];
  #unlit: readonly Material[] = [];
  #frame = -1;

  constructor(environment: LightEnvironment) {
    this.environment = environment;
    this.dispose = once(() => {
      for (const light of this.#lights) light.dispose();
      this.release();
    });
  }

  /** Materials that three.js does not light, such as MeshBasicMaterial: they stay as they are. */
  get unlit(): readonly Material[] {
    return this.#unlit;
  }

  /** Of the surroundings, in radians: `light.rotation.y += 0.01`. */
  get rotation(): LightEnvironment['rotation'] {
    return this.environment.rotation;
  }

  /** Of the surroundings: 1 is that of the picture. */
  get intensity(): number {
    return this.environment.intensity;
  }

  set intensity(value: number) {
    this.environment.intensity = value;
  }

  /** Takes over what has changed, once per picture. Called before each mesh is drawn. */
  update(renderer: WebGLRenderer): void {
    const { frame } = renderer.info.render;
    if (frame === this.#frame) return;
    this.#frame = frame;
    this.environment.update();
    this.follow?.();
  }

  /** Lights all of them or, where one cannot be, none. */
  protected lightMeshes(meshes: readonly Mesh[], way: LightWay): void {
    this.#unlit = [...new Set(meshes.flatMap(({ material }) => material))].filter((material) => !isLit(material));
    try {
      for (const mesh of meshes) this.#lights.push(new MeshLight(mesh, this, way));
    } catch (error) {
      this.dispose(); // A material that is lit otherwise already.
      throw error;
    }
  }

  /** Gives back what it holds beside the lights of its meshes. */
  protected abstract release(): void;

  /** Takes over poses, after rotation and intensity. */
  protected follow?(): void;

  /** Values for the shaders of a material that draws the mesh next. */
  abstract fill(uniforms: LightUniforms, mesh: Mesh): void;
}

/** Whose values the uniforms of a material have. */
const owners = new WeakMap<LightUniforms, MeshLight>();

/** Lights the materials that one mesh has, until it is disposed of. */
export class MeshLight implements Disposable {
  readonly dispose: () => void;
  readonly #mesh: Mesh;
  readonly #light: LightOfMeshes;
  readonly #way: LightWay;
  readonly #materials = new Map<Material, Disposable & { uniforms: LightUniforms }>();
  #pass: LightPass | undefined;
  #passFrame = -1;

  constructor(mesh: Mesh, light: LightOfMeshes, way: LightWay) {
    this.#mesh = mesh;
    this.#light = light;
    this.#way = way;
    const unwatch = this.#watch();
    this.dispose = once(() => {
      unwatch();
      for (const { dispose } of this.#materials.values()) dispose();
      this.#pass?.dispose();
    });
    try {
      this.#followMaterials();
    } catch (error) {
      this.dispose();
      throw error;
    }
  }

  #followMaterials(): void {
    const now = new Set([this.#mesh.material].flat());
    for (const material of now) {
      if (this.#materials.has(material) || !isLit(material)) continue;
      this.#materials.set(material, lightMaterial(material, this.#way));
    }
    for (const [material, { dispose }] of this.#materials) {
      if (now.has(material)) continue;
      dispose();
      this.#materials.delete(material);
    }
  }

  #watch(): () => void {
    const mesh = this.#mesh;
    const { onBeforeRender } = mesh;
    const watching: Mesh['onBeforeRender'] = (renderer, scene, camera, geometry, material, group) => {
      if (!('isWebGLRenderer' in renderer)) {
        const cause = 'light in shaders (got a renderer of nodes, such as WebGPURenderer, expected WebGLRenderer)';
        throw new PliantError('unsupported', 'useLight', cause);
      }
      this.#followMaterials();
      this.#light.update(renderer);
      const lit = this.#materials.get(material);
      if (lit) this.#prepare(renderer, lit.uniforms);
      onBeforeRender.call(mesh, renderer, scene, camera, geometry, material, group);
    };
    mesh.onBeforeRender = watching;
    return () => {
      if (mesh.onBeforeRender === watching) mesh.onBeforeRender = onBeforeRender;
    };
  }

  #prepare(renderer: WebGLRenderer, uniforms: LightUniforms): void {
    this.#light.fill(uniforms, this.#mesh);
    if (this.#way.path === 'pass') this.#runPass(renderer, uniforms);
    if (owners.get(uniforms) === this) return;
    owners.set(uniforms, this);
    // three.js sends a material's uniforms once as long as it draws with nothing else: this makes it send them again.
    renderer.setRenderTarget(renderer.getRenderTarget(), renderer.getActiveCubeFace(), renderer.getActiveMipmapLevel());
  }

  #runPass(renderer: WebGLRenderer, uniforms: LightUniforms): void {
    this.#pass ??= new LightPass(this.#mesh, this.#way, uniforms);
    const { frame } = renderer.info.render;
    if (frame !== this.#passFrame) {
      this.#pass.run(renderer);
      this.#passFrame = frame;
    }
    uniforms.pliantLit.value = this.#pass.textures as Texture[];
  }
}
