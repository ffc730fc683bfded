import { useState } from 'preact/hooks';
import { stem } from '../../../../src/io/paths.ts';
import type { Doc } from '../../core/doc.ts';
import { startJob } from '../../core/jobs/start-job.ts';
import type { Studio } from '../../core/studio.ts';
import type { Jobs } from '../../worker/protocol.ts';
import { WideButton } from '../controls/run-button.tsx';
import { Section } from '../controls/section.tsx';
import { Segmented } from '../controls/segmented.tsx';

const FORMATS: readonly [format: Jobs['sequenceFile']['input']['format'], text: string][] = [
  ['glb', 'Morph targets (GLB)'],
  ['abc', 'Alembic (.abc)'],
  ['pc2', 'PC2 cache with its mesh (.obj)'],
];

type Source = 'original' | 'fitted';

const CHOICES: readonly { value: Source; text: string; hint: string }[] = [
  { value: 'original', text: 'Original', hint: 'The motion as it was opened' },
  { value: 'fitted', text: 'Fitted', hint: 'The motion as the shown result plays it' },
];

/** The motion as positions of every vertex in every frame. */
export function SequenceExport({ studio, doc }: { studio: Studio; doc: Doc }) {
  const [of, setOf] = useState<Source>('original');
  const fit = doc.fit.value;
  if (doc.content.sequences.length === 0) return null;
  const write = async (format: (typeof FORMATS)[number][0]) => {
    const shown = of === 'fitted' ? fit : undefined;
    const input = {
      parts: doc.content.sequences,
      format,
      ...(shown && { fit: { models: shown.data.models, options: shown.options } }),
    };
    const files = await doc.run('Writing the motion', (onProgress) => startJob('sequenceFile', input, onProgress));
    const name = `${stem(doc.content.name)}${shown ? `-${shown.data.bones}-bones` : ''}`;
    for (const { ending, file } of files ?? []) studio.give(name + ending, file);
  };
  return (
    <Section title="The motion" help="Every vertex in every frame, without bones: for tools that read caches.">
      {fit && <Segmented label="Motion of" value={of} choices={CHOICES} onChange={(value) => setOf(value)} />}
      {FORMATS.map(([format, text]) => (
        <WideButton key={format} doc={doc} onClick={() => write(format)}>
          {text}
        </WideButton>
      ))}
    </Section>
  );
}
