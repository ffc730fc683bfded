import { useEffect, useMemo, useRef } from 'preact/hooks';
import { FIT_OPTIONS, FIT_PRESETS, type FitOptions } from '../../../src/fit/fit-options.ts';
import { bytes, digits, plural } from '../../../src/report/format.ts';
import type { Doc } from '../core/doc.ts';
import { errorText } from '../core/fit/error-text.ts';
import type { FitEntry } from '../core/fit/fit-results.ts';
import { resultColour } from '../core/fit/result-colours.ts';
import { startFit } from '../core/fit/start-fit.ts';
import { jobThreads } from '../core/jobs/job.ts';
import type { Studio } from '../core/studio.ts';
import { IconButton, Segmented } from './controls.tsx';
import { TrashIcon } from './icons.tsx';
import { FurtherOptions, labelOf, NumberInput, OptionFields } from './option-fields.tsx';
import { RunButton } from './run-button.tsx';

type Target = 'bones' | 'maxError' | 'maxSize';

/** What a target asks for, when it is chosen. */
interface TargetText {
  text: string;
  label: string;
  start: number;
  least: number;
  unit?: number;
  help: string;
}

const TARGETS: Record<Target, TargetText> = {
  bones: {
    text: 'Bones',
    label: 'Number of bones',
    start: 40,
    least: 1,
    help: 'As good as it gets with so many bones.',
  },
  maxError: {
    text: 'Error',
    label: 'Error, % of the diagonal',
    start: 0.5,
    // In the options of a fit 0 means none.
    least: 1e-6,
    help: 'The smallest number of bones that stays below this error.',
  },
  maxSize: {
    text: 'Size',
    label: 'Size of the GLB, kB',
    start: 200_000,
    least: 1000,
    unit: 1000,
    help: 'The bones and kind with the least error in a file of at most this size.',
  },
};
const TARGET_NAMES = Object.keys(TARGETS) as Target[];
const BASIC = ['kind', 'influences'];
const ELSEWHERE = ['preset', ...TARGET_NAMES];
const FURTHER = Object.keys(FIT_OPTIONS).filter((name) => !BASIC.includes(name) && !ELSEWHERE.includes(name));

/** A target size searches the kinds too, unless one is chosen. */
const ANY = 'any';
const ANY_KIND = {
  ...FIT_OPTIONS,
  kind: { ...FIT_OPTIONS.kind, default: ANY, choices: [ANY, ...FIT_OPTIONS.kind.choices] },
};

const PRESET_HINTS: Record<FitOptions['preset'], string> = {
  best: 'The best error.',
  fast: 'A good error in a fraction of the time.',
  thesis: 'The thesis of 2010 as printed.',
};

const targetOf = (options: Partial<FitOptions>): Target =>
  options.maxError ? 'maxError' : options.maxSize ? 'maxSize' : 'bones';

