import { LINEARIZE_OPTIONS, type LinearizeOptions } from '../../../../src/index.ts';
import type { Doc } from '../../core/doc.ts';
import { errorText } from '../../core/fit/error-text.ts';
import { startLinearize } from '../../core/rig/start-rig.ts';
import { FurtherOptions, OptionFields } from '../controls/option-fields.tsx';
import { RunButton } from '../controls/run-button.tsx';
import { Figures, Section } from '../controls/section.tsx';
import { BlendBoneList } from './blend-bone-list.tsx';

const BASIC = ['blendBones', 'operator', 'training'];
const FURTHER = Object.keys(LINEARIZE_OPTIONS).filter((name) => !BASIC.includes(name));

const MADE = 'A few extra bones let linear blending, which every player supports, come close to dual quaternions.';
const FOUND = 'This file has blend bones. The other operators replace them by their joints, weighted by the u-weights.';

/** Approximates another operator by linear blending with blend bones, and shows the error. */
export function LinearizeSection({ doc }: { doc: Doc }) {
  const linearized = doc.rig.linearized.value;
  const made = !linearized || linearized.made;
  return (
    <Section title="Linearize" help={made ? MADE : FOUND}>
      {made && <LinearizeForm doc={doc} again={!!linearized} />}
      {linearized && <Closeness doc={doc} />}
      {linearized && <BlendBoneList doc={doc} />}
    </Section>
  );
}

function LinearizeForm({ doc, again }: { doc: Doc; again: boolean }) {
  const { linearizeOptions } = doc.rig;
  const options = linearizeOptions.value;
  const change = (name: string, value: unknown) =>
    doc.edit('option of linearize', linearizeOptions, { ...options, [name]: value } as Partial<LinearizeOptions>);
  const fields = (names: string[]) => (
    <OptionFields specs={LINEARIZE_OPTIONS} names={names} values={options} onChange={change} />
  );
  return (
    <>
      {fields(BASIC)}
      <RunButton doc={doc} job="Linearizing" primary fields onClick={() => void startLinearize(doc)}>
        {again ? 'Linearize again' : 'Linearize'}
      </RunButton>
      <FurtherOptions of="linearize">{fields(FURTHER)}</FurtherOptions>
    </>
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
