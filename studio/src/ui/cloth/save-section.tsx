import { useSignal } from '@preact/signals';
import { type Note, noteText } from '../../../../src/index.ts';
import { stem } from '../../../../src/io/paths.ts';
import type { ClothFormat } from '../../core/cloth/dress.ts';
import { SIMULATING, writeCloth } from '../../core/cloth/start-cloth.ts';
import type { Doc } from '../../core/doc.ts';
import type { Studio } from '../../core/studio.ts';
import { Button } from '../controls/button.tsx';
import { UnderWay } from '../controls/progress.tsx';
import { busyWith } from '../controls/run-button.tsx';
import { Section } from '../controls/section.tsx';

/** Simulates the whole clip and saves the garment. */
export function SaveSection({ studio, doc }: { studio: Studio; doc: Doc }) {
  const notes = useSignal<readonly Note[]>([]);
  const running = doc.running.value;
  const still = doc.clip.value === '' ? 'The rest pose does not move. Choose a clip in the Rig panel.' : undefined;
  const why = busyWith(running) ?? still;
  const save = async (format: ClothFormat) => {
    const { garment = 'cape' } = doc.cloth.worn.peek()?.options ?? {};
    const made = await writeCloth(doc, format);
    if (!made) return;
    notes.value = made.notes;
    studio.give(`${stem(doc.content.name)}-${garment === 'own' ? 'garment' : garment}.${format}`, made.file);
  };
  return (
    <Section
      title="Save the garment"
      help="Simulates the whole clip, with joints as they are turned, this wind and stiffness."
    >
      {running?.title === SIMULATING ? (
        <UnderWay running={running} />
      ) : (
        <div class="pair">
          <Button why={why} onClick={() => void save('glb')}>
            Garment (GLB)
          </Button>
          <Button why={why} onClick={() => void save('abc')}>
            Alembic
          </Button>
        </div>
      )}
      {notes.value.length > 0 && (
        <ul class="notes" aria-label="Notes on the saved garment">
          {notes.value.map((note) => (
            <li key={note.code}>{noteText(note)}</li>
          ))}
        </ul>
      )}
    </Section>
  );
}
