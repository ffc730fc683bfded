/** One measured number, with the unit a reader needs to make sense of it. */
export interface Figure {
  name: string;
  value: number;
  /** `%` means per cent of the rest pose's bounding-box diagonal unless the name says otherwise. */
  unit: string;
}

/** What an operation says about itself: never a log line, always returned. */
export interface Report {
  operation: string;
  figures: Figure[];
  /** Inputs that the caller gave and the operation did not compute. */
  given: string[];
  /** Seconds per stage, in the order they ran. */
  seconds: Record<string, number>;
  iterations?: number;
  converged?: boolean;
  /** Things a user should know: repaired input, skipped parts. One sentence each. */
  notes: string[];
}

/** A report without figures, stages or notes, for an operation to add its own to. */
export function emptyReport(operation: string): Report {
  return { operation, figures: [], given: [], seconds: {}, notes: [] };
}

/** A function that enters the seconds since its last call, or since now, under the name of a stage. */
export function lapTimer(seconds: Record<string, number>): (stage: string) => void {
  let last = performance.now();
  return (stage) => {
    const now = performance.now();
    seconds[stage] = (now - last) / 1000;
    last = now;
  };
}
