import {
  DataTexture,
  EquirectangularReflectionMapping,
  FloatType,
  LinearFilter,
  PMREMGenerator,
  type Texture,
  type WebGLRenderer,
} from 'three';
import { RoomEnvironment } from 'three/addons/environments/RoomEnvironment.js';
import type { NamedEnvironment } from '../core/view/environment.ts';

/** Prefiltered, by what they were made of; the room has no key of its own. */
const ROOM = {};
const made = new WeakMap<object, Texture>();

/** An environment for reflections of any roughness. Made once. */
export function prefiltered(renderer: WebGLRenderer, environment: NamedEnvironment | undefined): Texture {
  const key = environment?.map ?? ROOM;
  const before = made.get(key);
  if (before) return before;
  const generator = new PMREMGenerator(renderer);
  const target = renderer.getRenderTarget();
  const { texture } = environment ? generator.fromEquirectangular(pictureOf(environment)) : roomOf(generator);
  renderer.setRenderTarget(target);
  generator.dispose();
  made.set(key, texture);
  return texture;
}

function roomOf(generator: PMREMGenerator): { texture: Texture } {
  const room = new RoomEnvironment();
  const target = generator.fromScene(room, 0.04);
  room.dispose();
  return target;
}

/** Columns below which three.js cannot prefilter a picture. */
const LEAST = 256;

/** As three.js has it: four numbers per pixel, the last row at the top. Small pictures are enlarged. */
function pictureOf({ map }: NamedEnvironment): Texture {
  const times = Math.ceil(LEAST / map.width);
  const [width, height] = [times * map.width, times * map.height];
  const rgba = new Float32Array(4 * width * height).fill(1);
  for (let p = 0; p < width * height; p++) {
    const [x, y] = [p % width, height - 1 - Math.floor(p / width)].map((place) => Math.floor(place / times));
    for (let c = 0; c < 3; c++) rgba[4 * p + c] = map.pixels[3 * (y * map.width + x) + c];
  }
  const texture = new DataTexture(rgba, width, height, undefined, FloatType, EquirectangularReflectionMapping);
  Object.assign(texture, { minFilter: LinearFilter, magFilter: LinearFilter, needsUpdate: true });
  return texture;
}
