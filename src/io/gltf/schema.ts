import type { GLTF } from '@gltf-transform/core';
import { oldGltf } from './container.ts';
import { GltfFault } from './limits.ts';
import { isObject, mapTextureInfos, PICTURE_EXTENSIONS } from './textures.ts';

/**
 * The shape of the glTF 2.0 JSON that the reader uses (§5 of the specification, "Properties Reference"), checked once
 * so that everything behind it may trust the types: numbers are finite, indices lie within their lists.
 */

type Json = Record<string, unknown>;
type Check = (value: unknown, at: string, root: Json) => void;
const REQUIRED = Symbol('required');
type Required = Check & { [REQUIRED]: true };

function fail(at: string, value: unknown, expected: string): never {
  const text = JSON.stringify(value);
  const got = text === undefined ? 'nothing' : text.length > 40 ? `${text.slice(0, 40)}…` : text;
  throw new GltfFault(`invalid ${at} (got ${got}, expected ${expected})`);
}

const required = (check: Check): Required =>
  Object.assign(((value, at, root) => check(value, at, root)) satisfies Check, { [REQUIRED]: true as const });

/** Properties not listed (extras, unknown extensions) may be anything. */
function object(properties: Record<string, Check | Required>): Check {
  const entries = Object.entries(properties);
  return (value, at, root) => {
    if (!isObject(value)) fail(at, value, 'an object');
    for (const [name, check] of entries) {
      const path = at === '' ? name : `${at}.${name}`;
      if (Object.hasOwn(value, name)) check(value[name], path, root);
      else if (REQUIRED in check) fail(path, undefined, 'a value');
    }
  };
}

const list =
  (check: Check, least = 0): Check =>
  (value, at, root) => {
    if (!Array.isArray(value) || value.length < least) fail(at, value, `a list of at least ${least}`);
    for (let n = 0; n < value.length; n++) check(value[n], `${at}[${n}]`, root);
  };

const record =
  (check: Check): Check =>
  (value, at, root) => {
    if (!isObject(value)) fail(at, value, 'an object');
    for (const [name, entry] of Object.entries(value)) check(entry, `${at}.${name}`, root);
  };

const string: Check = (value, at) => {
  if (typeof value !== 'string') fail(at, value, 'a string');
};

const boolean: Check = (value, at) => {
  if (typeof value !== 'boolean') fail(at, value, 'true or false');
};

const number: Check = (value, at) => {
  if (!Number.isFinite(value)) fail(at, value, 'a number');
};

const integer =
  (min = 0, max = Number.MAX_SAFE_INTEGER): Check =>
  (value, at) => {
    if (!Number.isSafeInteger(value) || (value as number) < min || (value as number) > max) {
      fail(at, value, max === Number.MAX_SAFE_INTEGER ? `a whole number ≥ ${min}` : `${min} to ${max}`);
    }
  };

const numbers =
  (length?: number): Check =>
  (value, at) => {
    const good = Array.isArray(value) && (length === undefined || value.length === length);
    if (!good || !value.every(Number.isFinite)) fail(at, value, `${length ?? 'a list of'} numbers`);
  };

const oneOf =
  (...choices: (string | number)[]): Check =>
  (value, at) => {
    if (!choices.includes(value as string)) fail(at, value, choices.join(', '));
  };

/** A place in one of the lists at the root. */
const index =
  (of: string): Check =>
  (value, at, root) => {
    const entries = root[of];
    const length = Array.isArray(entries) ? entries.length : 0;
    if (!Number.isSafeInteger(value) || (value as number) < 0 || (value as number) >= length) {
      fail(at, value, length === 0 ? `no index, since there are no ${of}` : `0 to ${length - 1}`);
    }
  };

const name = string;
const accessor = index('accessors');
const BYTE_OFFSET = integer();

const node = object({
  name,
  children: list(index('nodes')),
  mesh: index('meshes'),
  skin: index('skins'),
  matrix: numbers(16),
  translation: numbers(3),
  rotation: numbers(4),
  scale: numbers(3),
  weights: numbers(),
});

const mesh = object({
  name,
  weights: numbers(),
  primitives: required(
    list(
      object({
        attributes: required(record(accessor)),
        indices: accessor,
        material: index('materials'),
        mode: integer(0, 6),
        targets: list(record(accessor)),
        extensions: object({
          KHR_draco_mesh_compression: object({
            bufferView: required(index('bufferViews')),
            attributes: required(record(integer())),
          }),
        }),
      }),
    ),
  ),
});

const skin = object({
  name,
  joints: required(list(index('nodes'), 1)),
  inverseBindMatrices: accessor,
});

