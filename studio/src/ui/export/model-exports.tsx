import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { stem } from '../../../../src/io/paths.ts';
import type { Doc } from '../../core/doc.ts';
import type { Studio } from '../../core/studio.ts';
import { WideButton } from '../controls/run-button.tsx';
import { Section } from '../controls/section.tsx';
import { GlbButtons } from './glb-buttons.tsx';
import { type WhatChanged, WhatChangedList } from './what-changed.tsx';
import { type GlbWish, writeGlb } from './write-glb.ts';

/** What was learned, the rig as it was opened, and what was made of it. */
export function ModelExports({ studio, doc }: { studio: Studio; doc: Doc }) {
  const { models } = doc.content;
  const learned = doc.learned.value;
  const linearized = doc.rig.linearized.value;
  const mixed = doc.rig.mixed.value;
  const shared = { studio, doc };
  return (
    <>
      {learned && (
        <Made
          {...shared}
          title="What was learned"
          help="A GLB for pliant drive. Other players show the examples as a clip."
          ending="learned"
          wish={{ models: [learned.model], predictor: learned.predictor }}
        >
          Predictor (GLB)
        </Made>
      )}
      {models.length > 0 && (
        <Section title="The rig" help="As opened, with its clips. The small file needs a player with meshopt support.">
          <GlbButtons {...shared} name={stem(doc.content.name)} models={models} />
        </Section>
      )}
      {linearized?.made && (
        <Made
          {...shared}
          key={linearized}
          title="The linearized rig"
          help="Linear skinning for any player, with the blend bones in every clip."
          ending="linear"
          wish={{ models: linearized.models }}
        >
          Linearized GLB
        </Made>
      )}
      {mixed && (
        <Made
          {...shared}
          key={mixed}
          title="The rig with mix weights"
          help="For players with pliant/three. Others blend linearly."
          ending="mix"
          wish={{ models: mixed }}
        >
          Mixed GLB
        </Made>
      )}
    </>
  );
}

/** A result with a button that writes it. */
function Made(props: {
  studio: Studio;
  doc: Doc;
  title: string;
  help: string;
  ending: string;
  wish: GlbWish;
  children: ComponentChildren;
}) {
  const { studio, doc, title, help, ending, wish, children } = props;
  const changed = useSignal<WhatChanged | undefined>(undefined);
  const write = async () => {
    const written = await writeGlb(doc, wish);
    if (!written) return;
    const name = `${stem(doc.content.name)}-${ending}.glb`;
    changed.value = { name, ...written };
    studio.give(name, written.file);
  };
  return (
    <Section title={title} help={help}>
      <WideButton doc={doc} onClick={write}>
        {children}
      </WideButton>
      {changed.value && <WhatChangedList {...changed.value} />}
    </Section>
  );
}
