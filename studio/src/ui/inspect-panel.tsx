import type { Doc } from '../core/doc.ts';
import { inspectedModels } from '../core/inspect/inspected.ts';
import { PAINT_TEXTS } from '../core/paint/paint-texts.ts';
import { deforms } from '../core/paint/painter.ts';
import { COMPONENTS, isComponent } from '../core/paint/vertex-deformation.ts';
import type { Paint } from '../core/view/looks.ts';
import { AsideState } from './aside-state.tsx';
import { CoarseSection } from './coarse-section.tsx';
import { choosePaint } from './colours.tsx';
import { Segmented } from './controls.tsx';
import './inspect.css';
import { JointSection } from './joint-section.tsx';
import { ResultsSection } from './results-section.tsx';

/** Everything about one motion or rig that is looked at rather than made. */
export function InspectPanel({ doc }: { doc: Doc }) {
  const moves = deforms(doc);
  return (
    <>
      {doc.fits.value.length > 0 && <ResultsSection doc={doc} />}
      {moves && <DeformationSection doc={doc} />}
      {inspectedModels(doc).length > 0 && <JointSection doc={doc} />}
      {moves && <CoarseSection doc={doc} />}
    </>
  );
}

function DeformationSection({ doc }: { doc: Doc }) {
  const { inspection } = doc;
  const paint = doc.paint.value;
  const shown = isComponent(paint) ? paint : 'none';
  const looks = [0, doc.fit.value?.id ?? 0, doc.against.value?.id ?? 0].map((id) => inspection.deformation(id));
  const told = looks.find((look) => look.progress.value) ?? looks.find((look) => look.failure.value);
  const choices = [
    { value: 'none', text: 'None', hint: 'the surface without these colours' },
    ...COMPONENTS.map((value) => ({ value, text: PAINT_TEXTS[value].text, hint: PAINT_TEXTS[value].help })),
  ];
  return (
    <section>
      <h2>Deformation</h2>
      <Segmented
        label="Component of the deformation"
        value={shown as string}
        choices={choices}
        onChange={(value) => choosePaint(doc, value === 'none' ? 'plain' : (value as Paint))}
      />
      <p class="help">
        {shown === 'none'
          ? 'Paints how much the surface turns, stretches or slants from its rest pose to the frame shown.'
          : `Colours say ${PAINT_TEXTS[shown].help}. Original and fitted share one scale.`}
      </p>
      {shown !== 'none' && (
        <Segmented
          label="Frames"
          value={inspection.averaged.value ? 'all' : 'one'}
          choices={[
            { value: 'one', text: 'This frame', hint: 'from the rest pose to the frame shown' },
            { value: 'all', text: 'Average of all', hint: 'the mean over all frames' },
          ]}
          onChange={(value) => {
            inspection.averaged.value = value === 'all';
          }}
        />
      )}
      {shown !== 'none' && told && <AsideState aside={told} />}
    </section>
  );
}
