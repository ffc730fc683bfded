import { GLOSS_TEXELS, MODE_TEXELS, ROW_ATTRIBUTE } from './baked-light.ts';

/**
 * What was baked beyond the light of spheres (src/light/residual.ts, `addResidual`), for the vertex that is drawn. The table
 * has a row per group of vertices: scales times coefficients of the mean and the modes, the light in the group's frame (red,
 * green, blue), and the frame. Loops over 56 texels where 7 modes are stored, and over 39 of visibility where these are 12.
 */

/** Texels of a row behind those of the modes: three of the light's colours, and the frame. */
export const LIGHT_TEXELS = 3 * MODE_TEXELS;
export const FRAME_TEXELS = 3;

export const RESIDUAL_FUNCTIONS = `
attribute float ${ROW_ATTRIBUTE};
uniform highp isampler2D pliantModes;
uniform highp sampler2D pliantTable;
uniform int pliantModeCount; // less than 0: nothing is baked
uniform int pliantGlossCount; // the same of visibility

// Of a vertex: where its texels are, where those of gloss begin, how many there are.
struct PliantRow { ivec2 at; int gloss; int texels; int group; };

PliantRow pliantRowOf() {
	PliantRow row;
	row.gloss = ${MODE_TEXELS} * ( pliantModeCount + 1 );
	row.texels = row.gloss + ${GLOSS_TEXELS} * ( pliantGlossCount + 1 );
	int perLine = textureSize( pliantModes, 0 ).x / row.texels;
	int number = int( ${ROW_ATTRIBUTE} + 0.5 );
	row.at = ivec2( row.texels * ( number % perLine ), number / perLine );
	ivec4 last = texelFetch( pliantModes, row.at + ivec2( ${MODE_TEXELS - 1}, 0 ), 0 );
	row.group = ( last.y & 255 ) | ( ( last.z & 255 ) << 8 );
	return row;
}

mat3 pliantBakedFrame( const in PliantRow row ) {
	int first = row.texels + ${LIGHT_TEXELS};
	return mat3( texelFetch( pliantTable, ivec2( first, row.group ), 0 ).xyz,
		texelFetch( pliantTable, ivec2( first + 1, row.group ), 0 ).xyz,
		texelFetch( pliantTable, ivec2( first + 2, row.group ), 0 ).xyz );
}

vec4 pliantTexel( const in PliantRow row, const in int m ) {
	return vec4( texelFetch( pliantModes, row.at + ivec2( m, 0 ), 0 ) ) * texelFetch( pliantTable, ivec2( m, row.group ), 0 );
}

vec3 pliantResidual( const in PliantRow row ) {
	vec3 sum = vec3( 0.0 );
	for ( int q = 0; q < ${MODE_TEXELS}; q ++ ) {
		vec4 t = vec4( 0.0 );
		for ( int m = q; m < row.gloss; m += ${MODE_TEXELS} ) t += pliantTexel( row, m );
		int light = row.texels + q;
		sum += vec3( dot( t, texelFetch( pliantTable, ivec2( light, row.group ), 0 ) ),
			dot( t, texelFetch( pliantTable, ivec2( light + ${MODE_TEXELS}, row.group ), 0 ) ),
			dot( t, texelFetch( pliantTable, ivec2( light + ${2 * MODE_TEXELS}, row.group ), 0 ) ) );
	}
	return sum;
}

// Takes what is visible beyond the base's from what is hidden. Bands 1 and 2 are a vector and a matrix without trace: the frame
// turns them so.
void pliantBakedGloss( const in PliantRow row, const in mat3 frame, inout float hidden[ 9 ] ) {
	if ( pliantGlossCount < 0 ) return;
	vec4 h[ ${GLOSS_TEXELS} ];
	for ( int q = 0; q < ${GLOSS_TEXELS}; q ++ ) {
		h[ q ] = vec4( 0.0 );
		for ( int m = row.gloss + q; m < row.texels; m += ${GLOSS_TEXELS} ) h[ q ] += pliantTexel( row, m );
	}
	hidden[ 0 ] -= h[ 0 ].x;
	vec3 first = frame * h[ 0 ].wyz;
	hidden[ 1 ] -= first.y;
	hidden[ 2 ] -= first.z;
	hidden[ 3 ] -= first.x;
	vec4 a = vec4( h[ 1 ].xyw, h[ 2 ].x );
	float z = h[ 1 ].z / 1.7320508;
	mat3 second = frame * mat3( a.w - z, a.x, a.z, a.x, - a.w - z, a.y, a.z, a.y, 2.0 * z ) * transpose( frame );
	hidden[ 4 ] -= second[ 1 ].x;
	hidden[ 5 ] -= second[ 2 ].y;
	hidden[ 6 ] -= 0.8660254 * second[ 2 ].z;
	hidden[ 7 ] -= second[ 2 ].x;
	hidden[ 8 ] -= 0.5 * ( second[ 0 ].x - second[ 1 ].y );
}
`;
