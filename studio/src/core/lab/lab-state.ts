import { Edits, History } from '../edits.ts';
import { type Check, number, oneOf, shape } from '../session/check.ts';

/** The settings of the bending bar. */
export interface LabState {
  rig: 'points' | 'segments';
  /** Half the width of the band in which weights change; the bar is 10 long. Only for `segments`. */
  fallOff: number;
  /** 0 is linear blending, 1 dual quaternions. */
  mixAtJoint: number;
  mixAway: number;
  /** Degrees. */
  angle: number;
  /** How flipped areas count: as negative or as positive. */
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

/** Title of its tab. */
export const LAB_TITLE = 'Bending bar';

/** The lab with its history. */
export class Lab {
  readonly history: History = new History();
  readonly state: Edits<LabState>;

  constructor(state: LabState = LAB_START) {
    this.state = new Edits(this.history, 'bend', state);
  }

  /** Starts a new edit: `fall-off`. */
  begin(name?: string): void {
    this.state.begin(name);
  }

  change(changed: Partial<LabState>): void {
    const before = this.state.value.peek();
    const differs = Object.entries(changed).some(([name, value]) => before[name as keyof LabState] !== value);
    if (differs) this.state.set({ ...before, ...changed });
  }

  /** An edit of a single change. */
  choose(name: string, changed: Partial<LabState>): void {
    this.begin(name);
    this.change(changed);
  }

  bend(degrees: number): void {
    this.change({ angle: Math.round(Math.min(180, Math.max(0, degrees))) });
  }
}

export const labState: Check = shape({
  rig: oneOf(['points', 'segments']),
  fallOff: number(0.1, 4),
  mixAtJoint: number(0, 1),
  mixAway: number(0, 1),
  angle: number(0, 180),
  measure: oneOf(['signed', 'absolute']),
});
