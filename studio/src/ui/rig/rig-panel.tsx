import { clipNames } from '../../core/content/content.ts';
import type { Doc } from '../../core/doc.ts';
import { OPERATORS, type RigOperator } from '../../core/rig/rig-operators.ts';
import type { DocView } from '../../viewport/doc-view.ts';
import { SelectField, Tick } from '../controls/field.tsx';
import { Section } from '../controls/section.tsx';
import { Segmented } from '../controls/segmented.tsx';
import { BendSection } from './bend-section.tsx';
import { LinearizeSection } from './linearize-section.tsx';
import { MixSection } from './mix-section.tsx';
import './rig.css';
import { TurnSection } from './turn-section.tsx';

/** The Rig panel: skinning, posing, linearize and mix. */
export const RigPanel = ({ doc, view }: { doc: Doc; view: DocView | undefined }) => (
  <>
    <SkinningSection doc={doc} view={view} />
    <TurnSection doc={doc} />
    <BendSection doc={doc} />
    <LinearizeSection doc={doc} />
    <MixSection doc={doc} />
  </>
);

function SkinningSection({ doc, view }: { doc: Doc; view: DocView | undefined }) {
  const operator = doc.operator.value;
  const { clipsTogether } = doc.content;
  const clips = clipNames(doc.content).map((name) => {
    return { value: name, text: name === clipsTogether ? `${name} (at once)` : name };
  });
  return (
    <Section title="Skinning">
      <Segmented
        label="Skinning operator"
        value={operator}
        choices={doc.rig.operators.value.map((value) => {
          const { text, help } = OPERATORS[value];
          return { value, text, hint: help };
        })}
        onChange={(value) => doc.setOperator(value)}
      />
      <p class="help">
        {OPERATORS[operator].help} Computed on the {view?.processor.value ?? 'GPU'}.
      </p>
      <SelectField
        id="beside"
        label="Compare with"
        help="Shows another operator beside the chosen one."
        value={doc.rig.beside.value ?? ''}
        choices={[
          { value: '', text: 'Nothing' },
          ...doc.rig.operators.value
            .filter((value) => value !== operator)
            .map((value) => ({ value, text: OPERATORS[value].text })),
        ]}
        onChange={(value) =>
          doc.edit('compared operator', doc.rig.beside, (value || undefined) as RigOperator | undefined)
        }
      />
      <SelectField
        id="clip"
        label="Clip"
        help="The clip that plays. Joints that you turn are added to it."
        value={doc.clip.value}
        choices={[{ value: '', text: 'Rest pose' }, ...clips]}
        onChange={(name) => doc.edit('clip', doc.clip, name)}
      />
      {clips.length > 1 && (
        <Tick id="in-row" label="Play all clips in a row" value={doc.inRow}>
          When a clip ends, the next one starts.
        </Tick>
      )}
    </Section>
  );
}
