import { vertexCount } from '../../model/mesh.ts';
import { type Deformation, deformationMeter } from './deformation.ts';
import type { MixEnergy, MixEnergyTerms } from './energy.ts';
import { type PosePair, placePoints } from './pose-pairs.ts';
import type { TotalMeasure } from './total-measure.ts';

/** A field of mix weights under a name. */
export interface MixField {
  name: string;
  /** N in 0…1. */
  mix: Float64Array;
}

/** A field, and how it does over the poses. */
export interface MixContender extends MixField {
  terms: MixEnergyTerms;
  /** Mean over the poses of |T − T₀|/T₀, %: of area or volume, whichever is kept. */
  totalErrorPercent?: number;
  /** Mean over the poses of the change of the sum of the areas of these faces, %: whether the surface grows or shrinks. */
  surfaceErrorPercent: number;
  /** √ of the mean over poses and area of (a/A − 1)², on the faces where the operators differ in that motion. */
  localRms: number;
  /** Mean over the poses of the area gained by the faces that grow, %. */
  gainPercent: number;
  /** Faces that are turned over, summed over the poses. */
  inverted: number;
  perPose: {
    /** T − T₀, % of T₀, with its sign. */
    totalChangePercent?: Float64Array;
    localRms: Float64Array;
    gainPercent: Float64Array;
    inverted: Float64Array;
  };
}

const constantField = (name: string, vertices: number, m: number): MixField => ({
  name,
  mix: new Float64Array(vertices).fill(m),
});

const CONSTANTS = [0.25, 0.5, 0.75];

/** What a solved mix has to beat: LBS, constant mixes, DQS, then the given fields, all of N vertices. */
export const fieldsToBeat = (vertices: number, given: readonly MixField[] = []): MixField[] => [
  constantField('LBS', vertices, 0),
  ...CONSTANTS.map((m) => constantField(`mix ${m}`, vertices, m)),
  constantField('DQS', vertices, 1),
  ...given,
];

/** A function that judges fields over given poses. */
export function contenderJudge(
  pairs: readonly PosePair[],
  energy: MixEnergy,
  total?: TotalMeasure,
): (field: MixField) => MixContender {
  const { mesh, areas } = energy.surface;
  const { ofMotion } = energy.judged;
  const points = new Float64Array(3 * vertexCount(mesh));
  const meters = new Map(
    [...ofMotion].map(([motion, { faces }]) => [motion, deformationMeter(mesh, { faces, areas, points })]),
  );
  const rest = total?.measure(Float64Array.from(mesh.positions), pairs[0].normals) ?? Number.NaN;
  const change = (pair: PosePair, mix: Float64Array): number => {
    placePoints(points, pair, mix);
    return total ? (100 * (total.measure(points, pair.normals) - rest)) / Math.abs(rest) : Number.NaN;
  };
  const average = (values: Float64Array): number => values.reduce((sum, x, k) => sum + pairs[k].weight * x, 0);

  return ({ name, mix }) => {
    const deformations = pairs.map((pair) => meters.get(pair.motion)!(pair, mix));
    const column = (of: (d: Deformation) => number): Float64Array => Float64Array.from(deformations, of);
    const perPose = {
      localRms: column((d) => d.localRms),
      gainPercent: column((d) => 100 * d.gain),
      inverted: column((d) => d.inverted),
    };
    const changes = total && Float64Array.from(pairs, (pair) => change(pair, mix));
    return {
      name,
      mix,
      terms: energy.terms(mix),
      ...(changes && { totalErrorPercent: average(changes.map(Math.abs)) }),
      surfaceErrorPercent: average(
        Float64Array.from(deformations, ({ absoluteArea }, k) => {
          const { area } = ofMotion.get(pairs[k].motion)!;
          return area > 0 ? 100 * Math.abs(absoluteArea / area - 1) : 0;
        }),
      ),
      localRms: Math.sqrt(average(perPose.localRms.map((x) => x * x))),
      gainPercent: average(perPose.gainPercent),
      inverted: perPose.inverted.reduce((sum, x) => sum + x, 0),
      perPose: { ...perPose, ...(changes && { totalChangePercent: changes }) },
    };
  };
}
