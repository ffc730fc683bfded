import { type IUniform, type Material, MeshDepthMaterial, MeshDistanceMaterial, RGBADepthPacking } from 'three';
import { MAX_IMAGE_LEVEL } from '../../../src/model/geometry-images.ts';

/**
 * Vertex shaders of three.js that fetch their vertices from geometry images (WebGL 2): `position` has a sample's place
 * (i, j) in its patch, an attribute of the instance the patch and its word (src/lod/images/stitch.ts). What three.js reads as
 * attributes becomes what was fetched, so that materials, skinning and shadows are its own.
 */

/** The attribute of instances: patch, word. */
export const PATCH_ATTRIBUTE = 'pliantPatch';

const HEADER = `
uniform highp usampler2D pliantSurface; // x y z, normal
uniform highp usampler2D pliantValues; // normal, u, v
uniform highp usampler2D pliantSkin; // joints, then weights, side by side
uniform ivec2 pliantLevels[ ${MAX_IMAGE_LEVEL + 1} ]; // tiles in a row, first row of texels
uniform vec4 pliantScale; // origin, step
uniform vec4 pliantUvScale; // origin, step
attribute uvec2 ${PATCH_ATTRIBUTE};
// Patches of different levels share vertices to the bit.
invariant gl_Position;

vec3 pliantPosition;
vec3 pliantNormal;
vec2 pliantUv;
vec4 pliantSkinIndex;
vec4 pliantSkinWeight;

// As stitchedSample in stitch.ts: xy are i and j, z is the level.
ivec3 pliantSample( const in int i, const in int j, const in int word ) {
	int level = word & 15;
	int n = 1 << level;
	int side = j == 0 ? 0 : i == 0 ? 2 : i + j == n ? 1 : - 1;
	if ( side < 0 ) return ivec3( i, j, level );
	int to = ( word >> ( 4 + 4 * side ) ) & 15;
	int m = 1 << to;
	int along = ( ( side == 0 ? i : j ) + ( ( 1 << ( level - to ) ) >> 1 ) ) >> ( level - to );
	ivec2 at = ivec2( side == 0 ? along : side == 1 ? m - along : 0, side == 0 ? 0 : along );
	int corner = at.x == m ? 1 : at.y == m ? 2 : at.x + at.y == 0 ? 0 : - 1;
	if ( corner < 0 ) return ivec3( at, to );
	to = ( word >> ( 16 + 4 * corner ) ) & 15;
	return ivec3( corner == 1 ? 1 << to : 0, corner == 2 ? 1 << to : 0, to );
}

void pliantFetch() {
	int patchIndex = int( ${PATCH_ATTRIBUTE}.x );
	ivec3 at = pliantSample( int( position.x + 0.5 ), int( position.y + 0.5 ), int( ${PATCH_ATTRIBUTE}.y ) );
	int n = 1 << at.z;
	ivec2 place = ( patchIndex & 1 ) == 1 ? ivec2( n + 1 - at.x, n - at.y ) : at.xy;
	ivec2 tiles = pliantLevels[ at.z ];
	int tile = patchIndex >> 1;
	ivec2 texel = ivec2( ( tile % tiles.x ) * ( n + 2 ), tiles.y + ( tile / tiles.x ) * ( n + 1 ) ) + place;
	uvec4 surface = texelFetch( pliantSurface, texel, 0 );
	uvec4 values = texelFetch( pliantValues, texel, 0 );
	pliantPosition = pliantScale.xyz + pliantScale.w * vec3( surface.xyz );
	vec2 fold = vec2( surface.w, values.x ) * ( 2.0 / 65535.0 ) - 1.0;
	pliantNormal = vec3( fold, 1.0 - abs( fold.x ) - abs( fold.y ) );
	float below = max( - pliantNormal.z, 0.0 );
	pliantNormal.xy += vec2( fold.x >= 0.0 ? - below : below, fold.y >= 0.0 ? - below : below );
	pliantNormal = normalize( pliantNormal );
	pliantUv = pliantUvScale.xy + pliantUvScale.zw * vec2( values.yz );
#ifdef USE_SKINNING
	ivec2 skin = ivec2( 2 * texel.x, texel.y );
	pliantSkinIndex = vec4( texelFetch( pliantSkin, skin, 0 ) );
	pliantSkinWeight = vec4( texelFetch( pliantSkin, skin + ivec2( 1, 0 ), 0 ) ) / 65535.0;
#endif
}

#define position pliantPosition
#define normal pliantNormal
#define uv pliantUv
#define skinIndex pliantSkinIndex
#define skinWeight pliantSkinWeight
`;

const MAIN = 'void main() {';

/** Uniforms of the shader, by their names. */
export type ImageUniforms = Record<string, IUniform>;

/** A copy of a material that draws geometry images. */
export function imageMaterial<M extends Material>(given: M, uniforms: ImageUniforms): M {
  const material = given.clone();
  const { onBeforeCompile } = given;
  material.onBeforeCompile = (shader, renderer) => {
    onBeforeCompile.call(material, shader, renderer);
    Object.assign(shader.uniforms, uniforms);
    shader.vertexShader = `${HEADER}\n${shader.vertexShader.replace(MAIN, `${MAIN}\n\tpliantFetch();`)}`;
  };
  const key = given.customProgramCacheKey();
  material.customProgramCacheKey = () => `${key}|pliant geometry images`;
  return material;
}

/** What throws shadows. */
export const imageDepthMaterial = (uniforms: ImageUniforms): MeshDepthMaterial =>
  imageMaterial(new MeshDepthMaterial({ depthPacking: RGBADepthPacking }), uniforms);
export const imageDistanceMaterial = (uniforms: ImageUniforms): MeshDistanceMaterial =>
  imageMaterial(new MeshDistanceMaterial(), uniforms);
