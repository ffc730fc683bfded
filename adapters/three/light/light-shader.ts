import { SHRINK_FROM, SHRINK_OVER } from '../../../src/light/base-twin.ts';

/**
 * src/light/base-twin.ts and bounces.ts as GLSL (WebGL 2), once per vertex: what spheres leave of an environment's light. It is
 * summed per band as light, not as coefficients: bounces need no more. Directions are looked at in blocks of 16, so that a
 * sphere is worked out once per block.
 */

/** Directions that are looked at together. */
export const DIRECTION_BLOCK = 16;
/** Coefficients of the environment: order 5. */
export const LIGHT_COEFFICIENTS = 25;
/** Factors of bounces: five per band. */
const BOUNCE_COUNT = 25;
const BLOCK = DIRECTION_BLOCK / 4;

/** What materials and passes read: spheres in the world, and the light. */
export const LIGHT_UNIFORMS = `
uniform highp sampler2D pliantSpheres; // CHARACTER_SPHERES, or those of a crowd
uniform int pliantSphereCount;
uniform vec3 pliantSh[ ${LIGHT_COEFFICIENTS} ];
uniform float pliantBounces[ ${BOUNCE_COUNT} ]; // src/light/bounces.ts
`;

/** Spheres of a character: two rows, x y z radius and opacity, in the world. */
export const CHARACTER_SPHERES = `
vec4 pliantBall( const in int s ) {
	return texelFetch( pliantSpheres, ivec2( s, 0 ), 0 );
}

float pliantOpacity( const in int s ) {
	return texelFetch( pliantSpheres, ivec2( s, 1 ), 0 ).x;
}
`;

/** y_lm of a direction times the light's coefficients, summed per band; `y` has those of bands 0 to 2. */
export const LIGHT_BANDS = `
struct PliantBands { vec3 l0; vec3 l1; vec3 l2; vec3 l3; vec3 l4; };

void pliantHarmonics( const in vec3 d, out float y[ 9 ] ) {
	y[ 0 ] = 0.28209479;
	y[ 1 ] = 0.48860251 * d.y;
	y[ 2 ] = 0.48860251 * d.z;
	y[ 3 ] = 0.48860251 * d.x;
	y[ 4 ] = 1.09254843 * d.x * d.y;
	y[ 5 ] = 1.09254843 * d.y * d.z;
	y[ 6 ] = 0.31539157 * ( 3.0 * d.z * d.z - 1.0 );
	y[ 7 ] = 1.09254843 * d.x * d.z;
	y[ 8 ] = 0.54627422 * ( d.x * d.x - d.y * d.y );
}

PliantBands pliantBands( const in vec3 d, const in float y[ 9 ] ) {
	float xx = d.x * d.x;
	float yy = d.y * d.y;
	float zz = d.z * d.z;
	float c3 = d.x * ( xx - 3.0 * yy ); // Re (x + iy)^3
	float s3 = d.y * ( 3.0 * xx - yy );
	PliantBands b;
	b.l0 = y[ 0 ] * pliantSh[ 0 ];
	b.l1 = y[ 1 ] * pliantSh[ 1 ] + y[ 2 ] * pliantSh[ 2 ] + y[ 3 ] * pliantSh[ 3 ];
	b.l2 = y[ 4 ] * pliantSh[ 4 ] + y[ 5 ] * pliantSh[ 5 ] + y[ 6 ] * pliantSh[ 6 ] + y[ 7 ] * pliantSh[ 7 ] + y[ 8 ] * pliantSh[ 8 ];
	b.l3 = 0.59004359 * ( s3 * pliantSh[ 9 ] + c3 * pliantSh[ 15 ] )
		+ d.z * ( 2.89061144 * d.x * d.y * pliantSh[ 10 ] + 1.44530572 * ( xx - yy ) * pliantSh[ 14 ] )
		+ 0.45704580 * ( 5.0 * zz - 1.0 ) * ( d.y * pliantSh[ 11 ] + d.x * pliantSh[ 13 ] )
		+ 0.37317633 * d.z * ( 5.0 * zz - 3.0 ) * pliantSh[ 12 ];
	b.l4 = 0.62583573 * ( 4.0 * d.x * d.y * ( xx - yy ) * pliantSh[ 16 ] + ( d.x * c3 - d.y * s3 ) * pliantSh[ 24 ] )
		+ 1.77013077 * d.z * ( s3 * pliantSh[ 17 ] + c3 * pliantSh[ 23 ] )
		+ 0.47308735 * ( 7.0 * zz - 1.0 ) * ( 2.0 * d.x * d.y * pliantSh[ 18 ] + ( xx - yy ) * pliantSh[ 22 ] )
		+ 0.66904654 * d.z * ( 7.0 * zz - 3.0 ) * ( d.y * pliantSh[ 19 ] + d.x * pliantSh[ 21 ] )
		+ 0.10578555 * ( ( 35.0 * zz - 30.0 ) * zz + 3.0 ) * pliantSh[ 20 ];
	return b;
}

// What a surface without anything around it gets from each band, as irradiance / PI.
PliantBands pliantLobe( const in vec3 n ) {
	float y[ 9 ];
	pliantHarmonics( n, y );
	PliantBands b = pliantBands( n, y );
	b.l1 *= 2.0 / 3.0;
	b.l2 *= 0.25;
	b.l3 *= 0.0;
	b.l4 *= - 1.0 / 24.0;
	return b;
}

vec3 pliantUnshadowed( const in vec3 n ) {
	PliantBands u = pliantLobe( n );
	return u.l0 + u.l1 + u.l2 + u.l4;
}
`;

