import { digits } from '../../../../src/report/format.ts';
import { MOST_WIND, SOFTEST, STIFFEST } from '../../core/cloth/dress.ts';
import type { Doc } from '../../core/doc.ts';
import { Button } from '../controls/button.tsx';
import { Section } from '../controls/section.tsx';
import { Slider } from '../controls/slider.tsx';
import './cloth.css';

/** What cloth is like, up to a power of ten of N·m. */
const LIKE: readonly (readonly [most: number, text: string])[] = [
  [-5.5, 'silk'],
  [-4.5, 'cotton'],
  [-3.5, 'denim'],
  [Infinity, 'leather'],
];

/** Wind and stiffness, while it runs. */
export function LiveSection({ doc }: { doc: Doc }) {
  const { breeze, bending, state } = doc.cloth;
  const { value: wind } = breeze.value;
  const power = Math.log10(bending.value.value);
  const like = LIKE.find(([most]) => power < most)![1];
  return (
    <Section title="Live" help="Drag the cloth in the view. It pauses with the animation.">
      <div class="live-sliders">
        <Slider
          label="Wind"
          value={wind.speed}
          most={MOST_WIND}
          step={0.1}
          text={`${digits(wind.speed)} m/s`}
          onBegin={() => breeze.begin()}
          onInput={(speed) => breeze.set({ ...wind, speed })}
        />
        <Slider
          label="Direction"
          value={wind.heading}
          least={-180}
          most={180}
          step={1}
          text={`${wind.heading}°`}
          help="heading-help"
          onBegin={() => breeze.begin()}
          onInput={(heading) => breeze.set({ ...wind, heading })}
        />
        <p class="help" id="heading-help">
          0° blows forwards, 90° to the left of the body.
        </p>
        <Slider
          label="Stiffness"
          value={power}
          least={SOFTEST}
          most={STIFFEST}
          step={0.25}
          text={like}
          onBegin={() => bending.begin()}
          onInput={(chosen) => bending.set(10 ** chosen)}
        />
      </div>
      <Button
        class="wide"
        why={state.value.kind === 'on' ? undefined : 'The garment is not on yet.'}
        onClick={() => doc.cloth.reset()}
      >
        Reset the cloth
      </Button>
    </Section>
  );
}
