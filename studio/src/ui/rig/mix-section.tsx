import type { Doc } from '../../core/doc.ts';
import { startMix } from '../../core/rig/start-rig.ts';
import { RunButton } from '../controls/run-button.tsx';
import { Section } from '../controls/section.tsx';
import { OutcomeNote } from './outcome-note.tsx';

const HELP =
  'Mixes linear blending, which loses volume, with dual quaternions, which bulge. The weight of each vertex is solved from the clips of this rig.';
const NO_CLIPS = 'Mix weights are solved from the clips of a rig, and this one has none.';

/** Solves for the weights of the operator `mix`. */
export function MixSection({ doc }: { doc: Doc }) {
  const { rigs } = doc.rig;
  const moves = rigs.every(({ clips }) => clips.length > 0);
  return (
    <Section title="Mix" help={moves ? HELP : NO_CLIPS}>
      {moves && (
        <RunButton doc={doc} job="Solving the mix" onClick={() => void startMix(doc)}>
          {rigs.some(({ mixWeights }) => mixWeights) ? 'Solve again' : 'Solve for mix weights'}
        </RunButton>
      )}
      <OutcomeNote outcome={doc.rig.outcomes.value.mix} />
    </Section>
  );
}
