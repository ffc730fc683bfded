import type { Doc } from '../core/doc.ts';
import { startMix } from '../core/rig/start-rig.ts';
import { RunButton } from './run-button.tsx';

/** Solves for the weights of the operator `mix`. */
export function MixSection({ doc }: { doc: Doc }) {
  const { rigs } = doc.rig;
  const moves = rigs.every(({ clips }) => clips.length > 0);
  return (
    <section>
      <h2>Mix</h2>
      <p class="help">
        {moves
          ? 'One weight per vertex between linear blending, which loses volume, and dual quaternions, which bulge: solved for the clips of this rig.'
          : 'A mix is solved for the clips of a rig, and this one has none.'}
      </p>
      {moves && (
        <RunButton doc={doc} job="Solving the mix" onClick={() => void startMix(doc)}>
          {rigs.some(({ mixWeights }) => mixWeights) ? 'Solve again' : 'Solve for mix weights'}
        </RunButton>
      )}
    </section>
  );
}
