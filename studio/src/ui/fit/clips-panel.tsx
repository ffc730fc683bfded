import { useState } from 'preact/hooks';
import { plural } from '../../../../src/report/format.ts';
import { clipNames } from '../../core/content/content.ts';
import type { Doc } from '../../core/doc.ts';
import { startFit } from '../../core/fit/start-fit.ts';
import { jobThreads } from '../../core/jobs/start-job.ts';
import { OPERATORS } from '../../core/rig/rig-operators.ts';
import type { Studio } from '../../core/studio.ts';
import { Button } from '../controls/button.tsx';
import { Section } from '../controls/section.tsx';
import { TargetFields } from './target-fields.tsx';

/** The Fit panel of a rig: its clips, blend shapes included, become a motion that bones are fitted to. */
export function ClipsPanel({ studio, doc }: { studio: Studio; doc: Doc }) {
  const names = clipNames(doc.content);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(() => new Set([doc.clip.value || names[0]]));
  const clips = names.filter((name) => chosen.has(name));
  const [opening, setOpening] = useState(false);
  const toggle = (name: string) =>
    setChosen(new Set(chosen.has(name) ? clips.filter((other) => other !== name) : [...clips, name]));
  const open = async (fits: boolean) => {
    setOpening(true);
    const opened = await studio.openClips(doc, clips);
    if (!opened) return setOpening(false);
    opened.fitOptions.value = doc.fitOptions.value;
    if (fits) void startFit(studio, opened, jobThreads());
  };
  const why = opening ? 'The clips are being opened.' : clips.length === 0 ? 'Choose a clip first.' : undefined;
  return (
    <>
      <Section
        title="Clips"
        help={`The chosen clips are played by this rig (${OPERATORS[doc.operator.value].text}), one after the other, with blend shapes. New bones are fitted to that motion in a new tab.`}
      >
        <fieldset class="checks" aria-label="Clips to fit">
          {names.map((name) => (
            <label key={name}>
              <input type="checkbox" checked={chosen.has(name)} onChange={() => toggle(name)} />
              {name === doc.content.clipsTogether ? `${name} (at once)` : name}
            </label>
          ))}
        </fieldset>
        {names.length > 1 && (
          <Button onClick={() => setChosen(new Set(clips.length < names.length ? names : []))}>
            {clips.length < names.length ? 'Choose all' : 'Choose none'}
          </Button>
        )}
      </Section>
      <Section title="Fit">
        <TargetFields
          options={doc.fitOptions.value}
          onChange={(changed) => doc.edit('target', doc.fitOptions, { ...doc.fitOptions.value, ...changed })}
        />
        <Button class="wide primary" why={why} onClick={() => void open(true)}>
          {`Fit ${plural(clips.length, 'clip')}`}
        </Button>
        <Button class="wide" why={why} onClick={() => void open(false)}>
          Open as a motion
        </Button>
      </Section>
    </>
  );
}
