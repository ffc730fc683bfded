import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { bodiesOf, replaceRanges, walk, words } from './edit-source.mjs';
import { foldShader } from './shaders.mjs';

/** The materials that the studio draws with, and what three.js draws shadows with. */
const MATERIALS = ['meshphong', 'meshbasic', 'points', 'shadow', 'depth', 'distance', 'vsm'];

/** What the renderer puts before every shader. */
const ALWAYS = ['colorspace_pars_fragment', 'tonemapping_pars_fragment'];

/** Files that the renderer asks for and the studio never uses: glasses, environments, effects, clipping. */
const REPLACED = {
  'renderers/webxr/WebXRManager.js': `
    import { EventDispatcher } from '../../core/EventDispatcher.js';
    export class WebXRManager extends EventDispatcher {
      enabled = false;
      isPresenting = false;
      setAnimationLoop() {}
      getEnvironmentBlendMode() {}
      dispose() {}
    }`,
  'renderers/webgl/WebGLEnvironments.js': `
    export class WebGLEnvironments {
      get() { return null; }
      dispose() {}
    }`,
  'renderers/webgl/WebGLOutput.js': 'export class WebGLOutput {}',
  'renderers/webgl/WebGLUniformsGroups.js': 'export class WebGLUniformsGroups { dispose() {} }',
  'renderers/webgl/WebGLClipping.js': `
    export class WebGLClipping {
      uniform = { value: null, needsUpdate: false };
      numPlanes = 0;
      numIntersection = 0;
      init() { return false; }
      beginShadows() {}
      endShadows() {}
      setGlobalState() {}
      setState() {}
    }`,
  'renderers/shaders/DFGLUTData.js': 'export const getDFGLUT = () => null;',
};

/** Kinds of things that three.js asks for and the studio never makes. */
const KINDS = words(`
  AmbientLight ArrayCamera ArrayTexture BatchedMesh CompressedArrayTexture CompressedCubeTexture CompressedTexture
  CubeDepthTexture CubeTexture Data3DTexture ExternalTexture Float16BufferAttribute FogExp2
  FramebufferTexture GLBufferAttribute HTMLTexture InstancedBufferAttribute InstancedBufferGeometry
  InstancedInterleavedBuffer InstancedMesh InterleavedBuffer InterleavedBufferAttribute LOD LightProbe LightProbeGrid
  LineDashedMaterial LineLoop MeshLambertMaterial MeshMatcapMaterial MeshNormalMaterial MeshPhysicalMaterial
  MeshStandardMaterial MeshToonMaterial NodeMaterial OutputPass PMREMTexture PointLight PointLightShadow
  RawShaderMaterial RectAreaLight SpotLight Sprite SpriteMaterial SunLight VideoTexture WebGL3DRenderTarget
  WebGLArrayRenderTarget WebGLCubeRenderTarget
`).map((kind) => `is${kind}`);

/** What materials can have and those of the studio never do … */
const PROPERTIES = words(`
  alphaHash alphaMap anisotropyMap aoMap bumpMap clearcoat clearcoatMap clearcoatNormalMap clearcoatRoughnessMap
  diffuseRoughness diffuseRoughnessMap dispersion displacementMap emissiveMap envMap gradientMap iridescence
  iridescenceMap iridescenceThicknessMap lightMap matcap metalnessMap normalMap retroreflectivity roughnessMap sheen
  sheenColorMap sheenRoughnessMap specularColorMap specularIntensityMap specularMap thicknessMap transmission
  transmissionMap
`);

