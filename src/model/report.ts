import type { Figures } from './figures.ts';
import type { Note } from './note.ts';

/** What an operation returns about itself; it never logs. */
export interface Report {
  operation: string;
  figures: Figures;
  /** Inputs that the caller gave and the operation did not compute. */
  given: string[];
  /** Seconds per stage, in the order they ran. */
  seconds: Record<string, number>;
  iterations?: number;
  converged?: boolean;
  /** What a user should know: repaired input, skipped parts. */
  notes: Note[];
}

/** A report without figures, stages or notes, for an operation to add its own to. `given` is what the caller knew. */
export function emptyReport(operation: string, given: object = {}): Report {
  const known = Object.entries(given).filter(([, value]) => value !== undefined);
  return { operation, figures: {}, given: known.map(([name]) => name), seconds: {}, notes: [] };
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

/** Adds to the seconds of the same stages. */
export function addSeconds(total: Record<string, number>, seconds: Readonly<Record<string, number>>): void {
  for (const [stage, x] of Object.entries(seconds)) total[stage] = (total[stage] ?? 0) + x;
}
