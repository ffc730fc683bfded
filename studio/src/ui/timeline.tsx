import { clipNames } from '../core/content/clips.ts';
import type { Doc } from '../core/doc.ts';
import { isFitting } from '../core/fit/start-fit.ts';
import { SPEEDS } from '../core/view/playback.ts';
import { IconButton } from './controls.tsx';
import { ErrorChart, ErrorChartRoom } from './error-chart.tsx';
import { BackIcon, ForwardIcon, LoopIcon, PauseIcon, PlayIcon } from './icons.tsx';

/** Why there is nothing to play: in a word, and what can be done. */
function stillness({ content, clip }: Doc): { word: string; why: string } {
  return content.models.length > 0 && clip.value === '' && clipNames(content).length > 0
    ? { word: 'rest pose', why: 'The rest pose does not move: choose a clip in the panel Rig.' }
    : { word: 'still', why: 'Nothing moves here: this file has one pose.' };
}

export function Timeline({ doc, dark }: { doc: Doc; dark: boolean }) {
  const { playback } = doc;
  const times = playback.times.value;
  const k = playback.frame.value;
  const dragging = doc.panel.value === 'learn' && doc.predictor.value !== undefined;
  const fit = dragging ? undefined : doc.fit.value;
  const playing = playback.playing.value;
  const { word, why: still } = playback.last === 0 ? stillness(doc) : {};
  return (
    <section class="timeline" aria-label="Timeline">
      {fit && !still ? (
        <ErrorChart key={fit.id} doc={doc} entry={fit} dark={dark} />
      ) : (
        !dragging && isFitting(doc) && <ErrorChartRoom />
      )}
      <div class="transport">
        <div class="buttons">
          <IconButton name="Frame back" hint="One frame back (←)" why={still} onClick={() => playback.step(-1)}>
            <BackIcon />
          </IconButton>
          <IconButton
            name={playing ? 'Pause' : 'Play'}
            hint={playing ? 'Pause (Space)' : 'Play (Space)'}
            why={still}
            onClick={() => playback.toggle()}
          >
            {playing ? <PauseIcon /> : <PlayIcon />}
          </IconButton>
          <IconButton name="Frame forward" hint="One frame on (→)" why={still} onClick={() => playback.step(1)}>
            <ForwardIcon />
          </IconButton>
        </div>
        <input
          type="range"
          class="scrub"
          aria-label="Frame"
          min={0}
          max={playback.last}
          step={1}
          value={k}
          disabled={!!still}
          title={still}
          onInput={(event) => {
            playback.playing.value = false;
            playback.seek(event.currentTarget.valueAsNumber);
          }}
        />
        <output class="clock number" aria-label="Frame and time">
          {word ?? `${k} / ${playback.last}`}
          <span class="soft">{still ? '' : `${(times[k] - times[0]).toFixed(2)} s`}</span>
        </output>
        <select
          aria-label="Speed"
          title={still ?? 'Speed of play'}
          value={playback.speed.value}
          disabled={!!still}
          onChange={(event) => {
            playback.speed.value = Number(event.currentTarget.value);
          }}
        >
          {SPEEDS.map((speed) => (
            <option key={speed} value={speed}>
              {speed} ×
            </option>
          ))}
        </select>
        <IconButton
          name="Loop"
          hint="Begin again at the end"
          pressed={playback.loop.value}
          why={still}
          onClick={() => {
            playback.loop.value = !playback.loop.value;
          }}
        >
          <LoopIcon />
        </IconButton>
      </div>
    </section>
  );
}
