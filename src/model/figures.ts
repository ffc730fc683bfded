/**
 * The measured numbers that reports hold: name → what it is, and its unit. `%` is of the diagonal of the rest pose's
 * bounding box. The JSON schema shows the same words.
 */
export const FIGURES = {
  // What there is.
  vertices: ['vertices'],
  triangles: ['triangles'],
  bones: ['bones'],
  morphs: ['morph targets'],
  frames: ['frames'],
  bytes: ['size', 'bytes'],
  seconds: ['time', 's'],
  parts: ['connected parts'],
  spheres: ['spheres'],
  // measure
  rmsePercent: ['RMSE', '%'],
  maxErrorPercent: ['maximum error', '%'],
  maxErrorFrame: ['maximum error at frame'],
  maxErrorVertex: ['maximum error at vertex'],
  distortionPercent: ['distortion dE', '% of the motion'],
  rmsError: ['RMS error per coordinate', 'hundredths of a unit'],
  rmsErrorNormalised: ['RMS error per coordinate', '%'],
  surfaceDistancePercent: ['mean surface distance', '%'],
  surfaceDistance: ['mean surface distance', 'units'],
  originalArea: ['mean area of the original', 'units²'],
  approximationArea: ['mean area of the approximation', 'units²'],
  originalVolume: ['mean volume of the original', 'units³'],
  approximationVolume: ['mean volume of the approximation', 'units³'],
  diagonal: ['rest diagonal', 'units'],
  envelopingErrorPercent: ['enveloping error', '% of the rigid prediction'],
  normalErrorDegrees: ['mean angle between normals', '°'],
  detailRecoveredPercent: ['detail recovered', '% of the squared error of the base'],
  vigour: ['vigour of the detail', '× that of the original'],
  jitter: ['jitter of the detail', '× that of the original'],
  // decimate
  verticesBefore: ['vertices before'],
  verticesAfter: ['vertices after'],
  trianglesAfter: ['triangles after'],
  keyPoses: ['key poses'],
  // fit
  inBetweenErrorPercent: ['error between frames', '%'],
  inBetweenKeys: ['keys between frames'],
  morphBytes: ['size as morph targets', 'bytes'],
  // linearize
  blendBones: ['blend bones'],
  envelopingErrorLbsPercent: ['enveloping error of linear blending', '% of the rigid prediction'],
  envelopingErrorExactPercent: ['enveloping error before trimming, exact weights', '% of the rigid prediction'],
  envelopingErrorNnlsPercent: ['enveloping error before trimming, NNLS weights', '% of the rigid prediction'],
  envelopingErrorHeldOutLbsPercent: [
    'enveloping error of linear blending, clips held out',
    '% of the rigid prediction',
  ],
  envelopingErrorHeldOutPercent: ['enveloping error, clips held out', '% of the rigid prediction'],
  envelopingErrorCrossfadeLbsPercent: ['enveloping error of linear blending, crossfades', '% of the rigid prediction'],
  envelopingErrorCrossfadePercent: ['enveloping error, crossfades', '% of the rigid prediction'],
  envelopingErrorCrossfadeDrivenPercent: [
    'enveloping error, crossfades, blend bones computed live',
    '% of the rigid prediction',
  ],
  envelopingErrorBetweenKeysPercent: ['enveloping error between keys', '% of the rigid prediction'],
  keysBefore: ['keys before'],
  averageInfluencesBefore: ['average influences before'],
  averageInfluencesAfter: ['average influences after'],
  // mix
  differingAreaPercent: ['surface where the operators differ', '% of its area'],
  energy: ['energy'],
  areaErrorPercent: ['area error', '% of the area, mean over the poses'],
  surfaceErrorPercent: ['change of the bending surface', '% of its area, mean over the poses'],
  volumeErrorPercent: ['volume error', '% of the volume, mean over the poses'],
  localRms: ['local RMS', 'relative change of area'],
  bulgePercent: ['bulge', '% of the area gained where it grows'],
  invertedFaces: ['inverted faces', 'summed over the poses'],
  // weights
  followedBones: ['bones with vertices'],
  influences: ['maximum bones per vertex'],
  blindVertices: ['vertices with no visible bone'],
  voxels: ['voxels in the mesh'],
  resolution: ['voxels along the longest side'],
  influencesBefore: ['maximum influences before'],
  trimmedVertices: ['vertices that lose over 1 % of their weight'],
  meanWeightLost: ['mean weight lost'],
  maxWeightLost: ['maximum weight lost'],
  // learn and drive
  examples: ['examples'],
  controlPoints: ['control points'],
  leaveOneOutRms: ['RMS error of unseen examples', 'of the largest side'],
  leaveOneOutRmsePercent: ['RMSE of unseen examples (leave-one-out)', '%'],
  maxReach: ['farthest pose', '× the farthest example'],
  maxStretch: ['largest stretch', '× that of the examples'],
  // cloth
  coarseVertices: ['vertices of the coarse mesh'],
  coarseTriangles: ['triangles of the coarse mesh'],
  pinnedVertices: ['pinned vertices'],
  capsules: ['capsules of the body'],
  subStepsPerFrame: ['sub-steps per frame'],
  detailCorrelation: ['correlation of the detail, in local frames, with the frame before'],
  repeatabilityPercent: ['simulated again: detail recovered', '% of the squared error of the embedding'],
  meanEdgeStrainPercent: ['mean edge strain', '% of the rest length'],
  maxEdgeStretchPercent: ['maximum edge stretch', '% of the rest length'],
  maxEdgeCompressionPercent: ['maximum edge compression', '% of the rest length'],
  penetrationMillimetres: ['deepest penetration', 'mm'],
} as const satisfies Record<string, readonly [label: string, unit?: string]>;

/** The name of a figure. */
export type FigureName = keyof typeof FIGURES;

/** Figures in the order they are printed. */
export type Figures = { -readonly [N in keyof typeof FIGURES]?: number };
