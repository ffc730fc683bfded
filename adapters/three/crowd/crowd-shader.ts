import type { Material } from 'three';
import { type Disposable, patchMaterial } from '../material.ts';
import { LINEAR, withSkinMatrix } from '../shader.ts';

/**
 * Vertex shaders of three.js for many characters in one draw. Where one stands and what it does are attributes of the
 * instance; the matrices of all poses are in the bone texture (crowd-bones.ts). A material may be shared with meshes that
 * three.js skins: their textures have no mark in the last texel, and are read as three.js does.
 */

/** The fourth number of a crowd texture's last texel. three.js's own have 0 or 1 there, those of `useSkinning` 2. */
export const CROWD_MARK = 3;

/** Texels per bone: the rows of a 3 × 4 matrix. */
export const BONE_TEXELS = 3;

/** Numbers per instance: a 3 × 4 matrix; pose, part of the way to the next one, another pose with its part, its weight. */
export const INSTANCE_STRIDE = 16;
export const INSTANCE_ATTRIBUTES = ['pliantRow0', 'pliantRow1', 'pliantRow2', 'pliantPose'] as const;

const DECLARATIONS = `
#ifdef USE_SKINNING
	${INSTANCE_ATTRIBUTES.map((name) => `attribute vec4 ${name};`).join('\n\t')}

	// Of the vertex: from where its bones have it to the crowd, and the blend of its bones.
	mat4 pliantInstance = mat4( 1.0 );
	mat4 pliantBones = mat4( 1.0 );

	// Where the matrices of a pose begin: several poses stand side by side in a row.
	ivec2 pliantPlace( const in int pose, const in ivec2 layout_ ) {
		return ivec2( ( pose % layout_.y ) * layout_.x, pose / layout_.y );
	}

	// The blend of a vertex's bones in one pose, as three rows.
	void pliantBlend( const in ivec2 at, const in vec4 w, inout vec4 a, inout vec4 b, inout vec4 c ) {
		for ( int s = 0; s < 4; s ++ ) {
			if ( w[ s ] == 0.0 ) continue;
			ivec2 bone = at + ivec2( ${BONE_TEXELS} * int( skinIndex[ s ] ), 0 );
			a += w[ s ] * texelFetch( boneTexture, bone, 0 );
			b += w[ s ] * texelFetch( boneTexture, bone + ivec2( 1, 0 ), 0 );
			c += w[ s ] * texelFetch( boneTexture, bone + ivec2( 2, 0 ), 0 );
		}
	}

	// The same between two poses that follow each other.
	void pliantBetween( const in float pose, const in float part, const in vec4 w, const in ivec2 layout_,
			inout vec4 a, inout vec4 b, inout vec4 c ) {
		pliantBlend( pliantPlace( int( pose ), layout_ ), ( 1.0 - part ) * w, a, b, c );
		if ( part > 0.0 ) pliantBlend( pliantPlace( int( pose ) + 1, layout_ ), part * w, a, b, c );
	}

	// The blend of bones by weights, in the pose of the instance.
	mat4 pliantPosed( const in vec4 w ) {
		ivec2 layout_ = ivec2( texelFetch( boneTexture, textureSize( boneTexture, 0 ) - 1, 0 ).xy );
		vec4 a = vec4( 0.0 );
		vec4 b = vec4( 0.0 );
		vec4 c = vec4( 0.0 );
		float other = pliantPose.w;
		if ( other < 1.0 ) pliantBetween( pliantPose.x, pliantPose.y, ( 1.0 - other ) * w, layout_, a, b, c );
		if ( other > 0.0 ) {
			float from = floor( pliantPose.z );
			pliantBetween( from, pliantPose.z - from, other * w, layout_, a, b, c );
		}
		return transpose( mat4( a, b, c, vec4( 0.0, 0.0, 0.0, 1.0 ) ) );
	}

	mat4 pliantSkinMatrix() {
		float sum = skinWeight.x + skinWeight.y + skinWeight.z + skinWeight.w;
		vec4 w = sum > 0.0 ? skinWeight / sum : vec4( 1.0, 0.0, 0.0, 0.0 );
		vec4 header = texelFetch( boneTexture, textureSize( boneTexture, 0 ) - 1, 0 );
		if ( header.w != ${CROWD_MARK.toFixed(1)} ) {
			${LINEAR}
			return pliantBones = bindMatrixInverse * linear * bindMatrix;
		}
		pliantInstance = transpose( mat4( pliantRow0, pliantRow1, pliantRow2, vec4( 0.0, 0.0, 0.0, 1.0 ) ) );
		pliantBones = pliantPosed( w );
		return pliantInstance * pliantBones;
	}
#endif
`;

/**
 * Normals as three.js has them, so that a character looks the same alone and in a crowd: by the blend of bones itself, then
 * by the inverse transpose of the instance's matrix, here as its cofactors.
 */
const NORMALS = `
#ifdef USE_SKINNING
	mat3 instanceAxes = mat3( pliantInstance );
	objectNormal = mat3( pliantBones ) * objectNormal;
	objectNormal = mat3( cross( instanceAxes[ 1 ], instanceAxes[ 2 ] ), cross( instanceAxes[ 2 ], instanceAxes[ 0 ] ),
		cross( instanceAxes[ 0 ], instanceAxes[ 1 ] ) ) * objectNormal;
	#ifdef USE_TANGENT
		objectTangent = mat3( skinMatrix ) * objectTangent;
	#endif
#endif
`;

/** Lets a material draw crowds, until all who asked for it have disposed of it. */
export const crowdMaterial = (material: Material): Disposable =>
  patchMaterial(material, {
    blends: 'SkinnedCrowd',
    key: 'pliant crowd',
    operation: 'SkinnedCrowd',
    apply: (shader) => {
      shader.vertexShader = withSkinMatrix(shader.vertexShader, DECLARATIONS, 'SkinnedCrowd', NORMALS);
    },
  });
