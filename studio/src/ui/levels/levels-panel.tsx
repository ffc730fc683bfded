import { LOD_VERB_OPTIONS } from '../../../../src/doors/lod.ts';
import { stem } from '../../../../src/io/paths.ts';
import { bytes, number } from '../../../../src/report/format.ts';
import { noteText } from '../../../../src/report/note-text.ts';
import type { Doc } from '../../core/doc.ts';
import { errorText } from '../../core/fit/error-text.ts';
import type { LevelLook, LevelsData } from '../../core/levels/levels-work.ts';
import { LEVELS, startLevels } from '../../core/levels/start-levels.ts';
import type { Studio } from '../../core/studio.ts';
import { Button } from '../controls/button.tsx';
import { OptionForm } from '../controls/option-fields.tsx';
import { Section } from '../controls/section.tsx';
import { type Choice, Segmented } from '../controls/segmented.tsx';
import { Slider } from '../controls/slider.tsx';

const { levels, poses, crease } = LOD_VERB_OPTIONS;
const SPECS = { levels, poses, crease };

const LOOKS: readonly Choice<LevelLook>[] = [
  { value: 'side', text: 'Side by side', hint: 'the original, the level, and their distance, with a shared camera' },
  { value: 'level', text: 'Level', hint: 'the level alone' },
  { value: 'crowd', text: 'Crowd of 500', hint: 'characters at all levels, by their distance from the camera' },
];

/** The Levels panel: levels of detail beside the original, by distance, and in a crowd. */
export default function LevelsPanel({ studio, doc }: { studio: Studio; doc: Doc }) {
  const made = doc.levels.made.value;
  return (
    <>
      <Section
        title="Levels of detail"
        help="Coarser versions of the rig, fitted over the poses of all clips: for characters that are far away."
      >
        <OptionForm
          doc={doc}
          of="levels"
          job={LEVELS}
          specs={SPECS}
          basic={['levels']}
          options={doc.levels.options}
          button={made ? 'Make levels again' : 'Make levels'}
          onRun={() => void startLevels(doc)}
        />
      </Section>
      {made && <LevelsMade studio={studio} doc={doc} made={made} />}
    </>
  );
}

function LevelsMade({ studio, doc, made }: { studio: Studio; doc: Doc; made: LevelsData }) {
  const { look } = doc.levels;
  return (
    <>
      <Section title="Result">
        <LevelTable doc={doc} made={made} />
        {made.notes.map((note) => (
          <p key={JSON.stringify(note)} class="help">
            {noteText(note)}
          </p>
        ))}
      </Section>
      <Section title="View">
        <Segmented
          label="View of levels"
          value={look.value}
          choices={LOOKS}
          onChange={(value) => (look.value = value)}
        />
        {look.value === 'crowd' ? <CrowdFigures doc={doc} /> : <DistanceSlider doc={doc} made={made} />}
      </Section>
      <Section title="Save" help="The opened file with all levels (MSFT_lod). Viewers without it show the given mesh.">
        <Button class="wide" onClick={() => studio.give(`${stem(doc.content.name)}.lods.glb`, made.file)}>
          GLB with levels ({bytes(made.file.size)})
        </Button>
      </Section>
    </>
  );
}

/** A row per level: a click shows it. */
function LevelTable({ doc, made }: { doc: Doc; made: LevelsData }) {
  const { shown } = doc.levels;
  const { original, figures } = made;
  const rows = [
    { name: 'given', triangles: original.triangles, cells: ['–', '–', '–'] },
    ...figures.map(({ triangles, rmsPercent, maxPercent, onePixelDistance }, l) => ({
      name: `level ${l + 1}`,
      triangles,
      cells: [errorText(rmsPercent), errorText(maxPercent), number(Number(onePixelDistance.toPrecision(2)))],
    })),
  ];
  return (
    <table class="figures">
      <caption class="help">
        Distance from the original over all poses, % of the diagonal; where it is one pixel, metres
      </caption>
      <thead>
        <tr>
          {['Level', 'triangles', 'RMS', 'largest', '1 px'].map((title) => (
            <th key={title} scope="col">
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ name, triangles, cells }, level) => (
          <tr key={name} class={level === shown.value ? 'selected' : ''}>
            <th scope="row">
              <button
                type="button"
                aria-pressed={level === shown.value}
                title={`Show ${name}`}
                onClick={() => doc.levels.choose(level)}
              >
                {name}
              </button>
            </th>
            <td class="number">{triangles.toLocaleString('en')}</td>
            {cells.map((cell, c) => (
              <td key={c} class="number">
                {cell}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Powers of ten, so that near and far have as much room. */
function DistanceSlider({ doc, made }: { doc: Doc; made: LevelsData }) {
  const { distance, shown } = doc.levels;
  const far = made.figures.map(({ onePixelDistance }) => onePixelDistance).filter((metres) => metres > 0);
  if (far.length === 0) return null;
  const [least, most] = [Math.log10(Math.min(...far) / 2), Math.log10(2 * Math.max(...far))];
  const metres = distance.value;
  return (
    <>
      <Slider
        label="Distance"
        value={metres === undefined ? least : Math.log10(metres)}
        least={least}
        most={most}
        step={0.01}
        text={metres === undefined ? '–' : `${number(metres)} m`}
        onInput={(value) => doc.levels.lookFrom(10 ** value)}
      />
      <p class="help">
        {metres === undefined
          ? 'Changes levels as an engine does: the coarsest that is off by less than a pixel of 1080 lines, at 50°.'
          : `From ${number(metres)} m an engine shows ${shown.value === 0 ? 'the given mesh' : `level ${shown.value}`}.`}
      </p>
    </>
  );
}

function CrowdFigures({ doc }: { doc: Doc }) {
  const facts = doc.levels.crowd.value;
  if (!facts) return <p class="help">The crowd comes with the next picture.</p>;
  const { instances, triangles, full } = facts;
  return (
    <p class="help crowd-facts">
      {triangles.toLocaleString('en')} triangles instead of {full.toLocaleString('en')};{' '}
      {instances.map((count, l) => `${count} at ${l === 0 ? 'the given mesh' : `level ${l}`}`).join(', ')}.
    </p>
  );
}
