import { clipNames } from '../../core/content/content.ts';
import type { Doc } from '../../core/doc.ts';
import { SPEEDS } from '../../core/view/playback.ts';
import { IconButton, IconToggle } from '../controls/button.tsx';
import { Select } from '../controls/field.tsx';
import { BackIcon, ForwardIcon, LoopIcon, PauseIcon, PlayIcon } from '../controls/icons.tsx';

const SPEED_CHOICES = SPEEDS.map((value) => ({ value, text: `${value} ×` }));

/** Why there is nothing to play: label and remedy. */
function stillness({ content, clip }: Doc): { word: string; why: string } {
  return content.models.length > 0 && clip.value === '' && clipNames(content).length > 0
    ? { word: 'rest pose', why: 'The rest pose does not move. Choose a clip in the Rig panel.' }
    : { word: 'still', why: 'Nothing moves here: this file has only one pose.' };
}

/** Playback controls. */
export function Transport({ doc }: { doc: Doc }) {
  const { playback } = doc;
  const times = playback.times.value;
  const k = playback.frame.value;
  const playing = playback.playing.value;
  const { word, why } = playback.last === 0 ? stillness(doc) : {};
  return (
    <div class="transport">
      <div class="buttons">
        <IconButton name="Frame back" hint="One frame back (←)" why={why} onClick={() => playback.step(-1)}>
          <BackIcon />
        </IconButton>
        <IconButton
          name={playing ? 'Pause' : 'Play'}
          hint={playing ? 'Pause (Space)' : 'Play (Space)'}
          why={why}
          onClick={() => playback.toggle()}
        >
          {playing ? <PauseIcon /> : <PlayIcon />}
        </IconButton>
        <IconButton name="Frame forward" hint="One frame forward (→)" why={why} onClick={() => playback.step(1)}>
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
        disabled={!!why}
        title={why}
        onInput={(event) => playback.goTo(event.currentTarget.valueAsNumber)}
      />
      <output class="clock number" aria-label="Frame and time">
        {word ?? `${k} / ${playback.last}`}
        <span class="soft">{why ? '' : `${(times[k] - times[0]).toFixed(2)} s`}</span>
      </output>
      <Select
        aria-label="Speed"
        title={why ?? 'Playback speed'}
        value={playback.speed.value}
        choices={SPEED_CHOICES}
        disabled={!!why}
        onChange={(speed) => (playback.speed.value = speed)}
      />
      <IconToggle name="Loop" hint="Loop playback" value={playback.loop} why={why}>
        <LoopIcon />
      </IconToggle>
    </div>
  );
}
