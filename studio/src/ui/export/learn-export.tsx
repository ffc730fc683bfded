import { Section } from '../controls/section.tsx';
import type { Exporting } from './glb-buttons.tsx';
import { WideButton } from './wide-button.tsx';
import { saveGlb } from './write-glb.ts';

/** What control points steer. */
export function LearnExport({ doc, name, save }: Exporting) {
  const learned = doc.learned.value;
  if (!learned) return null;
  return (
    <Section title="What was learned" help="A GLB for pliant drive, whose clip shows the examples in other players.">
      <WideButton
        doc={doc}
        onClick={() => saveGlb(doc, { models: [learned.model], ...learned }, (glb) => save(`${name}-learned.glb`, glb))}
      >
        Predictor (GLB)
      </WideButton>
    </Section>
  );
}
