import { BufferAttribute, Color, Group, MeshBasicMaterial, type MeshStandardMaterial, Mesh as ThreeMesh } from 'three';
import { environmentSh } from '../../../src/doors/light.ts';
import { boneCount, type SkinnedModel } from '../../../src/index.ts';
import { DEFAULT_MAPS } from '../../../src/light/default-lights.ts';
import { unshadowedLight } from '../../../src/light/fit-base.ts';
import { LightErrors } from '../../../src/light/light-errors.ts';
import { LitScene } from '../../../src/light/lit-scene.ts';
import { LightScene } from '../../../src/light/scene.ts';
import { SceneBase } from '../../../src/light/scene-base.ts';
import { bakedSpheres, posedSpheres, type SceneSpheres, sceneSpheres } from '../../../src/light/scene-spheres.ts';
import { exposureOf, shownLight } from '../../../src/light/shown-light.ts';
import { shRotation } from '../../../src/math/spherical-harmonics.ts';
import type { LightModel } from '../../../src/model/light.ts';
import { spaceOf } from '../core/content/content.ts';
import type { Doc } from '../core/doc.ts';
import { startJob } from '../core/jobs/start-job.ts';
import { lightPanes, wayOf } from '../core/light/light-panes.ts';
import type { LightSky, LightWay, TracedData } from '../core/light/light-work.ts';
import { PosedRig } from '../core/rig/posed-rig.ts';
import type { JointTurns } from '../core/rig/rig-pose.ts';
import { isLight, type PaneContent } from '../core/view/panes.ts';
import { LightSheet } from './light-sheet.ts';
import { SurfaceMaterials } from './materials.ts';
import type { Up } from './stage.ts';
import { perSplit, restGeometry } from './surface.ts';
import type { Viewport } from './viewport.ts';

const ORDER = 5;
const SIZE = ORDER * ORDER;
const SPHERES = 64;
/** Of a white surface where the light is brightest: reflected light may add some. */
const BRIGHTNESS = 0.8;
/** Milliseconds that a pose must last before it is traced. */
const RESTS = 350;
/** How light bounces where nothing was baked. */
const TRACED = { bounces: 2, albedo: 0.6 };

/** Rigs as light falls on them, in each way that a pane shows. The processor computes it, vertex by vertex. */
export class LightView {
  readonly object = new Group();
  readonly #doc: Doc;
  readonly #viewport: Viewport;
  readonly #models: readonly SkinnedModel[];
  readonly #rigs: PosedRig[];
  readonly #scene: LightScene;
  readonly #parts: LitPart[];
  readonly #spheres: SceneSpheres;
  readonly #base: SceneBase;
  #baked?: { lights: readonly LightModel[]; scene: LitScene; spheres: SceneSpheres };
  readonly #sheet: LightSheet;
  readonly #up: Up;
  readonly #skies = new Map<LightSky, Float32Array>();
  /** Transforms of the pose that is traced, or was. */
  #asked?: Float32Array;
  #timer?: ReturnType<typeof setTimeout>;
  /** The last pose that was traced. Until another is, its light moves along with the bones. */
  #traced?: TracedData;

