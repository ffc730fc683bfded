import { useMemo } from 'preact/hooks';
import { Bar, CURVE_ANGLES, LAB_OPERATORS, type LabOperator } from '../core/lab/bend-lab.ts';
import { LAB_START, type Lab, type LabState } from '../core/lab/lab-state.ts';
import { BarPane, RAMP } from './bar-pane.tsx';
import { Segmented, Slider } from './controls.tsx';
import { CurveChart } from './curve-chart.tsx';
import './lab.css';
import { OPERATORS, operatorColour } from './operators.ts';

const GRID = { columns: 49, rows: 11 };

const RIGS = [
  { value: 'segments', text: 'Segments', hint: 'Two bones that meet at the joint; weights rise by a smooth step' },
  { value: 'points', text: 'Points', hint: 'Three bones that are points; weights are inverse distances' },
] as const;
type Measure = LabState['measure'];
const MEASURES: { value: Measure; text: string; hint: string }[] = [
  { value: 'signed', text: 'Signed', hint: 'What is turned over counts as negative' },
  { value: 'absolute', text: 'Absolute', hint: 'What is turned over counts as it is' },
];

/** What bending does to a bar by each operator, beside each other. */
const NOTES: Record<LabOperator, string> = {
  rigid: 'Each vertex follows one bone: it tears outside, overlaps inside.',
  lbs: 'Means of positions cut the corner: the bar gets thin.',
  dqs: 'Means of motions keep the distance from the joint: it bulges.',
  sdqs: 'As dual quaternions: nothing is stretched here.',
  dib: 'The exact mean of the motions: here nearly the same.',
  mix: 'Between both, by a weight that you choose.',
};

/** The bending rectangle: one bar, every operator. */
export default function LabView({ dark, lab }: { dark: boolean; lab: Lab }) {
  /** An edit that is one change. */
  const choose = (name: string, changed: Partial<LabState>) => {
    lab.begin(name);
    lab.change(changed);
  };
  const { rig, fallOff, mixAtJoint, mixAway, angle, measure } = lab.state.value.value;
  const bar = useMemo(() => new Bar({ rig, fallOff, mixAtJoint, mixAway }, GRID), [rig, fallOff, mixAtJoint, mixAway]);
  // Only the mix hears of its weights.
  const plain = useMemo(() => new Bar({ ...LAB_START, rig, fallOff }, GRID), [rig, fallOff]);
  const fixed = useMemo(() => {
    const others = LAB_OPERATORS.filter((name) => name !== 'mix');
    return new Map<LabOperator, number[]>(others.map((name) => [name, plain.curve(name, measure)]));
  }, [plain, measure]);
  const ofMix = useMemo(() => bar.curve('mix', measure), [bar, measure]);
  const curves = LAB_OPERATORS.map((name) => ({
    name: OPERATORS[name].text,
    colour: operatorColour(name),
    values: fixed.get(name) ?? ofMix,
  }));
  const begin = () => lab.begin();
  const bend = (degrees: number) => lab.change({ angle: Math.round(Math.min(180, Math.max(0, degrees))) });
  return (
    <main class="lab-view">
      <div class="bars">
        {LAB_OPERATORS.map((name) => (
          <BarPane
            key={name}
            name={OPERATORS[name].text}
            colour={operatorColour(name)}
            note={NOTES[name]}
            bent={bar.bend(name, angle)}
            measure={measure}
            bar={bar}
            rig={rig}
            angle={angle}
            dark={dark}
            onBegin={begin}
            onBend={bend}
          />
        ))}
      </div>
      <aside class="side panel" aria-label="Settings of the lab">
        <section>
          <h2>The bending bar</h2>
          <p class="help">
            A bar of 10 × 2 with a joint in its middle. Drag an end, and see what each way of blending bones does to its
            area.
          </p>
          <Slider label="Angle" value={angle} most={180} step={1} text={`${angle}°`} onBegin={begin} onInput={bend} />
          <div
            class="ramp-legend"
            role="img"
            aria-label="Colours: blue lost area, grey kept it, orange gained, red is turned over"
          >
            <div style={{ background: RAMP }} />
            <span>
              <i>half</i> <i>its area at rest</i> <i>1.5 ×</i>
            </span>
            <small>red is turned over</small>
          </div>
        </section>
        <section>
          <h2>Area over the angle</h2>
          <Segmented
            label="Area"
            value={measure}
            choices={MEASURES}
            onChange={(value) => choose('measure of area', { measure: value })}
          />
          <p class="help">Gained or lost, in % of the bar. {MEASURES.find(({ value }) => value === measure)?.hint}.</p>
          <CurveChart
            label="Area over the angle"
            places={CURVE_ANGLES}
            curves={curves}
            at={angle}
            even={0}
            unit="%"
            onBegin={begin}
            onPick={bend}
          />
        </section>
        <section>
          <h2>Weights</h2>
          <Segmented label="Bones" value={rig} choices={RIGS} onChange={(value) => choose('bones', { rig: value })} />
          <p class="help">{RIGS.find(({ value }) => value === rig)?.hint}.</p>
          <Slider
            label="Fall-off"
            value={fallOff}
            least={0.1}
            most={4}
            step={0.05}
            disabled={rig === 'points'}
            help="fall-off-help"
            onBegin={() => lab.begin('fall-off')}
            onInput={(value) => lab.change({ fallOff: value })}
          />
          <p id="fall-off-help" class="help">
            {rig === 'points'
              ? 'Of segments alone: inverse distances have none.'
              : 'How far from the joint weights change. The bar is 10 long.'}
          </p>
        </section>
        <section>
          <h2>Mix</h2>
          <p class="help">0 is linear blending, 1 dual quaternions.</p>
          <Slider
            label="At joint"
            value={mixAtJoint}
            most={1}
            step={0.01}
            onBegin={() => lab.begin('mix')}
            onInput={(value) => lab.change({ mixAtJoint: value })}
          />
          <Slider
            label="Away"
            value={mixAway}
            most={1}
            step={0.01}
            onBegin={() => lab.begin('mix')}
            onInput={(value) => lab.change({ mixAway: value })}
          />
        </section>
      </aside>
    </main>
  );
}