const number = (x: number): string => (Number.isInteger(x) ? x.toFixed(1) : `${Number(x.toPrecision(8))}`);

/** t += β · (T, o t, o T, o² t, o² T), a line per band. */
const bounces = (): string =>
  Array.from({ length: 5 }, (_, l) => {
    const [a, b, c, d, e] = [0, 1, 2, 3, 4].map((term) => `pliantBounces[ ${5 * l + term} ]`);
    return `	sum += t.l${l} * ( 1.0 + o * ( ${b} + o * ${d} ) ) + T.l${l} * ( ${a} + o * ( ${c} + o * ${e} ) );`;
  }).join('\n');

/** `PliantLit pliantLight( p, n, frame )`: p and n in the world, `frame` turns the directions. */
export function lightFunction(directions: number, gloss: boolean): string {
  const cell = 2 / Math.sqrt(directions);
  const margin = cell + Math.asin(cell) * 1.001;
  const lanes = (line: (j: number) => string): string =>
    Array.from({ length: BLOCK }, (_, j) => line(j)).join('\n\t\t\t');
  return `
// rgb irradiance / PI (a little below 0 at times) and the part of it that spheres leave; what they hide of the upper half, bands 0 to 2.
struct PliantLit { vec4 light; ${gloss ? 'float hidden[ 9 ];' : ''} };

PliantLit pliantLight( const in vec3 p, const in vec3 n, const in mat3 frame ) {
	PliantBands T = PliantBands( vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ) );
	float blocked = 0.0;
	PliantLit lit;
	${gloss ? 'for ( int c = 0; c < 9; c ++ ) lit.hidden[ c ] = 0.0;' : ''}
	for ( int block = 0; block < ${directions / DIRECTION_BLOCK}; block ++ ) {
		vec4 X[ ${BLOCK} ];
		vec4 Y[ ${BLOCK} ];
		vec4 Z[ ${BLOCK} ];
		vec4 V[ ${BLOCK} ];
		for ( int j = 0; j < ${BLOCK}; j ++ ) {
			vec4 k = float( ${DIRECTION_BLOCK} * block + 4 * j ) + vec4( 0.0, 1.0, 2.0, 3.0 );
			vec4 z = 1.0 - ( 2.0 * k + 1.0 ) * ${number(1 / directions)};
			vec4 turn = 6.2831853 * fract( 0.38196601 * k );
			vec4 r = sqrt( 1.0 - z * z );
			vec4 x = r * cos( turn );
			vec4 y = r * sin( turn );
			X[ j ] = frame[ 0 ].x * x + frame[ 1 ].x * y + frame[ 2 ].x * z;
			Y[ j ] = frame[ 0 ].y * x + frame[ 1 ].y * y + frame[ 2 ].y * z;
			Z[ j ] = frame[ 0 ].z * x + frame[ 1 ].z * y + frame[ 2 ].z * z;
			V[ j ] = vec4( 1.0 );
		}
		for ( int s = 0; s < pliantSphereCount; s ++ ) {
			vec4 ball = pliantBall( s );
			vec3 d = ball.xyz - p;
			float up = dot( n, d );
			ball.w -= max( 0.0, ball.w + up ) * clamp( - ( up + ${number(SHRINK_FROM)} * ball.w ) / max( 1e-20, ${number(SHRINK_OVER)} * ball.w ), 0.0, 1.0 );
			float square = dot( d, d );
			float way = sqrt( square );
			float inverse = 1.0 / max( way, 1e-20 );
			float sine;
			float cosine;
			if ( way > ball.w ) {
				sine = ball.w * inverse;
				cosine = sqrt( max( square - ball.w * ball.w, 0.0 ) ) * inverse;
				if ( cosine * ${number(Math.cos(margin))} - sine * ${number(Math.sin(margin))} > 0.0
					&& up * inverse <= - ( sine * ${number(Math.cos(margin))} + cosine * ${number(Math.sin(margin))} ) ) continue;
			} else {
				float angle = max( ${number(cell)}, 1.5707963 * way / ball.w );
				sine = sin( angle );
				cosine = - cos( angle );
			}
			float scale = ${number(0.5 / Math.sin(cell))} / sine;
			float w = pliantOpacity( s ) * min( 1.0, ( 1.0 - cosine ) * ${number(1 / (1 - Math.cos(cell)))} );
			float b = ( sine * ${number(Math.sin(cell))} - cosine * ${number(Math.cos(cell))} ) * scale;
			d *= inverse * scale;
			vec4 t;
			${lanes((j) => `t = clamp( d.x * X[ ${j} ] + d.y * Y[ ${j} ] + d.z * Z[ ${j} ] + b, 0.0, 1.0 ); V[ ${j} ] *= 1.0 - t * t * ( 3.0 * w - 2.0 * w * t );`)}
		}
		for ( int k = 0; k < ${DIRECTION_BLOCK}; k ++ ) {
			float dark = 1.0 - V[ k >> 2 ][ k & 3 ];
			vec3 d = vec3( X[ k >> 2 ][ k & 3 ], Y[ k >> 2 ][ k & 3 ], Z[ k >> 2 ][ k & 3 ] );
			float up = dot( n, d );
			if ( dark == 0.0 || up <= ${number(-cell)} ) continue;
			bool low = up < ${number(cell)};
			float above = up + ${number(cell)};
			float c = ${number(4 / directions)} * dark * ( low ? above * above * ${number(1 / (4 * cell))} : up );
			float y[ 9 ];
			pliantHarmonics( d, y );
			PliantBands l = pliantBands( d, y );
			T.l0 += c * l.l0;
			T.l1 += c * l.l1;
			T.l2 += c * l.l2;
			T.l3 += c * l.l3;
			T.l4 += c * l.l4;
			blocked += c;
			${gloss ? glossLine(directions, cell) : ''}
		}
	}
	PliantBands t = pliantLobe( n );
	t.l0 -= T.l0;
	t.l1 -= T.l1;
	t.l2 -= T.l2;
	t.l3 -= T.l3;
	t.l4 -= T.l4;
	float o = blocked;
	vec3 sum = vec3( 0.0 );
${bounces()}
	lit.light = vec4( sum, max( 0.0, 1.0 - o ) );
	return lit;
}
`;
}

const glossLine = (directions: number, cell: number): string =>
  `float share = ${number((4 * Math.PI) / directions)} * dark * ( low ? above * ${number(1 / (2 * cell))} : 1.0 );
			for ( int q = 0; q < 9; q ++ ) lit.hidden[ q ] += share * y[ q ];`;
