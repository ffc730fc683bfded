import { signedFaceArea } from '../../mesh/triangle.ts';
import { type Mesh, vertexCount } from '../../model/mesh.ts';
import { restAreas } from './mix-surface.ts';
import { type PosePair, placePoints } from './pose-pairs.ts';

/** How a pose deforms a surface, face by face. */
export interface Deformation {
  /** Sum of the faces' areas, whichever side they show: what Khemakhem 2020 plots. */
  absoluteArea: number;
  /** The same with faces that are turned over counted as negative. */
  signedArea: number;
  /** √ of the mean of (a/A − 1)², weighted by A. */
  localRms: number;
  /** Area gained by the faces that grow, over the area of all: what bulges. */
  gain: number;
  /** Faces that are turned over. */
  inverted: number;
}

/** A face is turned over when its signed area is below this share of its area at rest: rounding is not. */
const INVERTED = -1e-3;

/** What meters of one mesh can share. */
interface MeterParts {
  /** Those that count [default all]; none is too thin. */
  faces?: Uint32Array;
  /** F: see `restAreas`. */
  areas?: Float64Array;
  /** 3N, overwritten by every measurement. */
  points?: Float64Array;
}

/** A function that measures a pose of a mesh under a mix (N). */
export function deformationMeter(
  mesh: Mesh,
  { areas = restAreas(mesh), faces, points = new Float64Array(3 * vertexCount(mesh)) }: MeterParts = {},
): (pair: PosePair, mix: Float64Array) => Deformation {
  const { triangles } = mesh;
  const counted = faces ?? Uint32Array.from(areas.keys()).filter((f) => areas[f] > 0);
  const whole = counted.reduce((sum, f) => sum + areas[f], 0);
  return (pair, mix) => {
    const { normals } = pair;
    placePoints(points, pair, mix);
    const stride = normals.length === 3 ? 0 : 3;
    let [absolute, signed, squares, gain, inverted] = [0, 0, 0, 0, 0];
    for (let q = 0; q < counted.length; q++) {
      const f = counted[q];
      const area = signedFaceArea(points, triangles, 3 * f, normals, stride * f);
      const ratio = area / areas[f];
      absolute += Math.abs(area);
      signed += area;
      squares += areas[f] * (ratio - 1) * (ratio - 1);
      if (ratio > 1) gain += area - areas[f];
      if (ratio < INVERTED) inverted++;
    }
    return {
      absoluteArea: absolute,
      signedArea: signed,
      localRms: Math.sqrt(squares / (whole || 1)),
      gain: gain / (whole || 1),
      inverted,
    };
  };
}
