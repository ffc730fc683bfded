import { CORRECTION_OPTIONS } from '../../../../src/fit/thesis/corrections/correct.ts';
import { THESIS_OPTIONS } from '../../../../src/fit/thesis/thesis-options.ts';
import { FIT_OPTIONS, FIT_PRESETS, type FitOptions } from '../../../../src/index.ts';
import type { Doc } from '../../core/doc.ts';
import { FITTING, startFit } from '../../core/fit/start-fit.ts';
import { jobThreads } from '../../core/jobs/start-job.ts';
import type { Studio } from '../../core/studio.ts';
import { FurtherOptions, labelOf, OptionFields } from '../controls/option-fields.tsx';
import { RunButton } from '../controls/run-button.tsx';
import { Section } from '../controls/section.tsx';
import { Segmented } from '../controls/segmented.tsx';
import { CurveSection } from './curve-section.tsx';
import { FitHistory } from './fit-history.tsx';
import { TARGET_NAMES, TargetFields, targetOf } from './target-fields.tsx';

const BASIC = ['kind', 'influences'];
const ELSEWHERE = ['preset', ...TARGET_NAMES];
/** Choices of Antonopoulos 2010, which few people need; these two serve every preset. */
const RESEARCH = Object.keys({ ...THESIS_OPTIONS, ...CORRECTION_OPTIONS }).filter(
  (name) => name in FIT_OPTIONS && !['decimate', 'seed'].includes(name),
);
const ADVANCED = Object.keys(FIT_OPTIONS).filter((name) => ![...BASIC, ...ELSEWHERE, ...RESEARCH].includes(name));
const FURTHER = [
  { of: 'fit', title: 'Advanced options', names: ADVANCED },
  { of: 'fit-research', title: 'Research options', names: RESEARCH },
];

/** A target size searches the kinds too, unless one is chosen. */
const ANY = 'any';
const ANY_KIND = {
  ...FIT_OPTIONS,
  kind: { ...FIT_OPTIONS.kind, default: ANY, choices: [ANY, ...FIT_OPTIONS.kind.choices] },
};

const PRESET_HINTS: Record<FitOptions['preset'], string> = {
  best: 'Lowest error.',
  fast: 'A good result in a fraction of the time.',
  thesis: 'The method of Antonopoulos 2010 as published, for comparison.',
};

/** The Fit panel: options and results. */
export function FitPanel({ studio, doc }: { studio: Studio; doc: Doc }) {
  const options = doc.fitOptions.value;
  const change = (changed: Partial<FitOptions>, name = Object.keys(changed)[0]) =>
    doc.edit(labelOf(name), doc.fitOptions, { ...options, ...changed });
  const preset = options.preset ?? FIT_OPTIONS.preset.default;
  const bySize = targetOf(options) === 'maxSize';
  const own = given(options);
  return (
    <>
      <Section title="Fit bones to the motion">
        <div class="field">
          <span class="label">Preset</span>
          <Segmented
            label="Preset"
            value={preset}
            choices={FIT_OPTIONS.preset.choices.map((value) => ({ value, text: value, hint: PRESET_HINTS[value] }))}
            onChange={(value) => change({ preset: value })}
          />
          <p class="help">{PRESET_HINTS[preset]}</p>
        </div>
        <TargetFields options={options} onChange={(changed) => change(changed, 'target')} />
        <OptionFields
          specs={bySize ? ANY_KIND : FIT_OPTIONS}
          names={BASIC}
          values={bySize ? own : { ...given(FIT_PRESETS[preset]), ...own }}
          onChange={(name, value) => change({ [name]: value === ANY ? undefined : value })}
        />
        <RunButton doc={doc} job={FITTING} primary fields onClick={() => void startFit(studio, doc, jobThreads())}>
          Fit
        </RunButton>
        {FURTHER.map(({ of, title, names }) => {
          const changed = names.filter((name) => name in own).length;
          return (
            <FurtherOptions key={of} of={of} title={title} more={changed > 0 ? `, ${changed} changed` : ''}>
              <OptionFields
                specs={FIT_OPTIONS}
                names={names}
                values={own}
                onChange={(name, value) => change({ [name]: value })}
              />
            </FurtherOptions>
          );
        })}
      </Section>
      <CurveSection studio={studio} doc={doc} />
      <FitHistory doc={doc} />
    </>
  );
}

const given = (options: Partial<FitOptions>): Record<string, string | number | boolean | undefined> =>
  Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
