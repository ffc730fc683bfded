import type { IUniform, Material, Texture, Vector3 } from 'three';
import { PliantError } from '../../../src/error.ts';
import { type CompiledShader, type Disposable, patchMaterial } from '../material.ts';
import { CROWD_FRAME, CROWD_SPHERES } from './crowd-spheres-shader.ts';
import { CHARACTER_SPHERES, LIGHT_BANDS, LIGHT_COEFFICIENTS, LIGHT_UNIFORMS, lightFunction } from './light-shader.ts';
import { RESIDUAL_FUNCTIONS } from './residual-shader.ts';

/**
 * Materials of three.js whose ambient light is ours. The vertex shader computes it, or reads what a pass has computed; the
 * fragment shader takes it in place of an environment map's diffuse light, and takes from its reflections, and from ambient
 * lights of the scene, what spheres hide, corrected by visibility that was baked.
 */

/** Where the light of a vertex is computed: in the material's own vertex shader, or in a pass before it. */
export type LightPath = 'vertex' | 'pass';

/** How the light of vertices is computed. */
export interface LightWay {
  path: LightPath;
  directions: number;
  /** Whether what was baked is added. */
  baked: boolean;
  /** Whether it lights the instances of a `SkinnedCrowd`. */
  crowd?: boolean;
}

/** Texels of a vertex in a pass. */
export const LIT_TEXELS = 4;

/** What the shaders of one material read. Values change from mesh to mesh. */
export interface LightUniforms {
  pliantSpheres: IUniform<Texture | null>;
  pliantSphereCount: IUniform<number>;
  pliantSh: IUniform<readonly Vector3[]>;
  pliantBounces: IUniform<ArrayLike<number>>;
  /** Of baked light. */
  pliantModes: IUniform<Texture | null>;
  pliantTable: IUniform<Texture | null>;
  pliantModeCount: IUniform<number>;
  pliantGlossCount: IUniform<number>;
  /** Of a pass: `LIT_TEXELS` textures. */
  pliantLit: IUniform<readonly Texture[]>;
  [name: string]: IUniform;
}

const uniformsOf = new WeakMap<Material, LightUniforms>();

/** Whether three.js lights a material, so that there is ambient light to replace. */
export const isLit = (material: Material): boolean =>
  ['isMeshStandardMaterial', 'isMeshPhongMaterial', 'isMeshLambertMaterial', 'isMeshToonMaterial'].some(
    (kind) => kind in material,
  );

/** Lets a material take its ambient light from `uniforms`, until all who asked for it have disposed of it. */
export function lightMaterial(material: Material, way: LightWay): Disposable & { uniforms: LightUniforms } {
  const { path, directions, baked, crowd } = way;
  const words = `${directions} directions, ${path}${baked ? ', baked' : ''}${crowd ? ', crowd' : ''}`;
  const uniforms = uniformsOf.get(material) ?? newUniforms();
  uniformsOf.set(material, uniforms);
  const { dispose } = patchMaterial(material, {
    kind: 'light',
    blends: words,
    key: `pliant light ${words}`,
    operation: 'useLight',
    apply: (shader) => {
      Object.assign(shader.uniforms, uniforms);
      lightVertices(shader, way);
      lightFragments(shader);
    },
  });
  return { uniforms, dispose };
}

const newUniforms = (): LightUniforms => ({
  pliantSpheres: { value: null },
  pliantSphereCount: { value: 0 },
  pliantSh: { value: [] },
  pliantBounces: { value: [] },
  pliantModes: { value: null },
  pliantTable: { value: null },
  pliantModeCount: { value: -1 },
  pliantGlossCount: { value: -1 },
  pliantLit: { value: [] },
});

const LIGHT_TURN = `
mat3 pliantTurn( const in mat3 m ) {
	vec3 x = normalize( m[ 0 ] );
	vec3 y = normalize( m[ 1 ] - dot( m[ 1 ], x ) * x );
	return mat3( x, y, cross( x, y ) );
}
`;