/** … and parameters of shaders that follow from these, or from kinds that there are none of. */
const PARAMETERS = [
  ...PROPERTIES.flatMap((name) => [name, `${name}Uv`, `${name}Transform`]),
  ...words(`
    alphaToCoverage anisotropy batching batchingColor decodeVideoTexture decodeVideoTextureEmissive dithering envMapMaxLod
    envMapMode envMapPMREM envMapSize extensionClipCullDistance extensionMultiDraw fogExp2 instancing instancingColor
    instancingMorph logarithmicDepthBuffer morphColors
    normalMapObjectSpace normalMapTangentSpace numClipIntersection numClippingPlanes numLightProbeGrids numLightProbes
    numPointLightShadows numPointLights numRectAreaLights numSpotLightMaps numSpotLightShadows
    numSpotLightShadowsWithMaps numSpotLights numSunLightShadows numSunLights packedNormalMap pointsUvs
    retroreflection reversedDepthBuffer vertexTangents
  `),
];

/** Materials, and uniforms of materials, by their names in three.js's lists of shaders. */
const SHADERS = words(`
  background backgroundCube cube dashed equirect lambert matcap normal physical sprite standard toon
  aomap bumpmap displacementmap emissivemap envmap gradientmap lightmap metalnessmap normalmap roughnessmap specularmap
`);

/** Names that have no value in files of three.js. */
const NEVER = [
  [/./, [...KINDS, ...PROPERTIES]],
  [/renderers\/(webgl\/WebGLPrograms?\.js|shaders\/)/, PARAMETERS],
  [/renderers\/shaders\//, SHADERS],
  [/WebGLBackground/, ['isTexture']],
  [/OrbitControls/, ['isOrthographicCamera', 'autoRotate', 'enableDamping']],
];

/** Functions and methods that are never called. */
const UNCALLED = {
  'renderers/webgl/WebGLTextures.js': words('uploadCubeTexture setTextureCube setTexture3D'),
  'renderers/webgl/WebGLShadowMap.js': ['VSMPass'],
  'renderers/WebGLRenderer.js': ['renderTransmissionPass'],
  'controls/OrbitControls.js': words('_handleKeyDown onKeyDown'),
};

/** Constants that nothing is ever equal to: compressed textures, environments, other kinds of shadows. */
const CONSTANTS = /_Format$|^(Cube|Equirectangular)\w+Mapping$|^(VSM|Basic)ShadowMap$/;

/** Methods that write three.js's own format, and what tells developers of doubtful calls. */
const FORMAT = ['toJSON', 'fromJSON'];
const WARNINGS = ['warn', 'warnOnce'];

/**
 * three.js from its modules, without what the studio never draws. Bundlers cannot know that: every renderer names every
 * kind of material, light and texture, and asks things what they are.
 */
export function leanThree(packages) {
  const three = join(packages, 'three');
  const source = join(three, 'src');
  const used = shadersOf(join(source, 'renderers/shaders'));
  const undefinedMacros = macrosOf(readFileSync(join(source, 'renderers/webgl/WebGLProgram.js'), 'utf8'));
  return {
    name: 'lean-three',
    enforce: 'pre',
    resolveId: (id) => (id === 'three' ? join(source, 'Three.js') : undefined),
    transform(code, id) {
      if (!id.startsWith(three)) {
        refuseAbsent(code, id);
        return undefined;
      }
      const file = id.slice(id.startsWith(source) ? source.length + 1 : join(three, 'examples/jsm').length + 1);
      if (REPLACED[file]) return REPLACED[file];
      if (!file.endsWith('.glsl.js')) return lean(code, this.parse(code), file);
      if (used.has(id)) return code.replace(/`([^`]*)`/g, (_, shader) => `\`${foldShader(shader, undefinedMacros)}\``);
      return file.includes('ShaderLib') ? "export const vertex = '', fragment = '';" : "export default '';";
    },
  };
}

/** Whoever makes something that is left out here had better hear of it. */
function refuseAbsent(code, file) {
  for (const [, imported] of code.matchAll(/import \{([^}]*)\} from 'three'/g)) {
    const names = imported.split(',').map((name) => name.trim().split(' as ')[0]);
    const absent = names.find((name) => KINDS.includes(`is${name}`)) ?? /new Color\('[a-z]+'/.exec(code)?.[0];
    if (absent) throw new Error(`${file}: ${absent} of three.js is left out by studio/build/lean-three.mjs`);
  }
}

