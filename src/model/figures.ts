/**
 * The measured numbers that reports hold, by name. A name ends in its unit where it has one; `Percent` is of the rest pose's
 * bounding-box diagonal unless the comment says otherwise. `report/figure-text.ts` has labels and units for people.
 */
export type FigureName =
  // What there is.
  | 'vertices'
  | 'triangles'
  | 'bones'
  | 'morphs'
  | 'frames'
  | 'bytes'
  | 'seconds'
  // measure
  | 'rmsePercent'
  | 'maxErrorPercent'
  | 'maxErrorFrame'
  | 'maxErrorVertex'
  | 'distortionPercent' // dE, of the original's motion
  | 'rmsError' // E_RMS, in hundredths of the file's unit
  | 'rmsErrorNormalised' // E_RMS of the animation scaled to a rest diagonal of 1
  | 'surfaceDistancePercent'
  | 'surfaceDistance'
  | 'originalArea'
  | 'approximationArea'
  | 'originalVolume'
  | 'approximationVolume'
  | 'diagonal'
  | 'envelopingErrorPercent' // of the rigid prediction
  // decimate
  | 'verticesBefore'
  | 'verticesAfter'
  | 'trianglesAfter'
  | 'keyPoses'
  // fit
  | 'inBetweenErrorPercent'
  | 'inBetweenKeys'
  | 'morphBytes' // the same motion as morph targets
  // linearize; enveloping errors are of the rigid prediction
  | 'blendBones'
  | 'envelopingErrorLbsPercent'
  | 'envelopingErrorExactPercent'
  | 'envelopingErrorNnlsPercent'
  | 'envelopingErrorBetweenKeysPercent'
  | 'keysBefore'
  | 'averageInfluencesBefore'
  | 'averageInfluencesAfter'
  // mix
  | 'differingAreaPercent' // of the surface
  | 'energy'
  | 'areaErrorPercent' // of the area, mean over the poses
  | 'volumeErrorPercent' // of the volume, mean over the poses
  | 'localRms'
  | 'bulgePercent' // of the area
  | 'invertedFaces'
  // weights
  | 'followedBones'
  | 'influences'
  | 'blindVertices'
  | 'influencesBefore'
  | 'trimmedVertices'
  | 'meanWeightLost'
  | 'maxWeightLost'
  // learn and drive
  | 'examples'
  | 'controlPoints'
  | 'leaveOneOutRms' // of the largest side of the bounding box
  | 'leaveOneOutRmsePercent'
  | 'maxReach' // × the farthest example
  | 'maxStretch' // × that of the examples
  // cloth
  | 'subStepsPerFrame'
  | 'meanEdgeStrainPercent' // of the rest length
  | 'maxEdgeStretchPercent' // of the rest length
  | 'maxEdgeCompressionPercent' // of the rest length
  | 'penetrationMillimetres';

/** Figures in the order they are printed. */
export type Figures = { [N in FigureName]?: number };
