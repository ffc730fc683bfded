import { CLOTH_TRAIN_OPTIONS } from '../../../../src/doors/cloth.ts';
import { noteText } from '../../../../src/index.ts';
import { stem } from '../../../../src/io/paths.ts';
import { bytes, digits } from '../../../../src/report/format.ts';
import type { TrainedData } from '../../core/cloth/pair-work.ts';
import { startTrain, TRAINING } from '../../core/cloth/start-train.ts';
import type { Doc } from '../../core/doc.ts';
import type { Studio } from '../../core/studio.ts';
import { Button } from '../controls/button.tsx';
import { OptionForm } from '../controls/option-fields.tsx';
import { Figures, Section } from '../controls/section.tsx';

const BASIC = ['method'];

/** Learns folds from the pairs; what came of it. */
export function TrainSection({ studio, doc }: { studio: Studio; doc: Doc }) {
  const { options, trained } = doc.cloth.pairs;
  const data = trained.value;
  return (
    <>
      <Section title="Learn folds" help="Tries several methods on a motion that is kept aside, and keeps the best.">
        <OptionForm
          doc={doc}
          of="train"
          job={TRAINING}
          specs={CLOTH_TRAIN_OPTIONS}
          basic={BASIC}
          options={options}
          button={data ? 'Train again' : 'Train'}
          onRun={() => void startTrain(doc)}
        />
      </Section>
      {data && <TrainedSection studio={studio} doc={doc} data={data} />}
    </>
  );
}

function TrainedSection({ studio, doc, data }: { studio: Studio; doc: Doc; data: TrainedData }) {
  const { heldOut, heldOutMotion, best, file, notes } = data;
  const rows = Object.entries(heldOut).map(
    ([mode, { E, W, N, V, J }]) =>
      [
        mode === best.mode ? `${mode} •` : mode === 'repeat' ? 'reference again' : mode,
        ...[E, W, N, V, J].map(digits),
      ] as const,
  );
  const save = () => {
    const blob = new Blob([new Uint8Array(file)], { type: 'model/gltf-binary' });
    studio.give(`${stem(doc.content.name)}-cloth.glb`, blob);
  };
  return (
    <Section
      title="What was learned"
      help={`Measured on ${heldOutMotion}, which was held out. The best is ${best.mode}.`}
    >
      <Figures
        caption="E: distance, % of the diagonal. W: error removed, %. N: angle of normals, °. V, J: folds and jitter; 1 is like the reference."
        of="Way"
        columns={['E', 'W', 'N', 'V', 'J']}
        rows={rows}
      />
      <Button class="wide" onClick={save}>
        Trained cloth (GLB, {bytes(file.length)})
      </Button>
      {notes.length > 0 && (
        <ul class="notes" aria-label="Notes on the training">
          {notes.map((note) => (
            <li key={note.code}>{noteText(note)}</li>
          ))}
        </ul>
      )}
    </Section>
  );
}
