import type { Doc } from '../../core/doc.ts';
import { COMPONENTS, isComponent } from '../../core/paint/vertex-deformation.ts';
import { PAINT_TEXTS } from '../../core/view/looks.ts';
import { AsideState } from '../controls/progress.tsx';
import { Section } from '../controls/section.tsx';
import { Segmented } from '../controls/segmented.tsx';
import { choosePaint } from '../view/colours.tsx';

const CHOICES = [
  { value: 'none', text: 'None', hint: 'no deformation colours' },
  ...COMPONENTS.map((value) => ({ value, text: PAINT_TEXTS[value].text, hint: PAINT_TEXTS[value].help })),
] as const;

const FRAMES = [
  { value: 'one', text: 'This frame', hint: 'from the rest pose to the current frame' },
  { value: 'all', text: 'Average of all', hint: 'the mean over all frames' },
] as const;

/** Paints a component of the deformation, in one frame or on average. */
export function DeformationSection({ doc }: { doc: Doc }) {
  const paint = doc.paint.value;
  const shown = isComponent(paint) ? paint : 'none';
  return (
    <Section title="Deformation">
      <Segmented
        label="Component of the deformation"
        value={shown}
        choices={CHOICES}
        onChange={(value) => choosePaint(doc, value === 'none' ? 'plain' : value)}
      />
      <p class="help">
        {shown === 'none'
          ? 'Shows how much the surface rotates, stretches or shears between the rest pose and the current frame.'
          : `Colours show ${PAINT_TEXTS[shown].help}. Original and fitted share one scale.`}
      </p>
      {shown !== 'none' && <FramesChoice doc={doc} />}
    </Section>
  );
}

/** Current frame or average of all, with progress. */
function FramesChoice({ doc }: { doc: Doc }) {
  const { inspection } = doc;
  const looks = [0, doc.fit.value?.id ?? 0, doc.against.value?.id ?? 0].map((id) => inspection.deformation(id));
  const told = looks.find((look) => look.progress.value) ?? looks.find((look) => look.failure.value);
  return (
    <>
      <Segmented
        label="Frames"
        value={inspection.averaged.value ? 'all' : 'one'}
        choices={FRAMES}
        onChange={(value) => (inspection.averaged.value = value === 'all')}
      />
      {told && <AsideState aside={told} />}
    </>
  );
}
