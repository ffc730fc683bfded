import type { Doc } from '../../core/doc.ts';
import { type AskedRange, type FrameRange, rangeWithin } from '../../core/view/frame-range.ts';
import { NumberInput } from '../controls/number-input.tsx';

/** The frames of an animation; an empty end is that of the motion. */
export function FrameFields({ doc, frames: { from, to } }: { doc: Doc; frames: FrameRange }) {
  const { filmFrames, playback } = doc;
  const { last } = playback;
  const change = (changed: AskedRange) => {
    const asked = { ...filmFrames.value, ...changed };
    const next = rangeWithin(asked, last);
    if (next.from === from && next.to === to) return;
    doc.edit('frames of the animation', filmFrames, asked);
  };
  const field = (name: string, least: number, most: number, end: number, value: number, set: (k?: number) => void) => (
    <NumberInput
      id={`film-${name.toLowerCase()}`}
      aria-label={`${name} frame of the animation`}
      aria-describedby="film-help"
      spec={{ type: 'number', default: end, min: least, max: most, integer: true, description: '' }}
      value={value === end ? undefined : value}
      onChange={(k) => set(k === end ? undefined : k)}
    />
  );
  return (
    <div class="field">
      <span class="label">Frames</span>
      <div class="from-to">
        {field('First', 0, to, 0, from, (k) => change({ from: k }))}
        <span class="soft">to</span>
        {field('Last', from, last, last, to, (k) => change({ to: k }))}
      </div>
      <p id="film-help" class="help">
        The frames to show, once, at the current speed.
      </p>
    </div>
  );
}
