import { PliantError } from '../../src/error.ts';
import { HEADER_MARK } from './palette.ts';

/**
 * Vertex shaders of three.js with other blending of bones: Kavan 2009, §3 and appendix A, and Khemakhem 2020,
 * algorithm 3, as in src/skin/operators.ts. Replaces the four chunks that every built-in material includes for skinning.
 * Where the bone texture has no palette of ours (a mesh with another skeleton that uses the same material), bones are
 * blended linearly, as three.js does.
 */

/** What the shaders know. */
export const THREE_OPERATORS = ['lbs', 'dqs', 'sdqs', 'mix'] as const;
/** A skinning operator that shaders can run. */
export type ThreeOperator = (typeof THREE_OPERATORS)[number];

/** `shader`, a vertex shader before its chunks are included, with bones blended by `operator`. */
export const blendInShader = (shader: string, operator: ThreeOperator, antipodality: boolean): string =>
  withSkinMatrix(shader, declarations(operator, antipodality), 'useSkinning');

/**
 * `shader`, a vertex shader before its chunks are included, with vertices and normals moved by what
 * `mat4 pliantSkinMatrix()` of the declarations returns, normals by `normals`; `operation` is named where that cannot be.
 */
export function withSkinMatrix(shader: string, declared: string, operation: string, normals = SKIN_NORMAL): string {
  const replacements: Record<string, string> = {
    skinning_pars_vertex: `#include <skinning_pars_vertex>\n${declared}`,
    skinbase_vertex: SKIN_BASE,
    skinnormal_vertex: normals,
    skinning_vertex: SKIN_POSITION,
  };
  for (const [chunk, text] of Object.entries(replacements)) {
    const include = `#include <${chunk}>`;
    // Only materials that bend normals include the chunk for them.
    if (!shader.includes(include) && chunk !== 'skinnormal_vertex') {
      const cause = `a material whose vertex shader has no ${include} cannot be skinned`;
      throw new PliantError('unsupported', operation, cause);
    }
    shader = shader.replaceAll(include, text);
  }
  return shader;
}

/** Φ in world space, from what `blendOf` has computed. */
const PHI: Record<ThreeOperator, string> = {
  lbs: 'linear',
  dqs: 'frame * pliantRigid( real, dual ) * unbind',
  sdqs: 'frame * pliantRigid( real, dual ) * stretch * unbind',
  mix: '( 1.0 - _mix ) * linear + _mix * ( frame * pliantRigid( real, dual ) * unbind )',
};

const declarations = (operator: ThreeOperator, antipodality: boolean): string => `
#ifdef USE_SKINNING
	${operator === 'mix' ? 'attribute float _mix;' : ''}

	vec4 pliantTexel( const in int i ) {
		int size = textureSize( boneTexture, 0 ).x;
		return texelFetch( boneTexture, ivec2( i % size, i / size ), 0 );
	}

	// Three texels are the rows of a 3 x 4 matrix.
	mat4 pliantMatrix( const in int i ) {
		return transpose( mat4( pliantTexel( i ), pliantTexel( i + 1 ), pliantTexel( i + 2 ), vec4( 0.0, 0.0, 0.0, 1.0 ) ) );
	}

	// M(q)/|q0|^2, the rigid motion of a dual quaternion of any length.
	mat4 pliantRigid( const in vec4 q, const in vec4 e ) {
		vec3 r = q.xyz;
		float s = 2.0 / dot( q, q );
		vec3 a = s * r;
		vec3 t = s * ( q.w * e.xyz - e.w * r + cross( r, e.xyz ) );
		return mat4(
			1.0 - a.y * r.y - a.z * r.z, a.x * r.y + a.z * q.w, a.x * r.z - a.y * q.w, 0.0,
			a.x * r.y - a.z * q.w, 1.0 - a.x * r.x - a.z * r.z, a.y * r.z + a.x * q.w, 0.0,
			a.x * r.z + a.y * q.w, a.y * r.z - a.x * q.w, 1.0 - a.x * r.x - a.y * r.y, 0.0,
			t, 1.0 );
	}

	mat4 pliantSkinMatrix() {
		float sum = skinWeight.x + skinWeight.y + skinWeight.z + skinWeight.w;
		vec4 w = sum > 0.0 ? skinWeight / sum : vec4( 1.0, 0.0, 0.0, 0.0 );
		${blendOf(operator, antipodality)}
		return bindMatrixInverse * ( ${PHI[operator]} ) * bindMatrix;
	}
#endif
`;

