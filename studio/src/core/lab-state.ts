import { type Check, number, oneOf, shape } from './check.ts';

/** What a person sets in the bending bar's lab. */
export interface LabState {
  rig: 'points' | 'segments';
  /** Half the width of the band in which weights change, where the bar is 10 long. Only for `segments`. */
  fallOff: number;
  /** 0 is linear blending, 1 dual quaternions. */
  mixAtJoint: number;
  mixAway: number;
  /** Degrees. */
  angle: number;
  /** How what is turned over counts: as negative, or as it is. */
  measure: 'signed' | 'absolute';
}

export const LAB_START: LabState = {
  rig: 'segments',
  fallOff: 1.25,
  mixAtJoint: 0.5,
  mixAway: 1,
  angle: 90,
  measure: 'signed',
};

export const labState: Check = shape({
  rig: oneOf(['points', 'segments']),
  fallOff: number(0.1, 4),
  mixAtJoint: number(0, 1),
  mixAway: number(0, 1),
  angle: number(0, 180),
  measure: oneOf(['signed', 'absolute']),
});
