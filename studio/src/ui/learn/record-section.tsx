import { useEffect } from 'preact/hooks';
import type { Predictor } from '../../../../src/index.ts';
import { stem } from '../../../../src/io/paths.ts';
import { number, plural } from '../../../../src/report/format.ts';
import type { Doc } from '../../core/doc.ts';
import { startJob } from '../../core/jobs/start-job.ts';
import { replay } from '../../core/learn/driving.ts';
import type { Studio } from '../../core/studio.ts';
import { Button, IconButton } from '../controls/button.tsx';
import { PauseIcon, PlayIcon, TrashIcon } from '../controls/icons.tsx';
import { RunButton } from '../controls/run-button.tsx';
import { Section } from '../controls/section.tsx';

/** The title of the job. */
const WRITING = 'Writing the recording';

/** Records the points, plays the recording and saves it as a clip. */
export function RecordSection({ studio, doc, predictor }: { studio: Studio; doc: Doc; predictor: Predictor }) {
  const { learn } = doc;
  const recorded = learn.recorded.value;
  const recording = recorded !== undefined;
  const take = learn.take.value;
  useRecording(doc, recording);
  return (
    <Section
      title="Record a performance"
      help={!take && !recording && 'Press Record, drag the points, then stop: the movement becomes a clip.'}
    >
      <Button
        class={`wide record ${recording ? 'on' : ''}`}
        pressed={recording}
        onClick={() => (recording ? learn.stop() : learn.record(performance.now() / 1000))}
      >
        {recording ? `Stop, ${recorded.toFixed(1)} s` : take ? 'Record again' : 'Record'}
      </Button>
      {take && !recording && (
        <>
          <Take doc={doc} times={take.times} />
          <RunButton doc={doc} job={WRITING} onClick={() => void saveTake(studio, doc, predictor)}>
            Save as GLB
          </RunButton>
        </>
      )}
    </Section>
  );
}

/** Records the points in every animation frame. */
function useRecording({ learn }: Doc, recording: boolean): void {
  useEffect(() => {
    if (!recording) return undefined;
    let request = requestAnimationFrame(function tick(now: number) {
      learn.tick(now / 1000);
      request = requestAnimationFrame(tick);
    });
    return () => {
      cancelAnimationFrame(request);
      // Leaving the panel ends the recording.
      learn.stop();
    };
  }, [recording]);
}

/** The recording. */
function Take({ doc, times }: { doc: Doc; times: Float64Array }) {
  const { learn, playback } = doc;
  const replaying = learn.shown.value !== undefined && playback.playing.value;
  return (
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
        {number(times[times.length - 1])} s, {plural(times.length, 'frame')}
      </span>
      <IconButton
        name="Discard the recording"
        onClick={() => {
          learn.replays.value = false;
          doc.edit('discarding the recording', learn.take, undefined);
        }}
      >
        <TrashIcon />
      </IconButton>
    </div>
  );
}

async function saveTake(studio: Studio, doc: Doc, predictor: Predictor): Promise<void> {
  const options = { points: doc.learn.take.value!, clip: 'take', glb: {} };
  const input = { asset: { predictors: [predictor] }, options };
  const made = await doc.run(WRITING, (onProgress) => startJob('drive', input, onProgress));
  if (!made) return;
  const file = new Blob([new Uint8Array(made.file!)], { type: 'model/gltf-binary' });
  studio.give(`${stem(doc.content.name)}-take.glb`, file);
}
