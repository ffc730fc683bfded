import { count } from '../../../../src/report/format.ts';
import type { Doc } from '../../core/doc.ts';
import { errorPercent } from '../../core/fit/error-text.ts';
import { coarseOf } from '../../core/inspect/coarse.ts';
import type { CoarseLevel } from '../../core/inspect/inspection.ts';
import { COARSEST, LEVEL_STEP } from '../../core/inspect/inspection.ts';
import { Button } from '../controls/button.tsx';
import { CurveChart } from '../controls/curve-chart.tsx';
import { AsideState } from '../controls/progress.tsx';
import { Facts, Section } from '../controls/section.tsx';
import { Slider } from '../controls/slider.tsx';

const STEP_PERCENT = 100 * LEVEL_STEP;

/** The motion with a share of its vertices merged, and the resulting error. */
export function CoarseSection({ doc }: { doc: Doc }) {
  const { merged } = doc.inspection;
  const coarse = coarseOf(doc);
  const levels = coarse.result.value?.levels;
  const percent = Math.round(100 * merged.value);
  const level = levels?.[Math.round(percent / STEP_PERCENT)];
  const merge = (wanted: number) => {
    merged.value = (STEP_PERCENT * Math.round(wanted / STEP_PERCENT)) / 100;
  };
  return (
    <Section title="Decimation">
      <Slider
        label="Merge"
        value={percent}
        most={100 * COARSEST}
        step={STEP_PERCENT}
        text={`${percent} %`}
        help="merged-help"
        onInput={merge}
      />
      <p class="help" id="merged-help">
        Merges this share of the vertices, as the option <i>Decimate</i> of a fit does.
      </p>
      <AsideState aside={coarse} />
      {levels && <CostCurve levels={levels} percent={percent} onPick={merge} />}
      {percent > 0 && level && (
        <>
          <Facts
            rows={[
              ['Vertices', count(level.vertices)],
              ['Triangles', count(level.triangles)],
              ['From the original, mean', errorPercent(level.mean)],
              ['From the original, maximum', errorPercent(level.most)],
            ]}
          />
          <Button
            class="wide"
            onClick={() => {
              doc.edit('decimate', doc.fitOptions, { ...doc.fitOptions.value, decimate: merged.value });
              doc.panel.value = 'fit';
            }}
          >
            Fit with this level
          </Button>
        </>
      )}
    </Section>
  );
}

/** Error by level. A click chooses the level. */
const CostCurve = (props: { levels: readonly CoarseLevel[]; percent: number; onPick(percent: number): void }) => (
  <CurveChart
    label="Mean distance from the original, by the share of merged vertices"
    places={props.levels.map(({ merged }) => Math.round(100 * merged))}
    placeUnit=" %"
    curves={[{ name: 'Mean distance', colour: 'var(--accent)', values: props.levels.map(({ mean }) => mean) }]}
    at={props.percent}
    unit="%"
    steps={[STEP_PERCENT, 2 * STEP_PERCENT]}
    onPick={props.onPick}
  />
);