/** `R` of the heaviest bone, or of the object: the frame in which directions are fixed. */
const LIGHT_FRAME = `
mat3 pliantFrame() {
#ifdef USE_SKINNING
	float heaviest = max( max( skinWeight.x, skinWeight.y ), max( skinWeight.z, skinWeight.w ) );
	float first = skinWeight.x == heaviest ? skinIndex.x : skinWeight.y == heaviest ? skinIndex.y : skinWeight.z == heaviest ? skinIndex.z : skinIndex.w;
	return pliantTurn( mat3( modelMatrix * bindMatrixInverse * getBoneMatrix( first ) * bindMatrix ) );
#else
	return pliantTurn( mat3( modelMatrix ) );
#endif
}
`;

/** All functions that the light of a vertex takes. */
export const lightFunctions = ({ directions, baked, crowd }: LightWay): string =>
  [
    LIGHT_UNIFORMS,
    crowd ? CROWD_SPHERES : CHARACTER_SPHERES,
    LIGHT_BANDS,
    lightFunction(directions, true),
    LIGHT_TURN,
    crowd ? CROWD_FRAME : LIGHT_FRAME,
    baked ? RESIDUAL_FUNCTIONS : '',
  ].join('');

/** Lights the vertex that three.js's chunks have worked out. What was baked is for directions that are fixed as then. */
export const lightCall = ({ baked }: LightWay): string => `
	vec3 pliantPlace = ( modelMatrix * vec4( transformed, 1.0 ) ).xyz;
	vec3 pliantNormal = normalize( ( vec4( transformedNormal, 0.0 ) * viewMatrix ).xyz );
	${
    baked
      ? `PliantRow pliantOwn;
	if ( pliantModeCount >= 0 ) pliantOwn = pliantRowOf();
	PliantLit pliantResult = pliantLight( pliantPlace, pliantNormal, pliantModeCount >= 0 ? pliantBakedFrame( pliantOwn ) : pliantFrame() );
	if ( pliantModeCount >= 0 ) {
		pliantResult.light.rgb += pliantResidual( pliantOwn );
		pliantBakedGloss( pliantOwn, pliantBakedFrame( pliantOwn ), pliantResult.hidden );
	}`
      : 'PliantLit pliantResult = pliantLight( pliantPlace, pliantNormal, pliantFrame() );'
  }
	pliantResult.light.rgb = max( pliantResult.light.rgb, vec3( 0.0 ) );
`;

/** The four vectors of a result, as `name( 0 )` … */
export const litVectors = (set: (index: number, value: string) => string): string =>
  [
    set(0, 'pliantResult.light'),
    set(
      1,
      'vec4( pliantResult.hidden[ 0 ], pliantResult.hidden[ 1 ], pliantResult.hidden[ 2 ], pliantResult.hidden[ 3 ] )',
    ),
    set(
      2,
      'vec4( pliantResult.hidden[ 4 ], pliantResult.hidden[ 5 ], pliantResult.hidden[ 6 ], pliantResult.hidden[ 7 ] )',
    ),
    set(3, 'vec4( pliantResult.hidden[ 8 ], 0.0, 0.0, 0.0 )'),
  ].join('\n\t');

const VARYINGS = Array.from({ length: LIT_TEXELS }, (_, q) => `varying vec4 vPliantLit${q};`).join('\n');

function lightVertices(shader: CompiledShader, way: LightWay): void {
  const { path } = way;
  const declared = path === 'vertex' ? lightFunctions(way) : `uniform highp sampler2D pliantLit[ ${LIT_TEXELS} ];`;
  const work =
    path === 'vertex'
      ? `${lightCall(way)}\n\t${litVectors((q, value) => `vPliantLit${q} = ${value};`)}`
      : `ivec2 pliantAt = ivec2( gl_VertexID % textureSize( pliantLit[ 0 ], 0 ).x, gl_VertexID / textureSize( pliantLit[ 0 ], 0 ).x );
	${Array.from({ length: LIT_TEXELS }, (_, q) => `vPliantLit${q} = texelFetch( pliantLit[ ${q} ], pliantAt, 0 );`).join('\n\t')}`;
  // Chunks for bones may have been replaced; these are three.js's own, and stand behind them.
  shader.vertexShader = replaced(shader.vertexShader, 'void main() {', `${VARYINGS}\n${declared}\nvoid main() {`);
  const project = '#include <project_vertex>';
  shader.vertexShader = replaced(shader.vertexShader, project, `${project}\n${work}`);
}