/** What Φ is made of. */
function blendOf(operator: ThreeOperator, antipodality: boolean): string {
  if (operator === 'lbs') return LINEAR;
  const plain = 'return bindMatrixInverse * linear * bindMatrix;';
  return `
		vec4 header = texelFetch( boneTexture, textureSize( boneTexture, 0 ) - 1, 0 );
		bool plain = header.w != ${HEADER_MARK.toFixed(1)};
		${operator === 'mix' ? `${LINEAR} if ( plain ) ${plain}` : `if ( plain ) { ${LINEAR} ${plain} }`}
		${dualBlend(operator, antipodality)}`;
}

/** As three.js blends, but for weights whose sum is not 1. */
export const LINEAR = `
		mat4 linear = mat4( 0.0 );
		for ( int s = 0; s < 4; s ++ ) linear += w[ s ] * getBoneMatrix( skinIndex[ s ] );
`;

/** Ψ = Σ ±w·q̂: the sign brings each to the side of the heaviest influence. */
const dualBlend = (operator: ThreeOperator, antipodality: boolean): string => `
		int palette = int( header.x );
		mat4 frame = pliantMatrix( int( header.y ) );
		mat4 unbind = pliantMatrix( int( header.y ) + 3 );
		float heaviest = max( max( w.x, w.y ), max( w.z, w.w ) );
		float first = w.x == heaviest ? skinIndex.x : w.y == heaviest ? skinIndex.y : w.z == heaviest ? skinIndex.z : skinIndex.w;
		vec4 pivot = pliantTexel( palette + 5 * int( first ) + 3 );
		vec4 real = vec4( 0.0 );
		vec4 dual = vec4( 0.0 );
		${operator === 'sdqs' ? 'mat4 stretch = mat4( 0.0 );' : ''}
		for ( int s = 0; s < 4; s ++ ) {
			int bone = palette + 5 * int( skinIndex[ s ] );
			vec4 q = pliantTexel( bone + 3 );
			float weight = ${antipodality ? 'dot( pivot, q ) < 0.0 ? - w[ s ] : w[ s ]' : 'w[ s ]'};
			real += weight * q;
			dual += weight * pliantTexel( bone + 4 );
			${operator === 'sdqs' ? 'stretch += w[ s ] * pliantMatrix( bone );' : ''}
		}
		${antipodality ? '' : CANCELLED}
`;

/** Influences that cancel, which happens only without antipodality: the vertex follows its heaviest bone. */
const CANCELLED = `if ( dot( real, real ) < 1e-12 ) {
			real = pivot;
			dual = pliantTexel( palette + 5 * int( first ) + 4 );
		}`;

const SKIN_BASE = `
#ifdef USE_SKINNING
	mat4 skinMatrix = pliantSkinMatrix();
#endif
`;

const SKIN_POSITION = `
#ifdef USE_SKINNING
	transformed = ( skinMatrix * vec4( transformed, 1.0 ) ).xyz;
#endif
`;

/** Normals by the inverse transpose, as its cofactors (see src/skin/plain.ts); tangents lie in the surface. */
const SKIN_NORMAL = `
#ifdef USE_SKINNING
	vec3 skinX = cross( skinMatrix[ 1 ].xyz, skinMatrix[ 2 ].xyz );
	vec3 skinY = cross( skinMatrix[ 2 ].xyz, skinMatrix[ 0 ].xyz );
	vec3 skinZ = cross( skinMatrix[ 0 ].xyz, skinMatrix[ 1 ].xyz );
	vec3 skinNormal = mat3( skinX, skinY, skinZ ) * objectNormal;
	if ( dot( skinMatrix[ 0 ].xyz, skinX ) < 0.0 ) skinNormal = - skinNormal;
	float skinLength = length( skinNormal );
	if ( skinLength > 0.0 ) objectNormal = skinNormal / skinLength;
	#ifdef USE_TANGENT
		objectTangent = mat3( skinMatrix ) * objectTangent;
	#endif
#endif
`;
