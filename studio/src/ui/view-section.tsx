import { type ReadonlySignal, signal } from '@preact/signals-core';
import { throwIfCancelled } from '../../../src/error.ts';
import type { RunOptions } from '../../../src/model/options.ts';
import type { Doc } from '../core/doc.ts';
import type { Job } from '../core/jobs/job.ts';
import { type AskedRange, type FrameRange, isWhole, rangeWithin } from '../core/view/frame-range.ts';
import { type ViewLabels, viewLabels } from '../core/view/view-labels.ts';
import type { Viewport } from '../viewport/viewport.ts';
import type { Shown } from './app.tsx';
import { Button, Tick } from './controls.tsx';
import { NumberInput } from './option-fields.tsx';
import { busyWith } from './run-button.tsx';
import { showWrongField, wrongField } from './wrong-fields.ts';

/** Width and height in pixels; undefined is that of the window. */
const SIZES: Record<string, readonly [number, number] | undefined> = {
  'as shown': undefined,
  '1280 × 720': [1280, 720],
  '1920 × 1080': [1920, 1080],
  '1080 × 1080': [1080, 1080],
};

interface Found {
  file: Blob;
  ending: string;
}

type Make = (
  viewport: Viewport,
  shared: { width: number; height: number; labels?: () => ViewLabels },
  run: Required<RunOptions>,
) => Promise<Found>;

/** What a person wants of pictures, whatever document they are of. */
const size = signal('as shown');
const labels = signal(true);
const background = signal(true);
const turntable = signal(false);

const NO_VIEW = 'There is no view to take a picture of.';

/** The view as a picture or as a short film. */
export function ViewSection(props: {
  doc: Doc;
  shown: ReadonlySignal<Shown | undefined>;
  name: string;
  save(file: string, blob: Blob): void;
}) {
  const { doc, shown, name, save } = props;
  const busy = busyWith(doc.running.value) ?? (shown.value ? undefined : NO_VIEW);
  const wrong = busy ? undefined : wrongField.value;
  const { last } = doc.playback;
  const still = last === 0;
  const frames = rangeWithin(doc.filmFrames.value, last);
  const ending = (isWhole(frames, last) ? '' : `-${frames.from}-${frames.to}`) + (turntable.value ? '-turntable' : '');
  const take = async (title: string, ending: string, make: Make) => {
    const [asked, labelled] = [SIZES[size.value], labels.value];
    const found = await doc.run(title, (onProgress): Job<Found> => {
      const controller = new AbortController();
      const run = {
        signal: controller.signal,
        onProgress: (done: number, total: number, label: string) => onProgress({ label, share: done / total }),
      };
      /** Of the view that is there by then: by another try it is another one. */
      const takeIt = async (): Promise<Found> => {
        const now = shown.peek();
        if (!now) throw new Error(NO_VIEW);
        const { viewport, view } = now;
        const [width, height] = asked ?? [viewport.pixels.width, viewport.pixels.height];
        const shared = { width, height, labels: labelled ? () => viewLabels(doc, view.painter) : undefined };
        const made = await make(viewport, shared, run);
        // Whatever the last step was, it did not look.
        throwIfCancelled(controller.signal, title);
        return made;
      };
      return { result: takeIt(), cancel: () => controller.abort() };
    });
    if (found) save(`${name}${ending}.${found.ending}`, found.file);
  };
  const takePicture = () =>
    take('Picture', '', async (of, shared) => {
      const { picture } = await import('../film/picture.ts');
      return { file: await picture(of, { ...shared, background: background.value }), ending: 'png' };
    });
  const takeFilm = () =>
    take('Animation', ending, async (of, shared, run) => {
      const { film } = await import('../film/film.ts');
      return film(doc, of, { ...shared, frames, turntable: turntable.value }, run);
    });

  return (
    <section>
      <h2>The view</h2>
      <div class="field">
        <label for="picture-size">Size, pixels</label>
        <select
          id="picture-size"
          aria-describedby="picture-size-help"
          value={size.value}
          onChange={(event) => (size.value = event.currentTarget.value)}
        >
          {Object.keys(SIZES).map((choice) => (
            <option key={choice} value={choice}>
              {choice}
            </option>
          ))}
        </select>
        <p id="picture-size-help" class="help">
          Of pictures and animations.
        </p>
      </div>
      <Tick id="picture-labels" label="Labels" value={labels}>
        Names of the panes, and the scale of colours.
      </Tick>
      <Tick id="picture-background" label="Background" value={background}>
        A picture without it is transparent around the surface.
      </Tick>
      <Tick id="turntable" label="Turntable" value={turntable}>
        {still
          ? 'The camera goes around once. Nothing moves here, so that an animation needs it.'
          : 'The camera goes around once while an animation plays.'}
      </Tick>
      {!still && <FrameFields doc={doc} frames={frames} />}
      <div class="pair">
        <Button why={busy} onClick={() => void takePicture()}>
          Picture (PNG)
        </Button>
        <Button
          why={busy ?? (still && !turntable.value ? 'Nothing moves here: switch on Turntable.' : wrong)}
          onClick={() => void takeFilm()}
          onRefuse={wrong ? showWrongField : undefined}
        >
          Animation
        </Button>
      </div>
    </section>
  );
}

/** Which frames an animation has; an end that is left empty is that of the motion. */
function FrameFields({ doc, frames: { from, to } }: { doc: Doc; frames: FrameRange }) {
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
        What an animation shows, once, at the speed of play: the whole motion, or a part of it.
      </p>
    </div>
  );
}
