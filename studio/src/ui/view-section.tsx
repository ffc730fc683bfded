import { useSignal } from '@preact/signals';
import { throwIfCancelled } from '../../../src/error.ts';
import type { RunOptions } from '../../../src/model/options.ts';
import type { Doc } from '../core/doc.ts';
import type { Job } from '../core/job.ts';
import { type ViewLabels, viewLabels } from '../core/view-labels.ts';
import type { Viewport } from '../viewport/viewport.ts';
import type { Shown } from './app.tsx';
import { Tick } from './controls.tsx';

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

/** The view as a picture or as a short film of the whole motion. */
export function ViewSection(props: {
  doc: Doc;
  shown: Shown | undefined;
  name: string;
  save(file: string, blob: Blob): void;
}) {
  const { doc, shown, name, save } = props;
  const size = useSignal('as shown');
  const labels = useSignal(true);
  const background = useSignal(true);
  const turntable = useSignal(false);
  const busy = doc.running.value !== undefined || !shown;
  const still = doc.playback.last === 0;
  const take = async (title: string, ending: string, make: Make) => {
    if (!shown) return;
    const { viewport, view } = shown;
    const [width, height] = SIZES[size.value] ?? [viewport.canvas.width, viewport.canvas.height];
    const shared = { width, height, labels: labels.value ? () => viewLabels(doc, view.painter) : undefined };
    const found = await doc.run(title, (onProgress): Job<Found> => {
      const controller = new AbortController();
      const run = {
        signal: controller.signal,
        onProgress: (done: number, total: number, label: string) => onProgress({ label, share: done / total }),
      };
      const result = make(viewport, shared, run).then((made) => {
        // Whatever the last step was, it did not look.
        throwIfCancelled(controller.signal, title);
        return made;
      });
      return { result, cancel: () => controller.abort() };
    });
    if (found) save(`${name}${ending}.${found.ending}`, found.file);
  };
  const takePicture = () =>
    take('Picture', '', async (of, shared) => {
      const { picture } = await import('../film/picture.ts');
      return { file: await picture(of, { ...shared, background: background.value }), ending: 'png' };
    });
  const takeFilm = () =>
    take('Animation', turntable.value ? '-turntable' : '', async (of, shared, run) => {
      const { film } = await import('../film/film.ts');
      return film(doc, of, { ...shared, turntable: turntable.value }, run);
    });

  return (
    <section>
      <h2>The view</h2>
      <div class="field">
        <label for="picture-size">Size, pixels</label>
        <select id="picture-size" value={size.value} onChange={(event) => (size.value = event.currentTarget.value)}>
          {Object.keys(SIZES).map((choice) => (
            <option key={choice} value={choice}>
              {choice}
            </option>
          ))}
        </select>
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
          : 'The camera goes around once while an animation shows the whole motion, at the speed of play.'}
      </Tick>
      <div class="pair">
        <button type="button" disabled={busy} onClick={() => void takePicture()}>
          Picture (PNG)
        </button>
        <button type="button" disabled={busy || (still && !turntable.value)} onClick={() => void takeFilm()}>
          Animation
        </button>
      </div>
    </section>
  );
}
