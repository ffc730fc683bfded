import { Section } from '../controls/section.tsx';
import type { Exporting } from './glb-buttons.tsx';
import { GlbButtons } from './glb-buttons.tsx';
import { WideButton } from './wide-button.tsx';
import { type GlbWish, saveGlb } from './write-glb.ts';

/** The rig as it was opened, and what was made of it. */
export function RigExport({ doc, name, save }: Exporting) {
  const { models } = doc.content;
  const linearized = doc.rig.linearized.value;
  const mixed = doc.rig.mixed.value;
  const made = (title: string, help: string, button: string, ending: string, wish: GlbWish) => (
    <Section title={title} help={help}>
      <WideButton doc={doc} onClick={() => saveGlb(doc, wish, (glb) => save(`${name}-${ending}.glb`, glb))}>
        {button}
      </WideButton>
    </Section>
  );
  return (
    <>
      {models.length > 0 && (
        <Section
          title="The rig"
          help="As it was opened, with its clips. The small file needs a player that knows meshopt."
        >
          <GlbButtons doc={doc} name={name} models={models} save={save} />
        </Section>
      )}
      {linearized?.reports &&
        made(
          'The linearized rig',
          'Plain linear skinning with its blend bones in every clip, for every player.',
          'Linearized GLB',
          'linear',
          linearized,
        )}
      {mixed &&
        made(
          'The rig with mix weights',
          'For players with pliant/three; others blend it linearly.',
          'Mixed GLB',
          'mix',
          { models: mixed },
        )}
    </>
  );
}
