import { useEffect, useMemo, useState } from 'preact/hooks';
import type { Doc } from '../../core/doc.ts';
import { startJob } from '../../core/jobs/start-job.ts';
import { encloses } from '../../core/rig/encloses.ts';
import { OPERATORS, operatorColour } from '../../core/rig/rig-operators.ts';
import { type Angles, NO_TURN, withTurn } from '../../core/rig/rig-pose.ts';
import { CurveChart } from '../controls/curve-chart.tsx';
import { AsideState } from '../controls/progress.tsx';
import { type Choice, Segmented } from '../controls/segmented.tsx';
import { AXES } from '../view/gizmo.ts';

type Measure = 'volume' | 'area';
const MEASURES: Choice<Measure>[] = [
  { value: 'volume', text: 'Volume', hint: 'enclosed by the surface' },
  { value: 'area', text: 'Area', hint: 'of the surface' },
];
const AXIS_CHOICES = AXES.map((value) => ({ value, text: value, hint: `turn about ${value} of the joint` }));
/** Degrees. */
const MOST = 150;
const STEP = 6;
const ANGLES = Array.from({ length: (2 * MOST) / STEP + 1 }, (_, a) => a * STEP - MOST);

/** Area and volume while the selected joint turns about one axis, by operator. */
export function BendSection({ doc }: { doc: Doc }) {
  const [open, setOpen] = useState(false);
  const [axis, setAxis] = useState(0);
  const [measure, setMeasure] = useState<Measure>('volume');
  const joint = doc.turnable.value;
  return (
    <section>
      <details open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>
          <h2>Area and volume over an angle</h2>
        </summary>
        {open && joint !== undefined && (
          <Bends doc={doc} joint={joint} axis={axis} asked={measure} onAxis={setAxis} onMeasure={setMeasure} />
        )}
        {joint === undefined && <p class="help">Choose a joint above to see what each operator does when it turns.</p>}
      </details>
    </section>
  );
}

function Bends(props: {
  doc: Doc;
  joint: number;
  axis: number;
  asked: Measure;
  onAxis(axis: number): void;
  onMeasure(measure: Measure): void;
}) {
  const { doc, joint, axis, asked } = props;
  const { rig } = doc;
  const closed = useMemo(() => encloses(rig.rigs.map(({ mesh }) => mesh)), [rig]);
  const measure = closed ? asked : 'area';
  useBends(doc, joint, axis);
  return (
    <>
      <p class="help">
        Gain or loss of the whole surface as <b>{rig.joints.value.names[joint]}</b> turns about {AXES[axis]} while all
        other joints rest.
      </p>
      <div class="pair">
        <Segmented
          label="Axis"
          value={AXES[axis]}
          choices={AXIS_CHOICES}
          onChange={(value) => props.onAxis(AXES.indexOf(value))}
        />
        {closed && <Segmented label="Measure" value={measure} choices={MEASURES} onChange={props.onMeasure} />}
      </div>
      {!closed && <p class="help">Area only: an open or flat surface encloses no volume.</p>}
      <AsideState aside={rig.bends} />
      <BendCurves doc={doc} joint={joint} axis={axis} measure={measure} />
    </>
  );
}

/** Computes the curves, again whenever joint, axis or models change. */
function useBends({ rig }: Doc, joint: number, axis: number): void {
  useEffect(() => {
    rig.bends.reset();
    const shown = rig.operators.value.map((operator) => ({ operator, models: rig.modelsFor(operator) }));
    const joints = rig.rigs.map((_, part) => rig.boneOf(part, joint));
    rig.bends.begin((onProgress) => startJob('bend', { joints, axis, angles: ANGLES, shown }, onProgress));
  }, [rig, joint, axis, rig.linearized.value, rig.mixed.value]);
}

/** A click turns the joint. */
function BendCurves({ doc, joint, axis, measure }: { doc: Doc; joint: number; axis: number; measure: Measure }) {
  const { rig, turns } = doc;
  const found = rig.bends.result.value;
  if (!found) return null;
  const angles = turns.value.value.get(joint) ?? NO_TURN;
  return (
    <CurveChart
      label={`${measure} while ${rig.joints.value.names[joint]} turns about ${AXES[axis]}`}
      places={found.angles}
      placeUnit="°"
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
      onPick={(degrees) => {
        const turned = angles.with(axis, Math.round(degrees)) as unknown as Angles;
        turns.set(withTurn(turns.value.value, joint, turned));
      }}
    />
  );
}
