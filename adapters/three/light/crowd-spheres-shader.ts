/**
 * Spheres of the instances of a crowd (crowd-spheres.ts): those of every stored pose are in a texture, several poses in a row.
 * An instance's are blended as its bones are, which for centres is exact, and put where it stands. All are opaque.
 */
export const CROWD_SPHERES = `
vec4 pliantBallBetween( const in float pose, const in float part, const in int s ) {
	int inRow = textureSize( pliantSpheres, 0 ).x / pliantSphereCount;
	int p = int( pose );
	vec4 ball = texelFetch( pliantSpheres, ivec2( ( p % inRow ) * pliantSphereCount + s, p / inRow ), 0 );
	if ( part == 0.0 ) return ball;
	p ++;
	return mix( ball, texelFetch( pliantSpheres, ivec2( ( p % inRow ) * pliantSphereCount + s, p / inRow ), 0 ), part );
}

vec4 pliantBall( const in int s ) {
	float other = pliantPose.w;
	vec4 ball = vec4( 0.0 );
	if ( other < 1.0 ) ball += ( 1.0 - other ) * pliantBallBetween( pliantPose.x, pliantPose.y, s );
	if ( other > 0.0 ) ball += other * pliantBallBetween( floor( pliantPose.z ), fract( pliantPose.z ), s );
	mat4 place = modelMatrix * pliantInstance;
	return vec4( ( place * vec4( ball.xyz, 1.0 ) ).xyz, ball.w * length( place[ 0 ].xyz ) );
}

float pliantOpacity( const in int s ) {
	return 1.0;
}
`;

/** The frame of the heaviest bone of the instance. */
export const CROWD_FRAME = `
mat3 pliantFrame() {
	float heaviest = max( max( skinWeight.x, skinWeight.y ), max( skinWeight.z, skinWeight.w ) );
	vec4 w = skinWeight.x == heaviest ? vec4( 1.0, 0.0, 0.0, 0.0 ) : skinWeight.y == heaviest ? vec4( 0.0, 1.0, 0.0, 0.0 )
		: skinWeight.z == heaviest ? vec4( 0.0, 0.0, 1.0, 0.0 ) : vec4( 0.0, 0.0, 0.0, 1.0 );
	return pliantTurn( mat3( modelMatrix * pliantInstance * pliantPosed( w ) ) );
}
`;