const FRAGMENT = `
uniform vec3 pliantSh[ ${LIGHT_COEFFICIENTS} ];
${VARYINGS}
${LIGHT_BANDS}

vec3 pliantWorld( const in vec3 d ) {
	return normalize( ( vec4( d, 0.0 ) * viewMatrix ).xyz );
}

// What is left of a lobe around r: bands fall off as those of a Gaussian whose width is that of the roughness.
float pliantGloss( const in vec3 r, const in vec3 n, const in float alpha ) {
	float y[ 9 ];
	pliantHarmonics( r, y );
	float z1 = exp( - 2.0 * alpha * alpha );
	float z2 = exp( - 6.0 * alpha * alpha );
	float hidden = y[ 0 ] * vPliantLit1.x + z1 * ( y[ 1 ] * vPliantLit1.y + y[ 2 ] * vPliantLit1.z + y[ 3 ] * vPliantLit1.w )
		+ z2 * ( y[ 4 ] * vPliantLit2.x + y[ 5 ] * vPliantLit2.y + y[ 6 ] * vPliantLit2.z + y[ 7 ] * vPliantLit2.w + y[ 8 ] * vPliantLit3.x );
	return clamp( 1.0 - hidden / ( 0.5 + 0.75 * z1 * max( 0.0, dot( n, r ) ) ), 0.0, 1.0 );
}

// Irradiance. The light of a vertex is for its own normal: where another one is shaded, as much more or less as without spheres.
vec3 pliantIrradiance( const in vec3 shaded ) {
	vec3 light = vPliantLit0.rgb;
	#if ! defined( FLAT_SHADED ) && ( defined( DOUBLE_SIDED ) || defined( USE_NORMALMAP ) || defined( USE_BUMPMAP ) )
		vec3 there = max( pliantUnshadowed( pliantWorld( shaded ) ), vec3( 0.0 ) );
		vec3 here = max( pliantUnshadowed( pliantWorld( vNormal ) ), vec3( 1e-6 ) );
		light *= min( there / here, vec3( 4.0 ) );
	#endif
	return PI * light;
}
`;

function lightFragments(shader: CompiledShader): void {
  let text = replaced(shader.fragmentShader, 'void main() {', `${FRAGMENT}\nvoid main() {`);
  const maps = '#include <lights_fragment_maps>';
  text = replaced(
    text,
    maps,
    `#if defined( RE_IndirectDiffuse )
		irradiance *= vPliantLit0.w;
	#endif
	${maps}
	#if defined( RE_IndirectDiffuse )
		#ifdef STANDARD
			iblIrradiance = pliantIrradiance( geometryNormal );
		#else
			iblIrradiance = vec3( 0.0 );
			irradiance += pliantIrradiance( geometryNormal );
		#endif
	#endif
	#if defined( RE_IndirectSpecular )
		radiance *= pliantGloss( pliantWorld( reflect( - geometryViewDir, geometryNormal ) ), pliantWorld( geometryNormal ), material.roughness * material.roughness );
		#ifdef USE_CLEARCOAT
			clearcoatRadiance *= pliantGloss( pliantWorld( reflect( - geometryViewDir, geometryClearcoatNormal ) ), pliantWorld( geometryClearcoatNormal ), material.clearcoatRoughness * material.clearcoatRoughness );
		#endif
	#endif`,
  );
  // Phong and Lambert mix their reflections in afterwards.
  const reflections = '#include <envmap_fragment>';
  shader.fragmentShader = text.replace(
    reflections,
    `#ifdef USE_ENVMAP
		specularStrength *= pliantGloss( pliantWorld( reflect( - geometryViewDir, normal ) ), pliantWorld( normal ), 0.1 );
	#endif
	${reflections}`,
  );
}

/** Replaces what every lit material of three.js has. */
function replaced(text: string, what: string, by: string): string {
  if (!text.includes(what)) {
    const cause = `a material whose shader has no ${what} cannot be lit`;
    throw new PliantError('unsupported', 'useLight', cause);
  }
  return text.replace(what, by);
}
