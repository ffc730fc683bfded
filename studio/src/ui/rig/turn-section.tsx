import type { Doc } from '../../core/doc.ts';
import { type Angles, NO_TURN, withTurn } from '../../core/rig/rig-pose.ts';
import { Button } from '../controls/button.tsx';
import { SelectField } from '../controls/field.tsx';
import { Section } from '../controls/section.tsx';
import { Slider } from '../controls/slider.tsx';
import { AXES } from '../view/gizmo.ts';

/** Turns joints about their own axes, on top of the clip. */
export function TurnSection({ doc }: { doc: Doc }) {
  const { turns, rig } = doc;
  const turned = turns.value.value;
  const joint = doc.turnable.value;
  const joints = rig.joints.value.names
    .map((name, value) => ({ value, text: turned.has(value) ? `${name} •` : name }))
    .filter(({ value }) => rig.canTurn(value));
  return (
    <Section title="Turn joints" help="Click a joint in the view, then drag a ring. Hold Shift for steps of 15°.">
      <SelectField
        id="joint"
        label="Joint"
        value={joint ?? -1}
        choices={[{ value: -1, text: 'None' }, ...joints]}
        onChange={(value) => {
          if (value < 0) doc.letGo();
          else doc.joint.value = value;
        }}
      />
      {joint !== undefined && <TurnSliders doc={doc} joint={joint} />}
      <Button
        class="wide"
        why={turned.size === 0 ? 'No joint is turned.' : undefined}
        onClick={() => {
          turns.begin();
          turns.set(new Map());
        }}
      >
        Back to the clip
      </Button>
    </Section>
  );
}

function TurnSliders({ doc: { turns }, joint }: { doc: Doc; joint: number }) {
  const angles = turns.value.value.get(joint) ?? NO_TURN;
  return (
    <>
      {AXES.map((axis, a) => (
        <Slider
          key={axis}
          label={`Turn ${axis}`}
          value={angles[a]}
          least={-180}
          most={180}
          step={1}
          text={`${Math.round(angles[a])}°`}
          onBegin={() => turns.begin()}
          onInput={(degrees) =>
            turns.set(withTurn(turns.value.value, joint, angles.with(a, degrees) as unknown as Angles))
          }
        />
      ))}
    </>
  );
}
