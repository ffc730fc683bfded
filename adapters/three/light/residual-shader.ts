import { MODE_TEXELS, ROW_ATTRIBUTE } from './baked-light.ts';

/**
 * What was baked beyond the light of spheres (src/light/residual.ts, `addResidual`), for the vertex that is drawn. The table
 * has a row per group of vertices: scales times coefficients of the mean and the modes, the light in the group's frame (red,
 * green, blue), and the frame. Loops over 63 texels of modes where 8 are stored.
 */

/** Texels of a row behind those of the modes: three of the light's colours, and the frame. */
export const LIGHT_TEXELS = 3 * MODE_TEXELS;
export const FRAME_TEXELS = 3;

export const RESIDUAL_FUNCTIONS = `
attribute float ${ROW_ATTRIBUTE};
uniform highp isampler2D pliantModes;
uniform highp sampler2D pliantTable;
uniform int pliantModeCount; // less than 0: nothing is baked

struct PliantRow { ivec2 at; int texels; int group; };

PliantRow pliantRowOf() {
	PliantRow row;
	row.texels = ${MODE_TEXELS} * ( pliantModeCount + 1 );
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

vec3 pliantResidual( const in PliantRow row ) {
	vec3 sum = vec3( 0.0 );
	for ( int q = 0; q < ${MODE_TEXELS}; q ++ ) {
		vec4 t = vec4( 0.0 );
		for ( int m = q; m < row.texels; m += ${MODE_TEXELS} )
			t += vec4( texelFetch( pliantModes, row.at + ivec2( m, 0 ), 0 ) ) * texelFetch( pliantTable, ivec2( m, row.group ), 0 );
		int light = row.texels + q;
		sum += vec3( dot( t, texelFetch( pliantTable, ivec2( light, row.group ), 0 ) ),
			dot( t, texelFetch( pliantTable, ivec2( light + ${MODE_TEXELS}, row.group ), 0 ) ),
			dot( t, texelFetch( pliantTable, ivec2( light + ${2 * MODE_TEXELS}, row.group ), 0 ) ) );
	}
	return sum;
}
`;
