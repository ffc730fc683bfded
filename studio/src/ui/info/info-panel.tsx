import { noteText } from '../../../../src/index.ts';
import { boneFacts, clipFacts, fileFacts, surfaceFacts } from '../../core/content/facts.ts';
import type { Doc } from '../../core/doc.ts';
import { Button } from '../controls/button.tsx';
import { Facts, Section } from '../controls/section.tsx';
import { keysShown } from '../page/keys.ts';

/** The Info panel: facts about the file and notes from reading it. */
export function InfoPanel({ doc: { content } }: { doc: Doc }) {
  const { name, format, sequences, models, motions, notes } = content;
  const clips = clipFacts(content);
  return (
    <>
      <Section title={name}>
        <Facts rows={[...fileFacts(content), ...surfaceFacts(content), ...boneFacts(content)]} />
      </Section>
      {clips.length > 0 && (
        <Section title={`Clips (${clips.length})`}>
          <Facts rows={clips} />
        </Section>
      )}
      {sequences.length + models.length === 0 && (
        <Section
          title="Nothing to fit or to bend"
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
          Keys and pointers
        </Button>
      </section>
    </>
  );
}
