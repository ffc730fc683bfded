import { CURVE_ANGLES, type LabOperator } from '../../core/lab/bend-lab.ts';
import type { Lab, LabState } from '../../core/lab/lab-state.ts';
import { OPERATORS, operatorColour } from '../../core/rig/rig-operators.ts';
import { CurveChart } from '../controls/curve-chart.tsx';
import { Section } from '../controls/section.tsx';
import { type Choice, Segmented } from '../controls/segmented.tsx';
import { Slider } from '../controls/slider.tsx';
import { AREA_RAMP } from './draw-bar.ts';

const RIGS: Choice<LabState['rig']>[] = [
  { value: 'segments', text: 'Segments', hint: 'Two bones that meet at the joint; weights rise by a smooth step' },
  { value: 'points', text: 'Points', hint: 'Three bones that are points; weights are inverse distances' },
];
const MEASURES: Choice<LabState['measure']>[] = [
  { value: 'signed', text: 'Signed', hint: 'Flipped areas count as negative' },
  { value: 'absolute', text: 'Absolute', hint: 'Flipped areas count as positive' },
];
const hintOf = (choices: Choice<string>[], chosen: string) => choices.find(({ value }) => value === chosen)?.hint;

/** The settings of the lab and the resulting curves. */
export function LabSettings({ lab, curves }: { lab: Lab; curves: ReadonlyMap<LabOperator, number[]> }) {
  return (
    <aside class="side panel" aria-label="Lab settings">
      <AngleSection lab={lab} />
      <AreaSection lab={lab} curves={curves} />
      <WeightSection lab={lab} />
      <Section title="Mix" help="0 is linear blending, 1 dual quaternions.">
        <LabSlider lab={lab} of="mixAtJoint" label="At joint" edit="mix" most={1} step={0.01} />
        <LabSlider lab={lab} of="mixAway" label="Away" edit="mix" most={1} step={0.01} />
      </Section>
    </aside>
  );
}

function AngleSection({ lab }: { lab: Lab }) {
  const { angle } = lab.state.value.value;
  return (
    <Section
      title="The bending bar"
      help="A 10 × 2 bar with a joint in the middle. Drag an end to see what each operator does to its area."
    >
      <Slider
        label="Angle"
        value={angle}
        most={180}
        step={1}
        text={`${angle}°`}
        onBegin={() => lab.begin()}
        onInput={(degrees) => lab.bend(degrees)}
      />
      <div
        class="ramp-legend"
        role="img"
        aria-label="Colours: blue lost area, grey kept it, orange gained area, red is flipped"
      >
        <div style={{ background: AREA_RAMP }} />
        <span class="help">
          <i>0.5 ×</i> <i>its area at rest</i> <i>1.5 ×</i>
        </span>
        <small>red: flipped</small>
      </div>
    </Section>
  );
}

function AreaSection({ lab, curves }: { lab: Lab; curves: ReadonlyMap<LabOperator, number[]> }) {
  const { angle, measure } = lab.state.value.value;
  return (
    <Section title="Area over the angle">
      <Segmented
        label="Area"
        value={measure}
        choices={MEASURES}
        onChange={(value) => lab.choose('measure of area', { measure: value })}
      />
      <p class="help">Gained or lost, in % of the bar. {hintOf(MEASURES, measure)}.</p>
      <CurveChart
        label="Area over the angle"
        places={CURVE_ANGLES}
        placeUnit="°"
        curves={Array.from(curves, ([name, values]) => ({
          name: OPERATORS[name].text,
          colour: operatorColour(name),
          values,
        }))}
        at={angle}
        even={0}
        unit="%"
        onBegin={() => lab.begin()}
        onPick={(degrees) => lab.bend(degrees)}
      />
    </Section>
  );
}

function WeightSection({ lab }: { lab: Lab }) {
  const { rig } = lab.state.value.value;
  const points = rig === 'points';
  return (
    <Section title="Weights">
      <Segmented label="Bones" value={rig} choices={RIGS} onChange={(value) => lab.choose('bones', { rig: value })} />
      <p class="help">{hintOf(RIGS, rig)}.</p>
      <LabSlider
        lab={lab}
        of="fallOff"
        label="Fall-off"
        edit="fall-off"
        least={0.1}
        most={4}
        step={0.05}
        disabled={points}
        help="fall-off-help"
      />
      <p id="fall-off-help" class="help">
        {points
          ? 'Only for segments: inverse distances have no fall-off.'
          : 'Distance from the joint over which weights change. The bar is 10 long.'}
      </p>
    </Section>
  );
}

type SliderProps = Omit<Parameters<typeof Slider>[0], 'value' | 'onBegin' | 'onInput'>;

/** A slider for a setting of the lab. @param edit name of the edit. */
const LabSlider = (props: SliderProps & { lab: Lab; of: 'fallOff' | 'mixAtJoint' | 'mixAway'; edit: string }) => {
  const { lab, of, edit, ...rest } = props;
  return (
    <Slider
      {...rest}
      value={lab.state.value.value[of]}
      onBegin={() => lab.begin(edit)}
      onInput={(value) => lab.change({ [of]: value })}
    />
  );
};
