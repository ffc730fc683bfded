import { useMemo } from 'preact/hooks';
import { noteText } from '../../../../src/index.ts';
import { digits } from '../../../../src/report/format.ts';
import type { WornFacts } from '../../core/cloth/cloth-work.ts';
import { DRESS_OPTIONS, type DressOptions } from '../../core/cloth/dress.ts';
import { limbsOf } from '../../core/cloth/start-cloth.ts';
import type { Doc } from '../../core/doc.ts';
import type { Studio } from '../../core/studio.ts';
import { Button } from '../controls/button.tsx';
import { SelectField } from '../controls/field.tsx';
import { FurtherOptions, labelOf, OptionFields } from '../controls/option-fields.tsx';
import { ProgressBar } from '../controls/progress.tsx';
import { busyWith } from '../controls/run-button.tsx';
import { Facts, Section } from '../controls/section.tsx';
import { showWrongField, wrongField } from '../controls/wrong-fields.ts';
import { GarmentField, GarmentPicker } from './garment-field.tsx';

/** Options of capes and skirts only. */
const MADE = ['vertices', 'size'];
/** Options that trained cloth brings along. */
const UNTRAINED = ['pinDistance', 'pinColor', 'coarseVertices'];
const BASIC = ['garment', 'pinBone'];

/** Chooses a garment and puts it on. */
export function GarmentSection({ studio, doc }: { studio: Studio; doc: Doc }) {
  const { options, worn, state } = doc.cloth;
  const { garment = DRESS_OPTIONS.garment.default, pinBone = '' } = options.value;
  const isOwn = garment === 'own';
  const isTrained = isOwn && doc.cloth.own.value?.trained !== undefined;
  const { rigs } = doc.rig;
  const limbs = useMemo(() => limbsOf(rigs), [rigs]);
  const set = (name: string, changed: Partial<DressOptions>) =>
    doc.edit(name, options, { ...options.value, ...changed });
  const more = Object.keys(DRESS_OPTIONS).filter(
    (name) => !BASIC.includes(name) && !(isOwn && MADE.includes(name)) && !(isTrained && UNTRAINED.includes(name)),
  );
  const isPainted = isOwn && !isTrained && doc.cloth.own.value?.mesh.attributes?.COLOR_0 !== undefined;
  const fields = (names: readonly string[]) => (
    <OptionFields
      specs={DRESS_OPTIONS}
      names={names}
      values={options.value}
      onChange={(name, value) => set(labelOf(name), { [name]: value })}
    />
  );
  return (
    <Section
      title="Garment"
      help={worn.value ? undefined : 'Dress the body, play, and drag the cloth. Nothing needs training.'}
    >
      <GarmentField studio={studio} doc={doc} onMade={(made) => set('garment', { garment: made })} />
      <GarmentPicker studio={studio} doc={doc} />
      {isTrained ? (
        <p class="help">This garment has learned folds, with a coarse mesh and pins of its own.</p>
      ) : (
        <SelectField
          id="pin-bone"
          label="Held by"
          help={
            isOwn
              ? 'Vertices near this bone move with it.'
              : 'A cape is made to be held at the shoulders, a skirt at the waist.'
          }
          value={pinBone}
          choices={[
            { value: '', text: isOwn ? 'No bone' : 'Default' },
            ...limbs.map((name) => ({ value: name, text: name })),
          ]}
          onChange={(name) => set('held by', { pinBone: name || undefined })}
        />
      )}
      {isPainted && fields(['pinColor'])}
      <PutOn doc={doc} />
      {state.value.kind === 'failed' && (
        <p class="message" role="alert">
          {state.value.message}
        </p>
      )}
      {state.value.kind === 'on' && <WornFactsList doc={doc} facts={state.value.facts} />}
      <FurtherOptions of="cloth">{fields(more.filter((name) => !(isPainted && name === 'pinColor')))}</FurtherOptions>
    </Section>
  );
}

/** Puts the garment on, and takes it off. */
function PutOn({ doc }: { doc: Doc }) {
  const { worn, state } = doc.cloth;
  const busy = busyWith(doc.running.value);
  const wrong = wrongField.value;
  const takeOff = () => doc.cloth.takeOff();
  if (state.value.kind === 'dressing') {
    return (
      <div class="running">
        <ProgressBar {...state.value.progress} />
        <Button onClick={takeOff}>Cancel</Button>
      </div>
    );
  }
  const isOn = worn.value !== undefined;
  return (
    <div class={isOn ? 'pair' : ''}>
      <Button
        class={isOn ? '' : 'wide primary'}
        why={busy ?? wrong}
        onClick={() => {
          // No rings lie over the cloth.
          doc.letGo();
          doc.cloth.putOn();
        }}
        onRefuse={busy === undefined && wrong !== undefined ? showWrongField : undefined}
      >
        {isOn ? 'Put on again' : 'Put on'}
      </Button>
      {isOn && <Button onClick={takeOff}>Take off</Button>}
    </div>
  );
}

function WornFactsList({ doc, facts }: { doc: Doc; facts: WornFacts }) {
  const { value: stepTime } = doc.cloth.stepTime;
  return (
    <>
      <Facts
        rows={[
          ['Vertices', facts.vertices.toLocaleString('en')],
          ['Vertices simulated', facts.coarseVertices.toLocaleString('en')],
          ['Vertices held', facts.pinned.toLocaleString('en')],
          ['Time per step of 1/60 s', stepTime === undefined ? '–' : `${digits(stepTime)} ms`],
        ]}
      />
      {facts.notes.length > 0 && (
        <ul class="notes" aria-label="Notes on the garment">
          {facts.notes.map((note) => (
            <li key={note.code}>{noteText(note)}</li>
          ))}
        </ul>
      )}
    </>
  );
}
