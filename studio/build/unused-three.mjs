import { words } from './edit-source.mjs';

/** What of three.js the studio never uses. A test of every view in a browser sees to it that this is so. */

/** The materials that the studio draws with, and what three.js draws shadows with. */
export const MATERIALS = ['meshphong', 'meshbasic', 'points', 'shadow', 'depth'];

/** What the renderer puts before every shader. */
export const ALWAYS = ['colorspace_pars_fragment'];

/** Files that the renderer asks for and the studio never uses: glasses, environments, effects, clipping. */
export const REPLACED = {
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
  'math/FrustumArray.js': 'export class FrustumArray {}',
  'renderers/shaders/DFGLUTData.js': 'export const getDFGLUT = () => null;',
};

/** Kinds of things that three.js asks for and the studio never makes. */
export const KINDS = words(`
  AmbientLight ArrayCamera ArrayTexture BatchedMesh CompressedArrayTexture CompressedCubeTexture CompressedTexture
  CubeTexture Data3DTexture ExternalTexture Float16BufferAttribute FogExp2
  FramebufferTexture GLBufferAttribute HTMLTexture InstancedBufferAttribute InstancedBufferGeometry
  InstancedInterleavedBuffer InstancedMesh InterleavedBuffer InterleavedBufferAttribute LOD LightProbe LightProbeGrid
  LineDashedMaterial LineLoop MeshLambertMaterial MeshMatcapMaterial MeshNormalMaterial MeshPhysicalMaterial
  MeshStandardMaterial MeshToonMaterial NodeMaterial OutputPass PMREMTexture PointLight PointLightShadow
  RawShaderMaterial RectAreaLight SpotLight Sprite SpriteMaterial SunLight VideoTexture WebGL3DRenderTarget
  WebGLArrayRenderTarget WebGLCubeRenderTarget
`).map((kind) => `is${kind}`);

/** What materials can have and those of the studio never do … */
export const PROPERTIES = words(`
  alphaHash alphaMap anisotropyMap aoMap bumpMap clearcoat clearcoatMap clearcoatNormalMap clearcoatRoughnessMap
  diffuseRoughness diffuseRoughnessMap dispersion displacementMap emissiveMap envMap gradientMap iridescence
  iridescenceMap iridescenceThicknessMap lightMap matcap metalnessMap normalMap retroreflectivity roughnessMap sheen
  sheenColorMap sheenRoughnessMap specularColorMap specularIntensityMap specularMap thicknessMap transmission
  transmissionMap
`);

/** … and parameters of shaders that follow from these, or from kinds that there are none of. */
export const PARAMETERS = [
  ...PROPERTIES.flatMap((name) => (name.endsWith('Map') ? [name, `${name}Uv`, `${name}Transform`] : [name])),
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

const isCount = (name) => name.startsWith('num');

/**
 * What names read as in files of three.js, the last row that has one counts. They are no keys there, and but for kinds, of
 * each of which three.js makes an empty one, not written.
 */
export const VALUES = [
  [/./, KINDS, 'false'],
  [/./, PROPERTIES, 'null'],
  [/renderers\/(webgl\/WebGLPrograms?\.js|shaders\/)/, PARAMETERS.filter(isCount), '0'],
  [/renderers\/(webgl\/WebGLPrograms?\.js|shaders\/)/, PARAMETERS.filter((name) => !isCount(name)), 'false'],
  [/renderers\/shaders\//, SHADERS, 'null'],
  [/WebGLProgram\.js/, ['toneMapping'], 'NoToneMapping'],
  [/WebGLBackground/, ['isTexture'], 'false'],
  [/OrbitControls/, words('isOrthographicCamera autoRotate enableDamping'), 'false'],
  [/OrbitControls/, words('isPerspectiveCamera enabled enableRotate enablePan enableZoom'), 'true'],
];

/** Macros of shaders that are never defined, besides those that only parameters without a value define. */
export const MACROS = words('LAMBERT STANDARD TONE_MAPPING USE_UV NUM_SPOT_LIGHT_COORDS UNION_CLIPPING_PLANES');

/** What never happens, as `neverIn` takes it. */
export const NEVER = {
  'renderers/webgl/WebGLTextures.js': {
    called: words('setTextureCube setTexture3D'),
    returns: { getByteLength: '0' },
  },
  'renderers/webgl/WebGLShadowMap.js': {
    called: ['VSMPass'],
    set: ['shadowMaterialHorizontal.defines.HORIZONTAL_PASS'],
    returns: { 'shadowMaterialVertical.clone': 'null' },
  },
  // All four: of the state, and of its buffers.
  'renderers/webgl/WebGLState.js': { called: ['reset'] },
  'renderers/WebGLRenderer.js': { called: ['renderTransmissionPass'] },
  'controls/OrbitControls.js': { called: ['onKeyDown'] },
};

/** Constants that nothing is ever equal to: textures but of colours and depths, other shadows … */
export const CONSTANTS = [
  /^(\w+_|RG|RGB|Alpha|\w+Integer)Format$/,
  /^Unsigned(Short4444|Short5551|Int5999|Int101111)Type$/,
  /^VSMShadowMap$/,
];

/** … the same of WebGL, by members of a context … */
export const GL_CONSTANTS = /^RGB?$|_INTEGER$|_(4_4_4_4|5_5_5_1|5_9_9_9_REV|10F_11F_11F_REV)$/;

/**
 * … and cases that never come: other orders of turning, gestures, lights, ways of blending, and uniforms of types that no
 * shader has (unsigned integers, three and four integers or booleans, 2 × 2 matrices, volumes, cubes).
 */
export const CASES = words(`
  'YXZ' 'ZXY' 'ZYX' 'YZX' 'XZY'
  TOUCH.PAN TOUCH.DOLLY_ROTATE _STATE.TOUCH_PAN _STATE.TOUCH_DOLLY_ROTATE
  'SunLight' 'SpotLight' 'PointLight' 'RectAreaLight'
  AdditiveBlending SubtractiveBlending MultiplyBlending
  0x1405 0x8dc6 0x8dc7 0x8dc8 0x8b54 0x8b58 0x8b55 0x8b59 0x8b5a
  0x8b5f 0x8dcb 0x8dd3 0x8b60 0x8dcc 0x8dd4 0x8dc5
`);

/**
 * Methods that write three.js's own format (JSON would call them without naming them), those that copy things of which there
 * are no copies, and warnings.
 */
export const FORMAT = ['toJSON', 'fromJSON'];
export const COPY = ['copy', 'clone'];
export const ORIGINALS = [
  /^(objects|scenes|lights|cameras|geometries)\//,
  /^core\/(Object3D|BufferGeometry|BufferAttribute|RenderTarget)\./,
  /^materials\/(?!Material\.|MeshDepth)/,
];
export const WARNINGS = ['warn', 'warnOnce'];