export function FitPanel({ studio, doc }: { studio: Studio; doc: Doc }) {
  const options = doc.fitOptions.value;
  const change = (changed: Partial<FitOptions>, name = Object.keys(changed)[0]) =>
    doc.edit(labelOf(name), doc.fitOptions, { ...options, ...changed });
  const target = targetOf(options);
  const only = (name: Target, value: number | undefined) =>
    change({ bones: undefined, maxError: undefined, maxSize: undefined, [name]: value }, 'target');
  const shownTarget = TARGETS[target];
  const { unit = 1 } = shownTarget;
  const changed = FURTHER.filter((name) => options[name as keyof FitOptions] !== undefined).length;
  return (
    <>
      <section>
        <h2>Fit bones to the motion</h2>
        <div class="field">
          <span class="label">Preset</span>
          <Segmented
            label="Preset"
            value={options.preset ?? FIT_OPTIONS.preset.default}
            choices={FIT_OPTIONS.preset.choices.map((value) => ({ value, text: value, hint: PRESET_HINTS[value] }))}
            onChange={(preset) => change({ preset })}
          />
          <p class="help">{PRESET_HINTS[options.preset ?? 'best']}</p>
        </div>
        <div class="field">
          <span class="label">Target</span>
          <Segmented
            label="Target"
            value={target}
            choices={TARGET_NAMES.map((value) => ({ value, text: TARGETS[value].text, hint: TARGETS[value].help }))}
            onChange={(name) => only(name, TARGETS[name].start)}
          />
        </div>
        <div class="field">
          <label for="target">{shownTarget.label}</label>
          <NumberInput
            key={target}
            id="target"
            spec={{
              ...FIT_OPTIONS[target],
              integer: target === 'bones',
              default: shownTarget.start / unit,
              min: shownTarget.least / unit,
            }}
            value={(options[target] ?? 0) / unit || undefined}
            onChange={(value) => only(target, value && (unit === 1 ? value : Math.round(value * unit)))}
          />
          <p class="help">{shownTarget.help}</p>
        </div>
        <OptionFields
          specs={target === 'maxSize' ? ANY_KIND : FIT_OPTIONS}
          names={BASIC}
          values={target === 'maxSize' ? given(options) : { ...presetValues(options), ...given(options) }}
          onChange={(name, value) => change({ [name]: value === ANY ? undefined : value })}
        />
        <RunButton doc={doc} primary fields onClick={() => void startFit(doc, jobThreads())}>
          Fit
        </RunButton>
        <FurtherOptions of="fit" more={changed > 0 ? `, ${changed} changed` : ''}>
          <OptionFields
            specs={FIT_OPTIONS}
            names={FURTHER}
            values={given(options)}
            onChange={(name, value) => change({ [name]: value })}
          />
        </FurtherOptions>
      </section>
      <History studio={studio} doc={doc} />
    </>
  );
}

const given = (options: Partial<FitOptions>): Record<string, string | number | boolean | undefined> =>
  Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
const presetValues = (options: Partial<FitOptions>) => given(FIT_PRESETS[options.preset ?? 'best']);

const errorPercent = (x: number | undefined): string => (x === undefined ? '–' : `${errorText(x)} %`);

/** All fits of this document, the one that is shown marked. */
function History({ studio, doc }: { studio: Studio; doc: Doc }) {
  const fits = doc.fits.value;
  const section = useRef<HTMLElement>(null);
  const newest = fits.at(-1);
  const told = useMemo(() => ({ id: newest?.id ?? 0 }), [doc]);
  // A fit that has just ended is brought into sight, however far down all options have pushed it.
  useEffect(() => {
    if (!newest || newest.id <= told.id) return;
    told.id = newest.id;
    section.current?.scrollIntoView({ block: 'nearest' });
    const { bones, errors } = newest.data;
    studio.say(`Fitted ${plural(bones, 'bone')}: RMSE ${errorPercent(errors.rmsePercent)}`);
  }, [newest]);
  if (fits.length === 0) return null;
  return (
    <section ref={section}>
      <h2>Results</h2>
      <ul class="history">
        {fits.toReversed().map((entry) => (
          <HistoryRow key={entry.id} doc={doc} entry={entry} />
        ))}
      </ul>
    </section>
  );
}

function HistoryRow({ doc, entry }: { doc: Doc; entry: FitEntry }) {
  const { errors, bones, kind, bytes: size } = entry.data;
  const { rmsePercent, maxErrorPercent } = errors;
  return (
    <li class={entry.id === doc.selected.value ? 'selected' : ''}>
      <button
        type="button"
        class="result"
        aria-pressed={entry.id === doc.selected.value}
        onClick={() => {
          doc.selected.value = entry.id;
        }}
      >
        <b>
          <i class="swatch" style={{ background: resultColour(entry.id) }} /> {plural(bones, 'bone')}{' '}
          <span class="soft">{kind}</span>
        </b>
        <span class="soft">
          {bytes(size)} · {digits(entry.seconds)} s
        </span>
        <span>
          RMSE <b class="number">{errorPercent(rmsePercent)}</b>
        </span>
        <span>
          largest <span class="number">{errorPercent(maxErrorPercent)}</span>
        </span>
      </button>
      <IconButton name={`Remove result ${entry.id}`} onClick={() => doc.removeFit(entry.id)}>
        <TrashIcon />
      </IconButton>
    </li>
  );
}
