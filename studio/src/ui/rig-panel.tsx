import { clipNames } from '../core/content/clips.ts';
import type { Doc } from '../core/doc.ts';
import { type Angles, NO_TURN, withTurn } from '../core/rig/rig-pose.ts';
import type { DocView } from '../viewport/doc-view.ts';
import { BendSection } from './bend-section.tsx';
import { Button, Segmented, Slider } from './controls.tsx';
import { LinearizeSection } from './linearize-section.tsx';
import { MixSection } from './mix-section.tsx';
import { OPERATORS } from './operators.ts';
import './rig.css';

const AXES = ['x', 'y', 'z'] as const;

export function RigPanel({ doc, view }: { doc: Doc; view: DocView | undefined }) {
  const operators = doc.rig.operators.value;
  const clips = clipNames(doc.content);
  const operator = doc.operator.value;
  return (
    <>
      <section>
        <h2>Skinning</h2>
        <Segmented
          label="Skinning operator"
          value={operator}
          choices={operators.map((value) => ({ value, text: OPERATORS[value].text, hint: OPERATORS[value].help }))}
          onChange={(value) => doc.setOperator(value)}
        />
        <p class="help">
          {OPERATORS[operator].help} Computed on the {view?.processor.value ?? 'GPU'}.
        </p>
        <div class="field">
          <label for="clip">Clip</label>
          <select
            id="clip"
            value={doc.clip.value}
            aria-describedby="clip-help"
            onChange={(event) => doc.edit('clip', doc.clip, event.currentTarget.value)}
          >
            <option value="">rest pose</option>
            {clips.map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
          <p id="clip-help" class="help">
            What plays. Turns of joints come on top of it.
          </p>
        </div>
      </section>
      <TurnSection doc={doc} />
      <BendSection doc={doc} />
      <LinearizeSection doc={doc} />
      <MixSection doc={doc} />
    </>
  );
}

/** Sliders that turn a joint about its own axes, on top of the clip. */
function TurnSection({ doc }: { doc: Doc }) {
  const { turns, rig } = doc;
  const joint = doc.joint.value;
  const angles = turns.value.value.get(joint) ?? NO_TURN;
  const turn = (axis: number, degrees: number) => {
    const changed = angles.map((angle, a) => (a === axis ? degrees : angle)) as unknown as Angles;
    turns.set(withTurn(turns.value.value, joint, changed));
  };
  return (
    <section>
      <h2>Turn joints</h2>
      <p class="help">Click a joint in the view, then drag a ring. Shift turns in steps of 15°.</p>
      <div class="field">
        <label for="joint">Joint</label>
        <select
          id="joint"
          value={joint}
          onChange={(event) => {
            doc.joint.value = Number(event.currentTarget.value);
          }}
        >
          {rig.joints.value.names.map(
            (name, j) =>
              rig.canTurn(j) && (
                <option key={j} value={j}>
                  {name}
                  {turns.value.value.has(j) ? ' •' : ''}
                </option>
              ),
          )}
        </select>
      </div>
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
          onInput={(degrees) => turn(a, degrees)}
        />
      ))}
      <Button
        class="wide"
        why={turns.value.value.size === 0 ? 'No joint is turned.' : undefined}
        onClick={() => {
          turns.begin();
          turns.set(new Map());
        }}
      >
        Back to the clip
      </Button>
    </section>
  );
}
