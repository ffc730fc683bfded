import { LINEARIZE_OPTIONS } from '../../../../src/index.ts';
import type { Doc } from '../../core/doc.ts';
import { errorText } from '../../core/fit/error-text.ts';
import { startLinearize } from '../../core/rig/start-rig.ts';
import { OptionForm } from '../controls/option-fields.tsx';
import { Figures, Section } from '../controls/section.tsx';
import { BlendBoneList } from './blend-bone-list.tsx';
import { OutcomeNote } from './outcome-note.tsx';

const BASIC = ['blendBones', 'operator', 'training'];
const RESEARCH = ['method', 'sampling', 'trainWith', 'regularization', 'plateau', 'maxEnvelopingError', 'antipodality'];

const MADE =
  'Adds helper bones, called blend bones, so that standard skinning approximates dual quaternions in any engine.';
const FOUND = 'This file has blend bones. Other operators use the joints they are made of instead.';

/** Approximates another operator by linear blending with blend bones, and shows the error. */
export function LinearizeSection({ doc }: { doc: Doc }) {
  const linearized = doc.rig.linearized.value;
  const made = !linearized || linearized.made;
  return (
    <Section title="Linearize" help={made ? MADE : FOUND}>
      {made && (
        <OptionForm
          doc={doc}
          of="linearize"
          job="Linearizing"
          specs={LINEARIZE_OPTIONS}
          basic={BASIC}
          research={RESEARCH}
          options={doc.rig.linearizeOptions}
          button={linearized ? 'Linearize again' : 'Linearize'}
          onRun={() => void startLinearize(doc)}
        />
      )}
      <OutcomeNote outcome={doc.rig.outcomes.value.linearize} />
      {linearized && <Closeness doc={doc} />}
      {linearized && <BlendBoneList doc={doc} />}
    </Section>
  );
}

/** Error of linear blending in the current pose. */
function Closeness({ doc }: { doc: Doc }) {
  const { linearized, poseError } = doc.rig;
  const error = poseError.value;
  if (!error) return <p class="help">Choose the operator Linearized to see it, and how close it comes.</p>;
  const { lbs, linearized: ours } = error;
  return (
    <Figures
      caption={`Distance from ${linearized.value?.operator.toUpperCase()} in this pose, % of the diagonal`}
      of="Operator"
      columns={['RMS', 'largest']}
      rows={[
        ['LBS', errorText(lbs.rms), errorText(lbs.most)],
        ['Linearized', errorText(ours.rms), errorText(ours.most)],
      ]}
    />
  );
}
