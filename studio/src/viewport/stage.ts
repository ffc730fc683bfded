import {
  Color,
  DirectionalLight,
  Fog,
  GridHelper,
  Group,
  HemisphereLight,
  Mesh,
  PlaneGeometry,
  Quaternion,
  Scene,
  ShadowMaterial,
  type Texture,
  Vector3,
} from 'three';
import { type Bounds, boundsOf } from '../../../src/doors/mesh.ts';
import type { Space } from '../../../src/index.ts';
import { type ShadowLook, SOFT } from './shadows.ts';

export type Up = Space['up'];

/** The ground goes through `floor` (a point); `radius` is that of the `points` (3 each) that stand on it. */
export interface Ground {
  floor: Vector3;
  radius: number;
  up: Up;
  points: Float32Array;
}

const AXES: Record<Up, Vector3> = { x: new Vector3(1, 0, 0), y: new Vector3(0, 1, 0), z: new Vector3(0, 0, 1) };

export const upVector = (up: Up): Vector3 => AXES[up].clone();

const TONES = {
  light: { back: 0xe9ebee, line: 0xcdd1d7, axis: 0xb4bac3, sky: 0xffffff, ground: 0xb9b4ac, shadow: 0.16 },
  dark: { back: 0x343941, line: 0x434952, axis: 0x535b66, sky: 0xdfe8f5, ground: 0x4a4640, shadow: 0.4 },
} as const;

const CELLS = 40;

/** Position of the shadow-casting light above the middle of the ground, in radii of the content. */
const KEY = new Vector3(1.6, 3.6, 2.2);
/** Width of the ground in radii. */
const GROUND = 12;
/** Distance in radii by which results or unsampled frames may leave the motion and still cast a whole shadow. */
const MARGIN = 1;
/** Extra size of a shadow in radii, as its edge is soft. */
const SOFTNESS = 0.05;

/** Intensities: lamps alone; or an environment, with a weak lamp for shadows on the ground. */
const LIGHTS = { lamps: { key: 2, fill: 0.5, sky: 1.2 }, environment: { key: 0.5, fill: 0, sky: 0 } };

