import { useMemo } from 'preact/hooks';
import { Bar, LAB_OPERATORS, type LabOperator } from '../../core/lab/bend-lab.ts';
import { LAB_START, type Lab } from '../../core/lab/lab-state.ts';
import { OPERATORS, operatorColour } from '../../core/rig/rig-operators.ts';
import { BarPane } from './bar-pane.tsx';
import './lab.css';
import { LabSettings } from './lab-settings.tsx';

const GRID = { columns: 49, rows: 11 };

/** One line per operator on what bending does. */
const NOTES: Record<LabOperator, string> = {
  rigid: 'One bone per vertex: tears outside, overlaps inside.',
  lbs: 'Averaged positions cut the corner: the bar gets thin.',
  dqs: 'Keeps the distance from the joint: the bar bulges.',
  sdqs: 'Same as dual quaternions: nothing is stretched here.',
  dib: 'The exact mean of motions: nearly the same here.',
  mix: 'Between the two, by a weight that you choose.',
};

/** The bending rectangle: one bar, every operator. */
export default function LabView({ dark, lab }: { dark: boolean; lab: Lab }) {
  const { bar, curves } = useBar(lab);
  const { rig, angle, measure } = lab.state.value.value;
  return (
    <main class="lab-view">
      {/* It scrolls where there is little room: by keys too. */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached. */}
      <section class="bars" aria-label="Bars" tabIndex={0}>
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
            onBegin={() => lab.begin()}
            onBend={(degrees) => lab.bend(degrees)}
          />
        ))}
      </section>
      <LabSettings lab={lab} curves={curves} />
    </main>
  );
}

/** The bar as it is set, and its area over the angle by each operator. */
function useBar(lab: Lab): { bar: Bar; curves: ReadonlyMap<LabOperator, number[]> } {
  const { rig, fallOff, mixAtJoint, mixAway, measure } = lab.state.value.value;
  const bar = useMemo(() => new Bar({ rig, fallOff, mixAtJoint, mixAway }, GRID), [rig, fallOff, mixAtJoint, mixAway]);
  // Only the mix depends on the mix weights.
  const plain = useMemo(() => new Bar({ ...LAB_START, rig, fallOff }, GRID), [rig, fallOff]);
  const others = useMemo(
    () => LAB_OPERATORS.filter((name) => name !== 'mix').map((name) => [name, plain.curve(name, measure)] as const),
    [plain, measure],
  );
  const ofMix = useMemo(() => bar.curve('mix', measure), [bar, measure]);
  return { bar, curves: new Map([...others, ['mix', ofMix]]) };
}
