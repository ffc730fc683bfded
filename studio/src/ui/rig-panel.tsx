import { useRef } from 'preact/hooks';
import { boneCount } from '../../../src/model/skeleton.ts';
import { SKIN_OPERATORS, type SkinOperator } from '../../../src/model/skinned-model.ts';
import { clipNames, type Doc } from '../core/doc.ts';
import type { DocView } from '../viewport/doc-view.ts';
import { Segmented } from './controls.tsx';

const OPERATORS: Record<SkinOperator, { text: string; help: string }> = {
  rigid: { text: 'Rigid', help: 'Every vertex follows its heaviest bone alone.' },
  lbs: { text: 'LBS', help: 'Linear blending, as every player of glTF does.' },
  dqs: { text: 'DQS', help: 'Dual quaternions: joints keep their volume, bones do not scale.' },
  sdqs: { text: 'SDQS', help: 'Dual quaternions, with scales and shears blended linearly before.' },
  dib: { text: 'DIB', help: 'Dual quaternion iterative blending: the true mean of the motions.' },
  mix: { text: 'Mix', help: 'Linear blending and dual quaternions by a weight per vertex.' },
};

const AXES = ['x', 'y', 'z'] as const;

export function RigPanel({ doc, view }: { doc: Doc; view: DocView | undefined }) {
  const { models } = doc.content;
  const operators = SKIN_OPERATORS.filter((name) => name !== 'mix' || models.some(({ mixWeights }) => mixWeights));
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
          onChange={(value) => doc.edit('skinning operator', doc.operator, value)}
        />
        <p class="help">
          {OPERATORS[operator].help} Computed on the {view?.processor.value ?? 'GPU'}.
        </p>
        <div class="field">
          <label for="clip">Clip</label>
          <select
            id="clip"
            value={doc.clip.value}
            onChange={(event) => doc.edit('clip', doc.clip, event.currentTarget.value)}
          >
            <option value="">rest pose</option>
            {clips.map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
        </div>
      </section>
      <JointSection doc={doc} />
    </>
  );
}

/** Sliders that turn a joint about its own axes, on top of the clip. */
function JointSection({ doc }: { doc: Doc }) {
  const { skeleton } = doc.content.models[0];
  const { turns } = doc;
  const joint = doc.joint.value;
  const angles = turns.value.value.get(joint) ?? [0, 0, 0];
  // From the first change of a slider to its release is one edit.
  const editing = useRef(false);
  const turn = (axis: number, degrees: number) => {
    if (!editing.current) turns.begin();
    editing.current = true;
    const changed = [...angles] as [number, number, number];
    changed[axis] = degrees;
    const all = new Map(turns.value.value);
    if (changed.every((angle) => angle === 0)) all.delete(joint);
    else all.set(joint, changed);
    turns.set(all);
  };
  return (
    <section>
      <h2>Turn joints</h2>
      <div class="field">
        <label for="joint">Joint</label>
        <select
          id="joint"
          value={joint}
          onChange={(event) => {
            doc.joint.value = Number(event.currentTarget.value);
          }}
        >
          {Array.from({ length: boneCount(skeleton) }, (_, j) => (
            <option key={skeleton.names[j]} value={j}>
              {skeleton.names[j] || `bone ${j}`}
              {turns.value.value.has(j) ? ' •' : ''}
            </option>
          ))}
        </select>
      </div>
      {AXES.map((axis, a) => (
        <div class="slider" key={axis}>
          <label for={`turn-${axis}`}>Turn {axis}</label>
          <input
            id={`turn-${axis}`}
            type="range"
            min={-180}
            max={180}
            step={1}
            value={angles[a]}
            onInput={(event) => turn(a, event.currentTarget.valueAsNumber)}
            onChange={() => {
              editing.current = false;
            }}
          />
          <output class="number">{angles[a]}°</output>
        </div>
      ))}
      <button
        type="button"
        class="wide"
        disabled={turns.value.value.size === 0}
        onClick={() => {
          turns.begin();
          turns.set(new Map());
        }}
      >
        Back to the clip
      </button>
    </section>
  );
}
