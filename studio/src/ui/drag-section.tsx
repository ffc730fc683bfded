import { useEffect } from 'preact/hooks';
import { stem } from '../../../src/io/paths.ts';
import { STRETCHED } from '../../../src/learn/strain.ts';
import { type Predictor, pointNames } from '../../../src/model/predictor.ts';
import { number, plural } from '../../../src/report/format.ts';
import type { Doc } from '../core/doc.ts';
import { errorText } from '../core/fit/error-text.ts';
import { startJob } from '../core/jobs/job.ts';
import { replay, togglePin } from '../core/learn/driving.ts';
import { examplePoints } from '../core/learn/point-follow.ts';
import type { Studio } from '../core/studio.ts';
import { AsideState } from './aside-state.tsx';
import { Button, Facts, IconButton, Tick } from './controls.tsx';
import { PauseIcon, PinIcon, PlayIcon, TrashIcon } from './icons.tsx';
import './learn.css';
import { RunButton } from './run-button.tsx';

interface Given {
  studio: Studio;
  doc: Doc;
  predictor: Predictor;
}

/** What one does with control points: drag, pin, take examples, record. */
export function DragSections({ studio, doc, predictor }: Given) {
  return (
    <>
      <PointSection doc={doc} predictor={predictor} />
      <RecordSection studio={studio} doc={doc} predictor={predictor} />
      <ExampleSection doc={doc} predictor={predictor} />
    </>
  );
}

function PointSection({ doc, predictor }: { doc: Doc; predictor: Predictor }) {
  const { learn, points } = doc;
  const reach = doc.reach.value;
  const error = doc.learned.value?.report.figures.find(({ name }) => name === 'leave-one-out RMSE');
  const pins = learn.pins.value;
  const names = pointNames(predictor);
  const all = Array.from(names.keys());
  const strain = learn.strain.value;
  const held = learn.whole.value && learn.held.value !== undefined && learn.held.value === points.value.value;
  const ringed = strain !== undefined && strain > STRETCHED;
  const moving = points.value.value === undefined && !learn.replays.value;
  const moves = doc.content.sequences.length > 0;
  return (
    <section>
      <h2>Drag the points</h2>
      <p class="help">
        Drag one of the {plural(all.length, 'control point')} across the view, or along an axis by its arrows. The
        others go along as they do in the examples; those that are pinned stay. Press a point twice to pin it.
      </p>
      <fieldset class={`points ${predictor.names ? 'named' : ''}`} aria-label="Control points">
        {all.map((l) => (
          <span key={l} class={pins.has(l) ? 'pinned' : ''}>
            <button
              type="button"
              aria-pressed={learn.point.value === l}
              title={`Select ${names[l]}`}
              onClick={() => {
                learn.point.value = learn.point.value === l ? undefined : l;
              }}
            >
              {predictor.names ? names[l] : l + 1}
            </button>
            <IconButton name={`Pin ${names[l]}`} pressed={pins.has(l)} onClick={() => togglePin(doc, l)}>
              <PinIcon />
            </IconButton>
          </span>
        ))}
      </fieldset>
      <div class="pair">
        <Button
          why={pins.size === all.length ? 'All points are pinned.' : undefined}
          onClick={() => doc.edit('pins', learn.pins, new Set(all) as ReadonlySet<number>)}
        >
          Pin all
        </Button>
        <Button
          why={pins.size === 0 ? 'No point is pinned.' : undefined}
          onClick={() => doc.edit('pins', learn.pins, new Set() as ReadonlySet<number>)}
        >
          Pin none
        </Button>
      </div>
      <Facts
        rows={[
          ['Points', reach > 1 ? `${reach.toFixed(1)} × the reach of the examples` : 'within reach'],
          ...(strain === undefined ? [] : [['Surface', surfaceText(strain)] as const]),
          ...(error ? [['Error on unseen examples', `${errorText(error.value)} %`] as const] : []),
        ]}
      />
      <div role="status">
        {held && (
          <p class="caution">
            Held back: farther on, the surface would tear{ringed ? ' where the ring is' : ''}. The examples show nothing
            like it.
          </p>
        )}
      </div>
      {strain !== undefined && (
        <Tick
          id="keep-whole"
          label="Keep it whole"
          value={learn.whole}
          onChange={(whole) => doc.edit('keeping it whole', learn.whole, whole)}
        >
          Holds points back before the surface tears.
        </Tick>
      )}
      <Button
        class="wide"
        why={moving ? `The points are ${moves ? 'where the motion has them' : 'at rest'}.` : undefined}
        onClick={() => replay(doc, false)}
      >
        {moves ? 'Back to the motion' : 'Back to rest'}
      </Button>
    </section>
  );
}

