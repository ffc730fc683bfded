import { useEffect, useMemo, useState } from 'preact/hooks';
import type { Doc } from '../core/doc.ts';
import { startJob } from '../core/jobs/job.ts';
import { encloses } from '../core/rig/encloses.ts';
import { NO_TURN, withTurn } from '../core/rig/rig-pose.ts';
import { AsideState } from './aside-state.tsx';
import { Segmented } from './controls.tsx';
import { CurveChart } from './curve-chart.tsx';
import { OPERATORS, operatorColour } from './operators.ts';

const AXES = ['x', 'y', 'z'] as const;
type Measure = 'volume' | 'area';
const MEASURES: { value: Measure; text: string; hint: string }[] = [
  { value: 'volume', text: 'Volume', hint: 'that the surface encloses' },
  { value: 'area', text: 'Area', hint: 'of the surface' },
];
/** Degrees. */
const MOST = 150;
const STEP = 6;
const ANGLES = Array.from({ length: (2 * MOST) / STEP + 1 }, (_, a) => a * STEP - MOST);

/** What area and volume do while the selected joint turns about one axis, by every operator. */
export function BendSection({ doc }: { doc: Doc }) {
  const [axis, setAxis] = useState(0);
  const [asked, setMeasure] = useState<Measure>('volume');
  const [open, setOpen] = useState(false);
  const { rig, turns } = doc;
  const joint = doc.joint.value;
  const operators = rig.operators.value;
  const { linearized, mixed } = rig;
  const closed = useMemo(() => open && encloses(rig.rigs.map(({ mesh }) => mesh)), [rig, open]);
  const measure = closed ? asked : 'area';
  useEffect(() => {
    if (!open) return;
    rig.bends.reset();
    const shown = operators.map((operator) => ({ operator, models: rig.modelsFor(operator) }));
    const joints = rig.rigs.map((_, part) => rig.boneOf(part, joint));
    rig.bends.begin((onProgress) => startJob('bend', { joints, axis, angles: ANGLES, shown }, onProgress));
  }, [doc, open, joint, axis, linearized.value, mixed.value]);

  const found = rig.bends.result.value;
  const angles = turns.value.value.get(joint) ?? NO_TURN;
  const pick = (degrees: number) => {
    turns.set(
      withTurn(turns.value.value, joint, [0, 1, 2].map((c) => (c === axis ? Math.round(degrees) : angles[c])) as never),
    );
  };
  const name = rig.joints.value.names[joint];
  return (
    <section>
      <details open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>
          <h2>Area and volume over an angle</h2>
        </summary>
        <p class="help">
          How much the whole surface gains or loses while <b>{name}</b> turns about {AXES[axis]} and all other joints
          rest.
        </p>
        <div class="pair">
          <Segmented
            label="Axis"
            value={AXES[axis]}
            choices={AXES.map((value) => ({ value, text: value, hint: `turn about ${value} of the joint` }))}
            onChange={(value) => setAxis(AXES.indexOf(value))}
          />
          {closed && (
            <Segmented label="Measure" value={measure} choices={MEASURES} onChange={(value) => setMeasure(value)} />
          )}
        </div>
        {!closed && <p class="help">Only area: a surface that is open, or flat, encloses no volume.</p>}
        <AsideState aside={rig.bends} />
        {found && (
          <CurveChart
            label={`${measure} while ${name} turns about ${AXES[axis]}`}
            places={found.angles}
            curves={found.curves.map((curve) => ({
              name: OPERATORS[curve.operator].text,
              colour: operatorColour(curve.operator),
              values: curve[measure].map((value) => 100 * (value / found.rest[measure] - 1)),
              chosen: curve.operator === doc.operator.value,
            }))}
            at={Math.max(-MOST, Math.min(MOST, angles[axis]))}
            even={0}
            unit="%"
            onBegin={() => turns.begin()}
            onPick={pick}
          />
        )}
      </details>
    </section>
  );
}
