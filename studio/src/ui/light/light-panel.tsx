import { LIGHT_BAKE_OPTIONS } from '../../../../src/doors/light.ts';
import { stem } from '../../../../src/io/paths.ts';
import { bytes, digits } from '../../../../src/report/format.ts';
import { noteText } from '../../../../src/report/note-text.ts';
import { pickedFiles } from '../../core/content/file-groups.ts';
import type { Doc } from '../../core/doc.ts';
import type { LightData, LightLook, LightSky } from '../../core/light/light-work.ts';
import { BAKING, startBake } from '../../core/light/start-light.ts';
import type { Studio } from '../../core/studio.ts';
import { Button } from '../controls/button.tsx';
import { SelectField, Tick } from '../controls/field.tsx';
import { FileIcon } from '../controls/icons.tsx';
import { OptionForm } from '../controls/option-fields.tsx';
import { ProgressBar } from '../controls/progress.tsx';
import { Facts, Section } from '../controls/section.tsx';
import { type Choice, Segmented } from '../controls/segmented.tsx';
import { Slider } from '../controls/slider.tsx';

const { poses, rays, modes, spheres, bounces, albedo, fit, seed } = LIGHT_BAKE_OPTIONS;
const BAKE_OPTIONS = { poses, rays, modes, spheres, bounces, albedo, fit, seed };

const LOOKS: readonly Choice<LightLook>[] = [
  { value: 'unshadowed', text: 'Unshadowed', hint: 'light from all around, as engines have it' },
  { value: 'base', text: 'Spheres', hint: 'with soft shadows by spheres inside the rig; nothing is baked' },
  { value: 'baked', text: 'Baked', hint: 'with what was baked' },
  { value: 'traced', text: 'Traced', hint: 'the reference, by rays; takes a moment for every pose' },
  { value: 'side', text: 'Side by side', hint: 'all of them, with a shared camera' },
];

/** The Light panel: soft light from all around, in any pose. */
export default function LightPanel({ studio, doc }: { studio: Studio; doc: Doc }) {
  const { made, options } = doc.light;
  return (
    <>
      <SkySection studio={studio} doc={doc} />
      <ViewSection doc={doc} />
      <Section
        title="Bake"
        help="Traces poses of all clips and stores what the spheres miss: a third to three quarters of the error in these clips, a fifth in others."
      >
        <OptionForm
          doc={doc}
          of="light"
          job={BAKING}
          specs={BAKE_OPTIONS}
          basic={['poses', 'rays']}
          options={options}
          button={made.value ? 'Bake again' : 'Bake'}
          onRun={() => void startBake(doc)}
        />
        {made.value && <BakedFacts made={made.value} />}
      </Section>
      {made.value && <SaveSection studio={studio} doc={doc} made={made.value} />}
    </>
  );
}

/** Where light comes from. */
function SkySection({ studio, doc }: { studio: Studio; doc: Doc }) {
  const { sky, own, turn, floor } = doc.light;
  const choices: Choice<LightSky>[] = [
    { value: 'sky', text: 'Sky' },
    { value: 'room', text: 'Room with two windows' },
    ...(own.value ? [{ value: 'own' as const, text: own.value.name }] : []),
  ];
  const suns = sky.value === 'own' ? (own.value?.suns ?? 0) : 0;
  return (
    <Section
      title="Environment"
      help="Soft shadows and reflected light in any pose. Drop an HDR or EXR picture to use its light."
    >
      <SelectField
        id="light-sky"
        label="Light from"
        value={sky.value}
        choices={choices}
        onChange={(value) => doc.edit('surroundings', sky, value)}
      />
      <label class="button wide">
        <FileIcon />
        Open HDR or EXR
        <input
          type="file"
          class="visually-hidden"
          accept=".hdr,.exr,.pic"
          onChange={({ currentTarget }) => {
            studio.openFiles(pickedFiles(currentTarget.files ?? []));
            currentTarget.value = '';
          }}
        />
      </label>
      {suns > 0 && (
        <p class="help">
          {suns === 1 ? 'Its sun is' : `Its ${suns} suns are`} left out: too small and bright for soft light.
        </p>
      )}
      <Slider
        label="Turn"
        value={turn.value.value}
        least={-180}
        most={180}
        step={1}
        text={`${digits(turn.value.value)}°`}
        onBegin={() => turn.begin()}
        onInput={(value) => turn.set(value)}
      />
      <Tick id="light-floor" label="Floor" value={floor} onChange={(on) => doc.edit('floor', floor, on)}>
        Shade the ground below the rig.
      </Tick>
    </Section>
  );
}

function ViewSection({ doc }: { doc: Doc }) {
  const { look, ways, errors, traced } = doc.light;
  const choices = LOOKS.filter(({ value }) => value === 'side' || ways.value.includes(value));
  const shown = choices.some(({ value }) => value === look.value) ? look.value : 'base';
  const progress = traced.progress.value;
  const failure = traced.failure.value;
  const found = LOOKS.flatMap(({ value, text }): [string, string][] => {
    const percent = value === 'side' ? undefined : errors.value?.[value];
    return percent === undefined ? [] : [[text, `${percent.toFixed(1)} %`]];
  });
  return (
    <Section title="View">
      <Segmented label="View of light" value={shown} choices={choices} onChange={(value) => (look.value = value)} />
      {progress && <ProgressBar {...progress} label="tracing this pose" />}
      {failure && (
        <p class="message" role="alert">
          {failure}
        </p>
      )}
      {found.length > 0 && (
        <>
          <p class="help">How far each is from traced light in this pose:</p>
          <Facts rows={found} />
        </>
      )}
    </Section>
  );
}

function BakedFacts({ made }: { made: LightData }) {
  return (
    <>
      <Facts
        rows={[
          ['Poses traced', made.poses.toLocaleString('en')],
          ['Spheres', made.spheres.toLocaleString('en')],
          ['Bytes per vertex', digits(made.bytesPerVertex)],
          ['Time', `${digits(made.seconds)} s`],
        ]}
      />
      {made.notes.length > 0 && (
        <ul class="notes" aria-label="Notes on the bake">
          {made.notes.map((note) => (
            <li key={JSON.stringify(note)}>{noteText(note)}</li>
          ))}
        </ul>
      )}
    </>
  );
}

function SaveSection({ studio, doc, made }: { studio: Studio; doc: Doc; made: LightData }) {
  const file = () => new Blob([made.file as Uint8Array<ArrayBuffer>], { type: 'model/gltf-binary' });
  return (
    <Section
      title="Save"
      help="The opened file with its light, for pliant/three. Other viewers show the rig as before."
    >
      <Button class="wide" onClick={() => studio.give(`${stem(doc.content.name)}.light.glb`, file())}>
        GLB with light ({bytes(made.file.length)})
      </Button>
    </Section>
  );
}
