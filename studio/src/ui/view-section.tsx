import { useSignal } from '@preact/signals';
import type { Doc } from '../core/doc.ts';
import type { Job } from '../core/job.ts';
import type { Viewport } from '../viewport/viewport.ts';

/** Width and height in pixels; undefined is that of the window. */
const SIZES: Record<string, readonly [number, number] | undefined> = {
  'as shown': undefined,
  '1280 × 720': [1280, 720],
  '1920 × 1080': [1920, 1080],
  '1080 × 1080': [1080, 1080],
};

type Found = { file: Blob; ending: string };

/** The view as a picture or as a short film of the whole motion. */
export function ViewSection(props: {
  doc: Doc;
  viewport: Viewport | undefined;
  name: string;
  save(file: string, blob: Blob): void;
}) {
  const { doc, viewport, name, save } = props;
  const size = useSignal('as shown');
  const background = useSignal(true);
  const turntable = useSignal(false);
  const busy = doc.running.value !== undefined || !viewport;
  const still = doc.playback.last === 0;
  const pixels = (of: Viewport) => SIZES[size.value] ?? [of.canvas.width, of.canvas.height];

  const takePicture = async () => {
    if (!viewport) return;
    const [width, height] = pixels(viewport);
    const file = await viewport.atSize(width, height, () => viewport.picture(background.value));
    save(`${name}.png`, file);
  };
  const takeFilm = async () => {
    if (!viewport) return;
    const [width, height] = pixels(viewport);
    const found = await doc.run('Animation', (onProgress): Job<Found> => {
      const controller = new AbortController();
      const run = {
        signal: controller.signal,
        onProgress: (done: number, total: number, label: string) => onProgress({ label, share: done / total }),
      };
      const options = { width, height, turntable: turntable.value };
      const result = import('../film/film.ts').then(({ film }) => film(doc, viewport, options, run));
      return { result, cancel: () => controller.abort() };
    });
    if (found) save(`${name}${turntable.value ? '-turntable' : ''}.${found.ending}`, found.file);
  };

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
      <div class="field">
        <label for="picture-background">Background</label>
        <input
          id="picture-background"
          type="checkbox"
          checked={background.value}
          onChange={(event) => {
            background.value = event.currentTarget.checked;
          }}
        />
        <p class="help">A picture without it is transparent around the surface.</p>
      </div>
      <div class="field">
        <label for="turntable">Turntable</label>
        <input
          id="turntable"
          type="checkbox"
          checked={turntable.value}
          onChange={(event) => {
            turntable.value = event.currentTarget.checked;
          }}
        />
        <p class="help">
          {still
            ? 'The camera goes around once. Nothing moves here, so that an animation needs it.'
            : 'The camera goes around once while an animation shows the whole motion, at the speed of play.'}
        </p>
      </div>
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