const surfaceText = (strain: number): string => (strain > STRETCHED ? `${strain.toFixed(1)} × their stretch` : 'whole');

/** Keeps what the points do, plays it again, and saves it as a clip. */
function RecordSection({ studio, doc, predictor }: Given) {
  const { learn, playback } = doc;
  const recorded = learn.recorded.value;
  const take = learn.take.value;
  const recording = recorded !== undefined;
  useEffect(() => {
    if (!recording) return undefined;
    let request = requestAnimationFrame(function tick(now: number) {
      learn.tick(now / 1000);
      request = requestAnimationFrame(tick);
    });
    return () => {
      cancelAnimationFrame(request);
      // Whoever leaves has finished.
      learn.stop();
    };
  }, [recording]);
  const replaying = learn.shown.value !== undefined && playback.playing.value;
  return (
    <section>
      <h2>Record a performance</h2>
      {!take && !recording && <p class="help">Press, drag points, stop: what they did becomes a clip.</p>}
      <button
        type="button"
        class={`wide record ${recording ? 'on' : ''}`}
        aria-pressed={recording}
        onClick={() => (recording ? learn.stop() : learn.record(performance.now() / 1000))}
      >
        {recording ? `Stop, ${recorded.toFixed(1)} s` : take ? 'Record again' : 'Record'}
      </button>
      {take && !recording && (
        <>
          <div class="take">
            <IconButton
              name={replaying ? 'Pause the recording' : 'Play the recording'}
              onClick={() => {
                if (replaying) playback.playing.value = false;
                else replay(doc, true);
              }}
            >
              {replaying ? <PauseIcon /> : <PlayIcon />}
            </IconButton>
            <span class="number">
              {number(take.times[take.times.length - 1])} s, {plural(take.times.length, 'frame')}
            </span>
            <IconButton
              name="Discard the recording"
              onClick={() => {
                learn.replays.value = false;
                doc.edit('discard of a recording', learn.take, undefined);
              }}
            >
              <TrashIcon />
            </IconButton>
          </div>
          <RunButton doc={doc} job="Writing the recording" onClick={() => void saveTake(studio, doc, predictor)}>
            Save as GLB
          </RunButton>
        </>
      )}
    </section>
  );
}

async function saveTake(studio: Studio, doc: Doc, predictor: Predictor): Promise<void> {
  const path = doc.learn.take.value!;
  const written = await doc.run('Writing the recording', (onProgress) =>
    startJob('drive', { predictor, path }, onProgress),
  );
  if (written) studio.give(`${stem(doc.content.name)}-take.glb`, new Blob([written], { type: 'model/gltf-binary' }));
}

/** Small pictures of what was learned from; a press takes the points there. */
function ExampleSection({ doc, predictor }: { doc: Doc; predictor: Predictor }) {
  const pictures = doc.learn.picturesOf(predictor);
  useEffect(() => {
    pictures.begin((onProgress) => startJob('pictures', { predictor }, onProgress));
  }, [predictor]);
  const found = pictures.result.value;
  return (
    <section>
      <h2>Examples</h2>
      <p class="help">What it learned from. Press one, and the points go there.</p>
      <AsideState aside={pictures} />
      {found && (
        <div class="examples">
          {found.map((picture, e) => (
            <button
              key={e}
              type="button"
              aria-label={`Example ${e + 1}`}
              title={`Example ${e + 1}`}
              onClick={() => {
                doc.playback.playing.value = false;
                doc.points.begin(`example ${e + 1}`);
                doc.points.set(examplePoints(predictor, e));
              }}
            >
              <img src={picture} alt="" />
            </button>
          ))}
        </div>
      )}
    </section>
  );
}
