import { LOD_VERB_OPTIONS } from '../../../../src/doors/lod.ts';
import type { OptionSpecs } from '../../../../src/index.ts';
import { stem } from '../../../../src/io/paths.ts';
import { bytes, number } from '../../../../src/report/format.ts';
import { noteText } from '../../../../src/report/note-text.ts';
import type { Doc } from '../../core/doc.ts';
import { CROWD, type LevelKind, type LevelLook, type LevelsData } from '../../core/levels/levels-work.ts';
import { LEVEL_JOBS, startLevels } from '../../core/levels/start-levels.ts';
import type { Studio } from '../../core/studio.ts';
import { Button } from '../controls/button.tsx';
import { OptionForm } from '../controls/option-fields.tsx';
import { Section } from '../controls/section.tsx';
import { type Choice, Segmented } from '../controls/segmented.tsx';
import { DistanceSlider } from './distance-slider.tsx';
import { LevelTable } from './level-table.tsx';

const { levels, patches, depth, poses, crease } = LOD_VERB_OPTIONS;

/** What the panel says of each kind of levels. */
const KINDS: Record<
  LevelKind,
  { specs: OptionSpecs; basic: string[]; help: string; make: string; save: string; ending: string; saved: string }
> = {
  meshes: {
    specs: { levels, poses, crease },
    basic: ['levels'],
    help: 'Lighter meshes of the rig, fitted to the poses of all clips: for characters far away.',
    make: 'Make levels',
    save: 'GLB with levels',
    ending: 'lods.glb',
    saved: 'The opened file with all levels (MSFT_lod). Viewers without it show the original mesh.',
  },
  images: {
    specs: { patches, depth, poses, crease },
    basic: ['patches', 'depth'],
    help: 'Splits the surface into patches with levels of their own: for large or near objects of which only a part needs detail.',
    make: 'Make images',
    save: 'GLB with images',
    ending: 'images.glb',
    saved: 'The opened file with geometry images, for pliant/three. Other viewers show the original mesh.',
  },
};

const KIND_CHOICES: readonly Choice<LevelKind>[] = [
  { value: 'meshes', text: 'Meshes', hint: 'a mesh per level' },
  { value: 'images', text: 'Geometry images', hint: 'a level per patch' },
];

const LOOKS: readonly Choice<LevelLook>[] = [
  {
    value: 'side',
    text: 'Side by side',
    hint: 'the original, what was made of it, and the distance, with a shared camera',
  },
  { value: 'level', text: 'Level', hint: 'the level alone' },
  { value: 'crowd', text: `Crowd of ${CROWD}`, hint: 'characters at all levels, by their distance from the camera' },
];

/** The Levels panel: levels of detail beside the original, by distance, and in a crowd. */
export default function LevelsPanel({ studio, doc }: { studio: Studio; doc: Doc }) {
  const { kind, listed, options } = doc.levels;
  const { specs, basic, help, make } = KINDS[kind.value];
  const made = listed.value;
  return (
    <>
      <Section title="Levels of detail" help={help}>
        <Segmented
          label="Kind of levels"
          value={kind.value}
          choices={KIND_CHOICES}
          onChange={(value) => (kind.value = value)}
        />
        <OptionForm
          key={kind.value}
          doc={doc}
          of="levels"
          job={LEVEL_JOBS[kind.value]}
          specs={specs}
          basic={basic}
          options={options[kind.value]}
          button={made ? `${make} again` : make}
          onRun={() => void startLevels(doc)}
        />
      </Section>
      {made && (
        <Section title="Result">
          <LevelTable doc={doc} made={made} />
          {made.notes.map((note) => (
            <p key={JSON.stringify(note)} class="help">
              {noteText(note)}
            </p>
          ))}
        </Section>
      )}
      {doc.levels.kinds.value.length > 0 && <LevelViews doc={doc} />}
      {made && <SaveLevels studio={studio} doc={doc} made={made} />}
    </>
  );
}

/** How levels of either kind are looked at. */
function LevelViews({ doc }: { doc: Doc }) {
  const { look } = doc.levels;
  return (
    <Section title="View">
      <Segmented label="View of levels" value={look.value} choices={LOOKS} onChange={(value) => (look.value = value)} />
      {look.value === 'crowd' ? <CrowdFigures doc={doc} /> : <DistanceSlider levels={doc.levels} />}
    </Section>
  );
}

function SaveLevels({ studio, doc, made }: { studio: Studio; doc: Doc; made: LevelsData }) {
  const { save, ending, saved } = KINDS[doc.levels.kind.value];
  const file = () => new Blob([made.file as Uint8Array<ArrayBuffer>], { type: 'model/gltf-binary' });
  return (
    <Section title="Save" help={saved}>
      <Button class="wide" onClick={() => studio.give(`${stem(doc.content.name)}.${ending}`, file())}>
        {save} ({bytes(made.file.length)})
      </Button>
    </Section>
  );
}

function CrowdFigures({ doc }: { doc: Doc }) {
  const facts = doc.levels.crowd.value;
  if (!facts) return <p class="help">Building the crowd …</p>;
  const { instances, triangles, full } = facts;
  const local = (count: number) => count.toLocaleString('en');
  const inView = instances.reduce((sum, { count }) => sum + count, 0);
  const rows = [
    ['Triangles', local(triangles)],
    ['Triangles without levels', local(full)],
    ['Characters in view', `${inView} of ${CROWD}`],
    ...instances.map(({ level, count }) => [level === 0 ? 'Original' : `Level ${level}`, local(count)]),
  ];
  return (
    <>
      <dl class="facts crowd-facts">
        {rows.map(([name, count]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd class="number">{count}</dd>
          </div>
        ))}
      </dl>
      <p class="help">
        {number(Math.round((100 * triangles) / Math.max(1, full)))} % of the triangles in view, with errors below a
        pixel. Drag and scroll to fly through.
      </p>
    </>
  );
}