/** Ground, lights and fog around the content. */
export class Stage {
  readonly scene = new Scene();
  readonly #back = new Color();
  readonly #place = new Group();
  readonly #key = new DirectionalLight(0xffffff, 2);
  readonly #fill = new DirectionalLight(0xffffff, 0.5);
  readonly #sky = new HemisphereLight(0xffffff, 0x888888, 1.2);
  readonly #floor = new Mesh(
    new PlaneGeometry(1, 1).rotateX(-Math.PI / 2),
    new ShadowMaterial({ fog: false, toneMapped: false }),
  );
  readonly #fog = new Fog(0, 1, 2);
  /** The area of the ground where shadows of the motion can fall. */
  #reach: Bounds = boundsOf([]);
  /** The current shadow casters, in the axes of the file. */
  #caster?: Bounds;
  #radius = 1;
  #roaming = false;
  #grounded = true;
  #grid = new GridHelper(1, CELLS);
  dark = false;

  constructor() {
    this.#key.castShadow = true;
    this.drawShadows(SOFT);
    this.#floor.receiveShadow = true;
    this.#place.add(this.#key, this.#key.target, this.#fill, this.#sky, this.#floor, this.#grid);
    this.scene.add(this.#place);
    this.scene.fog = this.#fog;
    this.setDark(false);
  }

  /** Whether ground and background are shown; lights always are. */
  set shown(shown: boolean) {
    this.scene.background = shown ? this.#back : null;
    this.#floor.visible = this.#grid.visible = shown && this.#grounded;
  }

  /** Whether there is a ground. */
  set grounded(grounded: boolean) {
    this.#grounded = grounded;
    this.#floor.visible = this.#grid.visible = grounded;
  }

  /** Lights the content by an environment, or by lamps without one. */
  light(environment: Texture | null): void {
    const { key, fill, sky } = LIGHTS[environment ? 'environment' : 'lamps'];
    this.scene.environment = environment;
    this.scene.environmentIntensity = 0.85;
    this.#key.intensity = key;
    this.#fill.intensity = fill;
    this.#sky.intensity = sky;
  }

  /** Sets how shadows are drawn. Returns whether that has changed. */
  drawShadows({ size, radius }: ShadowLook): boolean {
    const { shadow } = this.#key;
    if (shadow.mapSize.x === size) return false;
    shadow.mapSize.setScalar(size);
    shadow.radius = radius;
    return true;
  }

  setDark(dark: boolean): void {
    this.dark = dark;
    const look = TONES[dark ? 'dark' : 'light'];
    this.#back.set(look.back);
    this.scene.background = this.#back;
    this.#fog.color.set(look.back);
    this.#sky.color.set(look.sky);
    this.#sky.groundColor.set(look.ground);
    this.#floor.material.opacity = look.shadow;
    this.#makeGrid(this.#grid.scale.x);
  }

  /** Whether the content may leave the points that the stage was made for: then the whole ground receives shadows. */
  set roaming(roaming: boolean) {
    this.#roaming = roaming;
    this.#layFloor();
  }

  /** Sets the shadow casters of the next frame, if known: the ground is then drawn below them only, which is faster. */
  set caster(caster: Bounds | undefined) {
    this.#caster = caster;
    this.#layFloor();
  }

  /** Puts the ground below the content, and the lights around it. */
  fit({ floor, radius, up, points }: Ground): void {
    this.#place.position.copy(floor);
    this.#place.quaternion.copy(new Quaternion().setFromUnitVectors(AXES.y, AXES[up]));
    this.#makeGrid(cellSize(radius) * CELLS);
    this.#radius = radius;
    this.#reach = this.#shadowOf(points, MARGIN);
    this.#layFloor();
    this.#key.position.copy(KEY).multiplyScalar(radius);
    this.#fill.position.set(-2 * radius, radius, -1.5 * radius);
    const { camera } = this.#key.shadow;
    Object.assign(camera, { left: -2.2 * radius, right: 2.2 * radius, top: 2.2 * radius, bottom: -2.2 * radius });
    Object.assign(camera, { near: radius * 0.5, far: radius * 8 });
    camera.updateProjectionMatrix();
    this.#key.shadow.normalBias = radius * 0.015;
    this.#key.shadow.bias = -0.001;
  }

  dispose(): void {
    this.#key.dispose();
    this.#floor.geometry.dispose();
    this.#floor.material.dispose();
    this.#grid.dispose();
  }

  /** The ground fades with the distance of the camera. */
  setDistance(distance: number): void {
    this.#fog.near = distance;
    this.#fog.far = distance * 2.1;
  }

  /** The floor that receives shadows. */
  #layFloor(): void {
    const half = (GROUND * this.#radius) / 2;
    const { min, max } = this.#caster
      ? this.#shadowOf(cornersOf(this.#caster), SOFTNESS)
      : this.#roaming
        ? { min: [-half, 0, -half], max: [half, 0, half] }
        : this.#reach;
    this.#floor.position.set((min[0] + max[0]) / 2, -this.#radius * 1e-3, (min[2] + max[2]) / 2);
    this.#floor.scale.set(max[0] - min[0], 1, max[2] - min[2]);
  }

  /** Where the shadow of points (3 each) falls on the ground, in its axes, and so many radii around it. */
  #shadowOf(points: ArrayLike<number>, margin: number): Bounds {
    const { position, quaternion } = this.#place;
    const toGround = quaternion.clone().invert();
    const point = new Vector3();
    const shadows = new Float64Array(points.length);
    for (let i = 0; i < points.length; i += 3) {
      point
        .set(points[i], points[i + 1], points[i + 2])
        .sub(position)
        .applyQuaternion(toGround);
      point.addScaledVector(KEY, -point.y / KEY.y).toArray(shadows, i);
    }
    const { min, max } = boundsOf(shadows);
    const around = margin * this.#radius;
    return { min: min.map((x) => x - around) as Bounds['min'], max: max.map((x) => x + around) as Bounds['max'] };
  }

  #makeGrid(size: number): void {
    const look = TONES[this.dark ? 'dark' : 'light'];
    this.#grid.removeFromParent();
    this.#grid.dispose();
    this.#grid = new GridHelper(1, CELLS, look.axis, look.line);
    this.#grid.material.toneMapped = false;
    this.#grid.visible = this.#grounded;
    this.#grid.scale.setScalar(size);
    this.#place.add(this.#grid);
  }
}

/** 24: the corners of a box. */
const cornersOf = ({ min, max }: Bounds): number[] =>
  [0, 1, 2, 3, 4, 5, 6, 7].flatMap((corner) => min.map((low, c) => (corner & (1 << c) ? max[c] : low)));

/** A tenth to a half of the radius, a round number. */
function cellSize(radius: number): number {
  const power = 10 ** Math.floor(Math.log10(radius));
  const share = radius / power;
  return (share >= 5 ? 1 : share >= 2 ? 0.5 : 0.2) * power;
}
