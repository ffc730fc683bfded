/** The vertices of a model by their heaviest bones, and poses in which its light was traced. N vertices, G bones, P poses. */
export interface LightGroups {
  /** G bones that have vertices, rising. */
  bones: Uint16Array;
  /** N: place in `bones`. */
  groupOf: Uint16Array;
  /** 3G: mean of each group's vertices at rest. */
  centroids: Float32Array;
  /** Of the rest pose's bounding box. */
  diagonal: number;
  poses: LightPoses;
}

/** P poses of G bones: what tells them apart. */
export interface LightPoses {
  /** P. */
  count: number;
  /** P × G × 3, times `step`: the posed centroids from their mean. */
  centroids: Int16Array;
  step: number;
  /** P × G × 4, in 1/32767: rotations of the bones, x y z w. */
  rotations: Int16Array;
}