  constructor(doc: Doc, viewport: Viewport) {
    this.#doc = doc;
    this.#viewport = viewport;
    this.#models = doc.rig.rigs;
    this.#up = spaceOf(doc.content).up;
    this.#rigs = this.#models.map((model) => new PosedRig(model));
    this.#scene = new LightScene(this.#models);
    this.#spheres = sceneSpheres(this.#scene, SPHERES);
    this.#base = new SceneBase(this.#scene, this.#spheres, { order: ORDER });
    this.#parts = this.#scene.parts.map(({ model, firstVertex }) => new LitPart(model, firstVertex));
    const { floor, radius } = viewport.eye.ground;
    this.#sheet = new LightSheet(this.#up, floor.toArray(), radius);
    this.object.add(...this.#parts.map(({ mesh }) => mesh), this.#sheet.mesh);
    this.object.visible = false;
    viewport.original.add(this.object);
  }

  /** Shows what a pane is about. */
  show(content: PaneContent): void {
    this.object.visible = isLight(content);
    if (!isLight(content)) return;
    const way = wayOf(content);
    for (const part of this.#parts) part.show(way);
    this.#sheet.mesh.visible = this.#doc.light.floor.peek() && this.#sheet.show(way);
  }

  /** Poses the rigs and lights them in the ways that are shown. */
  pose(clip: string, time: number, turns: JointTurns): void {
    const { light, rig, playback } = this.#doc;
    const panes = lightPanes(this.#doc);
    if (!panes) {
      light.traced.stop();
      return;
    }
    const ways = panes.map(wayOf);
    const parts = this.#rigs.map((each, part) => {
      each.pose(clip, time, rig.turnsOf(part, turns));
      const { transforms, morphWeights } = each;
      return morphWeights.length > 0 ? { transforms, morphWeights } : { transforms };
    });
    const traced = this.#followTrace(ways.includes('traced'), parts, playback.playing.value);
    this.#followBake(light.lights.value);
    const { positions, frames } = this.#scene.pose(parts);
    const isPlain = this.#doc.look.value !== 'material';
    for (const part of this.#parts) {
      part.move(positions);
      part.dress(isPlain);
    }
    const sh = this.#turnedSky(light.sky.value, light.turn.value.value);
    const sky = { name: '', sh };
    const albedo = BRIGHTNESS * exposureOf(sky);
    const floor = light.floor.value;
    const spheres = posedSpheres(this.#spheres, parts);
    this.#sheet.placeUnder(spheres);
    const transfers: Partial<Record<LightWay, Float32Array>> = {};
    for (const way of ways) {
      const transfer = this.#transfer(way, parts, traced);
      if (!transfer) continue;
      transfers[way] = transfer.slice();
      const colours = shownLight(this.#scene, { frames }, transfer, sky, albedo);
      for (const part of this.#parts) part.paint(way, colours);
      if (!floor) continue;
      if (way === 'base') this.#sheet.shadeBy('base', spheres, sh);
      if (way === 'baked') this.#sheet.shadeBy('baked', posedSpheres(this.#baked!.spheres, parts), sh);
      if (way === 'traced' && this.#traced) this.#sheet.paint('traced', this.#traced.floor, sh);
    }
    light.errors.value = traced && this.#errors(transfers, traced, frames, sh);
    this.#viewport.invalidate();
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#doc.light.traced.stop();
    this.object.removeFromParent();
    for (const part of this.#parts) part.dispose();
    this.#sheet.dispose();
  }

  #transfer(way: LightWay, parts: readonly LitPose[], traced: TracedData | undefined): Float32Array | undefined {
    if (way === 'unshadowed') return unshadowedLight(this.#scene, this.#scene.pose(parts), ORDER);
    if (way === 'base') return this.#base.run(parts).transfer;
    if (way === 'baked') return this.#baked && ofOrder(this.#baked.scene.run(parts).transfer, this.#scene.vertices);
    // Nothing traced yet: spheres stand for it.
    return (traced ?? this.#traced)?.transfer ?? this.#base.run(parts).transfer;
  }

  #followBake(lights: readonly LightModel[] | undefined): void {
    if (lights === this.#baked?.lights) return;
    this.#baked = undefined;
    if (!lights) return;
    const scene = new LightScene(this.#models.map((model, m) => ({ ...model, light: lights[m] })));
    const spheres = bakedSpheres(
      this.#models.map(({ skeleton, morphs = [] }, m) => ({
        light: lights[m],
        bones: boneCount(skeleton),
        morphs: morphs.length,
      })),
    );
    this.#baked = { lights, scene: new LitScene(scene), spheres };
  }

  /** Traces a pose that lasts, if asked for. Returns what was traced of this one. */
  #followTrace(asked: boolean, parts: readonly LitPose[], playing: boolean): TracedData | undefined {
    const { traced } = this.#doc.light;
    const now = Float32Array.from(
      parts.flatMap(({ transforms, morphWeights = [] }) => [...transforms, ...morphWeights]),
    );
    const same = this.#asked !== undefined && now.every((x, c) => x === this.#asked![c]);
    const found = traced.result.value;
    if (found) this.#traced = found;
    if (same && asked) return found;
    clearTimeout(this.#timer);
    traced.reset();
    this.#asked = undefined;
    if (!asked || playing) return undefined;
    this.#asked = now;
    const models = this.#models.map((model) => ({ ...model, clips: [] }));
    const poses = parts.map(({ transforms, morphWeights }) => ({
      transforms: transforms.slice(),
      ...(morphWeights && { morphWeights: morphWeights.slice() }),
    }));
    const { bounces, albedo } = this.#doc.light.lights.value?.[0] ?? TRACED;
    const options = { bounces, albedo: typeof albedo === 'number' ? albedo : albedo[0] };
    const { points, normals } = this.#sheet.placeUnder(posedSpheres(this.#spheres, poses));
    this.#timer = setTimeout(() => {
      const input = { models, parts: poses, floor: { points: points.slice(), normals: normals.slice() }, ...options };
      traced.begin((onProgress) => startJob('lightTrace', input, onProgress));
    }, RESTS);
    return undefined;
  }

  /** 3 · 25: the light as it stands around the rigs. */
  #turnedSky(kind: LightSky, degrees: number): Float32Array {
    const { value: own } = this.#doc.light.own;
    const known = kind === 'own' ? own?.sh : this.#skies.get(kind);
    const sh = known ?? environmentSh(DEFAULT_MAPS[kind === 'own' ? 'sky' : kind](), ORDER);
    if (kind !== 'own') this.#skies.set(kind, sh);
    const [c, s] = [Math.cos((Math.PI * degrees) / 180), Math.sin((Math.PI * degrees) / 180)];
    // Maps have y up: their axes as those of the file, turned about its own.
    const turn = shRotation(
      ORDER,
      {
        x: [0, 1, 0, -c, 0, -s, -s, 0, c],
        y: [c, 0, s, 0, 1, 0, -s, 0, c],
        z: [c, 0, s, s, 0, -c, 0, 1, 0],
      }[this.#up],
    );
    const out = new Float32Array(sh.length);
    for (let at = 0; at < sh.length; at += SIZE) turn.apply(sh, out, at, at);
    return out;
  }

  #errors(
    transfers: Partial<Record<LightWay, Float32Array>>,
    { transfer: truth, inside }: TracedData,
    frames: Float64Array,
    sh: Float32Array,
  ): Partial<Record<LightWay, number>> {
    const lights = [0, 1, 2].map((colour) => Float64Array.from(sh.subarray(SIZE * colour, SIZE * (colour + 1))));
    const at = { groupOf: this.#scene.groupOf, frames, inside };
    const found = Object.entries(transfers).filter(([way]) => way !== 'traced');
    return Object.fromEntries(
      found.map(([way, transfer]) => {
        const errors = new LightErrors(lights, ORDER);
        errors.add(transfer, truth, at);
        return [way, errors.shading];
      }),
    );
  }
}

/** A rig in its pose. */
interface LitPose {
  transforms: Float32Array;
  morphWeights?: Float32Array;
}

/** Light of another order as that of 5. */
function ofOrder(transfer: Float32Array, vertices: number): Float32Array {
  const size = transfer.length / vertices;
  if (size === SIZE) return transfer;
  const out = new Float32Array(SIZE * vertices);
  for (let i = 0; i < vertices; i++) {
    out.set(transfer.subarray(size * i, size * i + Math.min(size, SIZE)), SIZE * i);
  }
  return out;
}

const WHITE = new Color(1, 1, 1);

/** One rig: its surface, and its colours in each way of light. */
class LitPart {
  readonly mesh: ThreeMesh;
  readonly #model: SkinnedModel;
  readonly #first: number;
  readonly #own: SurfaceMaterials;
  readonly #materials: MeshBasicMaterial[];
  readonly #colours: Partial<Record<LightWay, BufferAttribute>> = {};
  readonly #tint?: Float32Array;
  #clay = false;

  constructor(model: SkinnedModel, first: number) {
    this.#model = model;
    this.#first = first;
    this.#own = new SurfaceMaterials(model.mesh);
    const geometry = restGeometry(model.mesh);
    this.#tint = geometry.getAttribute('color')?.array as Float32Array | undefined;
    const plain = this.#given;
    this.#materials = plain.map(
      ({ color, side, transparent, opacity, alphaTest }) =>
        new MeshBasicMaterial({ color, side, transparent, opacity, alphaTest, vertexColors: true, fog: false }),
    );
    this.mesh = new ThreeMesh(geometry, Array.isArray(this.#own.plain) ? this.#materials : this.#materials[0]);
    this.mesh.frustumCulled = false;
  }

  /** Materials of the file; all of them have a colour and may have a picture. */
  get #given(): MeshStandardMaterial[] {
    return [this.#own.plain].flat() as MeshStandardMaterial[];
  }

  /** 3N positions of all rigs. */
  move(positions: Float32Array): void {
    const { mesh } = this.#model;
    const own = positions.subarray(3 * this.#first, 3 * this.#first + mesh.positions.length);
    const { position } = this.mesh.geometry.attributes;
    (position.array as Float32Array).set(perSplit(own, 3, mesh));
    position.needsUpdate = true;
  }

  /** Colours and pictures of the file, which are decoded in their own time; or white clay. */
  dress(clay: boolean): void {
    this.#clay = clay;
    for (const [m, { color, map }] of this.#given.entries()) {
      const material = this.#materials[m];
      material.color.copy(clay ? WHITE : color);
      const wanted = clay ? null : map;
      if (material.map === wanted) continue;
      material.map = wanted;
      material.needsUpdate = true;
    }
  }

  /** 3N colours of all rigs. */
  paint(way: LightWay, colours: Float32Array): void {
    const { mesh } = this.#model;
    const own = perSplit(colours.subarray(3 * this.#first, 3 * this.#first + mesh.positions.length), 3, mesh);
    const tint = this.#clay ? undefined : this.#tint;
    if (tint) for (let c = 0; c < own.length; c++) own[c] *= tint[c];
    const attribute = (this.#colours[way] ??= new BufferAttribute(new Float32Array(own.length), 3));
    (attribute.array as Float32Array).set(own);
    attribute.needsUpdate = true;
  }

  show(way: LightWay): void {
    const colours = this.#colours[way] ?? this.#colours.base;
    if (colours) this.mesh.geometry.setAttribute('color', colours);
  }

  dispose(): void {
    this.mesh.geometry.dispose();
    for (const material of this.#materials) material.dispose();
    this.#own.dispose();
  }
}
