import type { ReadonlySignal } from '@preact/signals-core';
import { stem } from '../../../../src/io/paths.ts';
import type { Doc } from '../../core/doc.ts';
import type { Studio } from '../../core/studio.ts';
import { isWhole, rangeWithin } from '../../core/view/frame-range.ts';
import type { Shown } from '../../viewport/doc-view.ts';
import { Button } from '../controls/button.tsx';
import { SelectField, Tick } from '../controls/field.tsx';
import { busyWith } from '../controls/run-button.tsx';
import { Section } from '../controls/section.tsx';
import { showWrongField, wrongField } from '../controls/wrong-fields.ts';
import { FrameFields } from './frame-fields.tsx';
import { NO_VIEW, SIZES, takeFilm, takePicture, wanted } from './take-view.ts';

const SIZE_CHOICES = Object.keys(SIZES).map((value) => ({ value, text: value }));

/** Exports the view as a picture or an animation. */
export function ViewSection(props: { studio: Studio; doc: Doc; shown: ReadonlySignal<Shown | undefined> }) {
  const { studio, doc, shown } = props;
  const name = stem(doc.content.name);
  const { size, labels, background, turntable } = wanted;
  const busy = busyWith(doc.running.value) ?? (shown.value ? undefined : NO_VIEW);
  const wrong = busy ? undefined : wrongField.value;
  const { last } = doc.playback;
  const still = last === 0;
  const frames = rangeWithin(doc.filmFrames.value, last);
  const film = async () => {
    const range = isWhole(frames, last) ? '' : `-${frames.from}-${frames.to}`;
    const around = turntable.value ? '-turntable' : '';
    const found = await takeFilm(doc, shown, frames);
    if (found) studio.give(`${name}${range}${around}.${found.ending}`, found.file);
  };
  const picture = async () => {
    const found = await takePicture(doc, shown);
    if (found) studio.give(`${name}.${found.ending}`, found.file);
  };
  return (
    <Section title="The view">
      <SelectField
        id="picture-size"
        label="Size, pixels"
        help="For pictures and animations."
        value={size.value}
        choices={SIZE_CHOICES}
        onChange={(chosen) => (size.value = chosen)}
      />
      <Tick id="picture-labels" label="Labels" value={labels}>
        Pane names, colour scales and the ring around the worst vertex.
      </Tick>
      <Tick id="picture-background" label="Background" value={background}>
        Without it, pictures are transparent around the surface.
      </Tick>
      <Tick id="turntable" label="Turntable" value={turntable}>
        {still
          ? 'The camera orbits once. Nothing moves here, so an animation needs it.'
          : 'The camera orbits once while the animation plays.'}
      </Tick>
      {!still && <FrameFields doc={doc} frames={frames} />}
      <div class="pair">
        <Button why={busy} onClick={() => void picture()}>
          Picture (PNG)
        </Button>
        <Button
          why={busy ?? (still && !turntable.value ? 'Nothing moves here. Turn on Turntable.' : wrong)}
          onClick={() => void film()}
          onRefuse={wrong ? showWrongField : undefined}
        >
          Animation
        </Button>
      </div>
    </Section>
  );
}
