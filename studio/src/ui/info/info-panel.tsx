import { noteText } from '../../../../src/index.ts';
import { spaceOf } from '../../core/content/content.ts';
import { boneFacts, clipFacts, fileFacts, surfaceFacts } from '../../core/content/facts.ts';
import type { Doc } from '../../core/doc.ts';
import type { Studio } from '../../core/studio.ts';
import { Button } from '../controls/button.tsx';
import { SelectField } from '../controls/field.tsx';
import { Facts, Section } from '../controls/section.tsx';
import { keysShown } from '../page/keys.ts';

/** The Info panel: facts about the file and notes from reading it. */
export function InfoPanel({ studio, doc }: { studio: Studio; doc: Doc }) {
  const { content } = doc;
  const { name, format, sequences, models, motions, notes } = content;
  const clips = clipFacts(content);
  return (
    <>
      <Section title={name}>
        <Facts rows={[...fileFacts(content), ...surfaceFacts(content), ...boneFacts(content)]} />
        {content.spaceUnknown && <UnitField studio={studio} doc={doc} />}
      </Section>
      {clips.length > 0 && (
        <Section title={`Clips (${clips.length})`}>
          <Facts rows={clips} />
        </Section>
      )}
      {sequences.length + models.length === 0 && (
        <Section
          title="Nothing to fit or pose"
          help={`${motions.length > 0 ? 'This file has moving joints but no surface.' : 'The surface in this file does not move.'} Open several frames, a cache with its mesh, or a rig to do more with it.`}
        />
      )}
      {(notes.length > 0 || format !== 'sample') && (
        <Section title="Notes" help={notes.length === 0 && 'No notes.'}>
          {notes.length > 0 && (
            <ul class="notes">
              {notes.map((note, n) => (
                <li key={n}>{noteText(note)}</li>
              ))}
            </ul>
          )}
        </Section>
      )}
      <section>
        <Button class="wide" onClick={() => (keysShown.value = true)}>
          Shortcuts
        </Button>
      </section>
    </>
  );
}

/** Metres per unit, by the name of the unit. */
const UNITS = { metre: 1, centimetre: 0.01, millimetre: 0.001, inch: 0.0254, foot: 0.3048 };
const UNIT_CHOICES = Object.entries(UNITS).map(([text, value]) => ({ value, text }));

/** The unit of a file that does not store it. */
function UnitField({ studio, doc }: { studio: Studio; doc: Doc }) {
  const space = spaceOf(doc.content);
  return (
    <SelectField
      id="unit"
      label="Unit of the file"
      help="The file does not store it. Exported files are in metres."
      value={space.metresPerUnit}
      choices={UNIT_CHOICES}
      disabled={doc.running.value !== undefined}
      onChange={(metresPerUnit) => studio.setSpace(doc, { ...space, metresPerUnit })}
    />
  );
}
