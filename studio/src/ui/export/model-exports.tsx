import { stem } from '../../../../src/io/paths.ts';
import type { Doc } from '../../core/doc.ts';
import type { Studio } from '../../core/studio.ts';
import { WideButton } from '../controls/run-button.tsx';
import { Section } from '../controls/section.tsx';
import { GlbButtons } from './glb-buttons.tsx';
import { type GlbWish, writeGlb } from './write-glb.ts';

/** What was learned, the rig as it was opened, and what was made of it. */
export function ModelExports({ studio, doc }: { studio: Studio; doc: Doc }) {
  const name = stem(doc.content.name);
  const { models } = doc.content;
  const learned = doc.learned.value;
  const linearized = doc.rig.linearized.value;
  const mixed = doc.rig.mixed.value;
  const made = (title: string, help: string, button: string, ending: string, wish: GlbWish) => {
    const write = async () => {
      const written = await writeGlb(doc, wish);
      if (written) studio.give(`${name}-${ending}.glb`, written.file);
    };
    return (
      <Section title={title} help={help}>
        <WideButton doc={doc} onClick={write}>
          {button}
        </WideButton>
      </Section>
    );
  };
  return (
    <>
      {learned &&
        made(
          'What was learned',
          'A GLB for pliant drive. Other players show the examples as a clip.',
          'Predictor (GLB)',
          'learned',
          { models: [learned.model], ...learned },
        )}
      {models.length > 0 && (
        <Section title="The rig" help="As opened, with its clips. The small file needs a player with meshopt support.">
          <GlbButtons studio={studio} doc={doc} name={name} models={models} />
        </Section>
      )}
      {linearized?.made &&
        made(
          'The linearized rig',
          'Linear skinning for any player, with the blend bones in every clip.',
          'Linearized GLB',
          'linear',
          linearized,
        )}
      {mixed &&
        made('The rig with mix weights', 'For players with pliant/three. Others blend linearly.', 'Mixed GLB', 'mix', {
          models: mixed,
        })}
    </>
  );
}
