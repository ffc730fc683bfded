import type { Outcome } from '../../core/rig/outcomes.ts';
import { Figures } from '../controls/section.tsx';

/** The figures of a run that has ended. */
export const OutcomeNote = ({ outcome }: { outcome: Outcome | undefined }) =>
  outcome ? (
    <>
      {outcome.rows.length > 0 && <Figures {...outcome} of="Operator" />}
      {outcome.nothing && (
        <p class="help" role="status">
          {outcome.nothing}
        </p>
      )}
    </>
  ) : null;
