import { plural } from '../../../src/report/format.ts';
import { LINEARIZE_OPTIONS, type LinearizeOptions } from '../../../src/rig/linearize/linearize-options.ts';
import type { Doc } from '../core/doc.ts';
import { errorText } from '../core/fit/error-text.ts';
import { startLinearize } from '../core/rig/start-rig.ts';
import { mastersOf } from '../core/view/view-labels.ts';
import { FurtherOptions, OptionFields } from './option-fields.tsx';
import { RunButton } from './run-button.tsx';

const BASIC = ['blendBones', 'operator', 'training'];
const FURTHER = Object.keys(LINEARIZE_OPTIONS).filter((name) => !BASIC.includes(name));

/** Makes linear blending show what another operator would, by blend bones, and says how close it comes. */
export function LinearizeSection({ doc }: { doc: Doc }) {
  const { rig } = doc;
  const options = rig.linearizeOptions.value;
  const linearized = rig.linearized.value;
  const change = (name: string, value: unknown) =>
    doc.edit('option of linearize', rig.linearizeOptions, { ...options, [name]: value } as Partial<LinearizeOptions>);
  const fields = (names: string[]) => (
    <OptionFields specs={LINEARIZE_OPTIONS} names={names} values={options} onChange={change} />
  );
  const made = !linearized || linearized.reports;
  return (
    <section>
      <h2>Linearize</h2>
      <p class="help">
        {made
          ? 'A few bones more let linear blending, which is all that players know, come close to dual quaternions.'
          : 'This file has blend bones. The other operators use their joints, as their u-weights say.'}
      </p>
      {made && fields(BASIC)}
      {made && (
        <RunButton doc={doc} job="Linearizing" primary fields onClick={() => void startLinearize(doc)}>
          {linearized ? 'Linearize again' : 'Linearize'}
        </RunButton>
      )}
      {made && <FurtherOptions of="linearize">{fields(FURTHER)}</FurtherOptions>}
      {linearized && <Closeness doc={doc} />}
      {linearized && <BlendBoneList doc={doc} />}
    </section>
  );
}

/** How far linear blending is off in the pose that is shown. */
function Closeness({ doc }: { doc: Doc }) {
  const { linearized, poseError } = doc.rig;
  const error = poseError.value;
  if (!error) return <p class="help">Choose the operator Linearized to see it, and how close it comes.</p>;
  const rows = [
    ['LBS', error.lbs],
    ['Linearized', error.linearized],
  ] as const;
  return (
    <table class="figures">
      <caption>Distance from {linearized.value?.operator.toUpperCase()} in this pose, % of the diagonal</caption>
      <thead>
        <tr>
          <th scope="col">
            <span class="visually-hidden">Operator</span>
          </th>
          <th scope="col">RMS</th>
          <th scope="col">largest</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(([name, { rms, most }]) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td>{errorText(rms)}</td>
            <td>{errorText(most)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The blend bones with what they are blended of; a press paints who follows one. */
function BlendBoneList({ doc }: { doc: Doc }) {
  const { rig } = doc;
  const bones = rig.blendBones.value;
  const looked = doc.paint.value === 'blend' && doc.operator.value === 'linearized';
  const show = (which: number | undefined) => {
    doc.setOperator('linearized');
    if (looked && rig.blendBone.value === which) doc.paint.value = 'plain';
    else doc.showBlendBone(which);
  };
  return (
    <>
      <div class="heading">
        <h3>{plural(bones.length, 'blend bone')}</h3>
        <button
          type="button"
          class="small"
          aria-pressed={looked && rig.blendBone.value === undefined}
          title="Paint how much the surface follows blend bones"
          onClick={() => show(undefined)}
        >
          Show all
        </button>
      </div>
      <ul class="blends">
        {bones.map((found, b) => (
          <li key={`${found.part} ${found.blend.bone}`}>
            <button
              type="button"
              aria-pressed={looked && rig.blendBone.value === b}
              title="Paint how much the surface follows this blend bone"
              onClick={() => show(b)}
            >
              <b class="number">{b + 1}</b>
              <span class="shares">
                {mastersOf(found).map(({ name, percent }) => (
                  <span key={name}>
                    <i>{name}</i> {percent} %
                  </span>
                ))}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}