const animation = object({
  name,
  samplers: required(
    list(
      object({
        input: required(accessor),
        output: required(accessor),
        interpolation: oneOf('LINEAR', 'STEP', 'CUBICSPLINE'),
      }),
    ),
  ),
  channels: required(
    list(
      object({
        sampler: required(integer()),
        target: required(object({ node: index('nodes'), path: required(string) })),
      }),
    ),
  ),
});

const accessorDefinition = object({
  bufferView: index('bufferViews'),
  byteOffset: BYTE_OFFSET,
  componentType: required(oneOf(5120, 5121, 5122, 5123, 5125, 5126)),
  normalized: boolean,
  count: required(integer(1, 2 ** 32)),
  type: required(oneOf('SCALAR', 'VEC2', 'VEC3', 'VEC4', 'MAT2', 'MAT3', 'MAT4')),
  sparse: object({
    count: required(integer(1)),
    indices: required(
      object({
        bufferView: required(index('bufferViews')),
        byteOffset: BYTE_OFFSET,
        componentType: required(oneOf(5121, 5123, 5125)),
      }),
    ),
    values: required(object({ bufferView: required(index('bufferViews')), byteOffset: BYTE_OFFSET })),
  }),
});

const meshoptView = object({
  buffer: required(index('buffers')),
  byteOffset: BYTE_OFFSET,
  byteLength: required(integer(1)),
  byteStride: required(integer(1, 256)),
  count: required(integer(1, 2 ** 32)),
  mode: required(oneOf('ATTRIBUTES', 'TRIANGLES', 'INDICES')),
  filter: oneOf('NONE', 'OCTAHEDRAL', 'QUATERNION', 'EXPONENTIAL', 'COLOR'),
});

const bufferView = object({
  buffer: required(index('buffers')),
  byteOffset: BYTE_OFFSET,
  byteLength: required(integer(1)),
  byteStride: integer(1, 256),
  extensions: object({
    EXT_meshopt_compression: meshoptView,
    KHR_meshopt_compression: meshoptView,
  }),
});

const textureSource = object({ source: index('images') });

const textureInfo = object({
  index: required(index('textures')),
  texCoord: integer(),
  extensions: object({
    KHR_texture_transform: object({
      offset: numbers(2),
      rotation: number,
      scale: numbers(2),
      texCoord: integer(),
    }),
  }),
});

const pbr = object({
  pbrMetallicRoughness: object({
    baseColorFactor: numbers(4),
    metallicFactor: number,
    roughnessFactor: number,
    baseColorTexture: textureInfo,
  }),
  name,
  doubleSided: boolean,
  alphaMode: oneOf('OPAQUE', 'MASK', 'BLEND'),
});

/** Textures are looked for in extensions as well. */
const material: Check = (value, at, root) => {
  pbr(value, at, root);
  mapTextureInfos(value as Json, (info, slot) => {
    textureInfo(info, `${at}.${slot}`, root);
    return info;
  });
};

const gltf = object({
  asset: required(object({ version: required(string), minVersion: string })),
  extensionsUsed: list(string),
  extensionsRequired: list(string),
  scene: index('scenes'),
  scenes: list(object({ nodes: list(index('nodes')) })),
  nodes: list(node),
  meshes: list(mesh),
  skins: list(skin),
  animations: list(animation),
  accessors: list(accessorDefinition),
  bufferViews: list(bufferView),
  buffers: list(object({ uri: string, byteLength: required(integer(1)) })),
  images: list(object({ uri: string, mimeType: string, bufferView: index('bufferViews') })),
  samplers: list(object({})),
  textures: list(
    object({
      sampler: index('samplers'),
      source: index('images'),
      extensions: object({
        ...Object.fromEntries(PICTURE_EXTENSIONS.map((extension) => [extension, textureSource])),
      }),
    }),
  ),
  materials: list(material),
});

/** glTF 1.0, or a draft of it: lists are maps. */
function isOld({ asset, ...json }: Record<string, unknown>): boolean {
  const version = isObject(asset) ? asset.version : undefined;
  if (version !== undefined) return /^[01](\.|$)/.test(String(version));
  return ['meshes', 'accessors', 'bufferViews'].some((name) => isObject(json[name]));
}

/** The JSON as glTF, or a fault that names the first property that is not what glTF says. */
export function checkSchema(json: unknown): GLTF.IGLTF {
  if (!isObject(json)) throw new GltfFault('not glTF: the JSON is not an object');
  if (isOld(json)) throw oldGltf();
  if (!isObject(json.asset)) throw new GltfFault('not glTF: no "asset" (expected an object with a version)');
  gltf(json, '', json);
  return json as unknown as GLTF.IGLTF;
}