/** Files of the shaders that the materials include, directly or not. */
function shadersOf(folder) {
  const found = new Set();
  const visit = (file) => {
    if (found.has(file)) return;
    found.add(file);
    for (const [, chunk] of readFileSync(file, 'utf8').matchAll(/#include <(\w+)>/g)) {
      visit(join(folder, 'ShaderChunk', `${chunk}.glsl.js`));
    }
  };
  for (const name of MATERIALS) visit(join(folder, 'ShaderLib', `${name}.glsl.js`));
  for (const name of ALWAYS) visit(join(folder, 'ShaderChunk', `${name}.glsl.js`));
  return found;
}

/** Macros of shaders that are never defined: only for parameters without a value, wherever they are. */
function macrosOf(program) {
  const defined = new Set();
  const never = new Set(words('LAMBERT STANDARD USE_UV NUM_SPOT_LIGHT_COORDS UNION_CLIPPING_PLANES'));
  for (const [, condition, macro] of program.matchAll(/([^\n,?]*)\? '#define (\w+)/g)) {
    const parameters = [...condition.matchAll(/parameters\.(\w+)/g)].map(([, name]) => name);
    const holds = condition.replace(/parameters\.(\w+)/g, (_, name) => !PARAMETERS.includes(name));
    const possible = !parameters.some((name) => PARAMETERS.includes(name)) || new Function(`return ${holds}`)();
    (possible ? defined : never).add(macro);
  }
  for (const [, macro, name] of program.matchAll(/replace\( \/(\w+)\/g, parameters\.(\w+) \)/g)) {
    if (PARAMETERS.includes(name)) never.add(macro);
  }
  return new Set([...never].filter((macro) => !defined.has(macro)));
}

/** A module in which names without a value read as nothing, are not written, and are no keys. */
function lean(code, tree, file) {
  const never = new Set(NEVER.flatMap(([files, names]) => (files.test(file) ? names : [])));
  const named = (node) => node.type === 'MemberExpression' && !node.computed && never.has(node.property.name);
  const ranges = bodiesOf(tree, UNCALLED[file] ?? [], file);
  const replace = ({ start, end }, text) => ranges.push([start, end, text]);
  walk(tree, (node, parent) => {
    const { type, expression, key } = node;
    if (type === 'ExpressionStatement' && expression.type === 'AssignmentExpression' && named(expression.left)) {
      // Kinds stay what they are: three.js makes an empty thing of each.
      if (!expression.left.property.name.startsWith('is')) replace(node, ';');
    } else if (type === 'ExpressionStatement' && WARNINGS.includes(expression.callee?.name)) {
      replace(node, ';');
    } else if (named(node) && !(parent.type === 'AssignmentExpression' && parent.left === node)) {
      replace(node, nothing(node.property.name));
    } else if (type === 'Property' && parent.type === 'ObjectExpression' && never.has(key.name)) {
      const { length } = /^\s*,|/.exec(code.slice(node.end))[0];
      ranges.push([node.start, node.end + length, '']);
    } else if (type === 'BinaryExpression' && /^[!=]==$/.test(node.operator) && isConstant(node.right)) {
      replace(node, `${node.operator === '!=='}`);
    } else if (type === 'MethodDefinition' && FORMAT.includes(key.name)) {
      replace(node, '');
    } else if (type === 'VariableDeclarator' && node.id.name === '_colorKeywords') {
      // Colours by name, of which there are a hundred and a half.
      replace(node.init, '{}');
    }
  });
  return ranges.length ? replaceRanges(code, ranges) : undefined;
}

const isConstant = ({ type, name }) => type === 'Identifier' && CONSTANTS.test(name);

/** What a name without a value reads as. */
const nothing = (name) => (name.startsWith('is') ? 'false' : name.startsWith('num') ? '0' : 'null');
