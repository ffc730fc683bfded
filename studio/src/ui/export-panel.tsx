import type { ReadonlySignal } from '@preact/signals-core';
import type { ComponentChildren } from 'preact';
import { FIT_OPTIONS } from '../../../src/fit/fit-options.ts';
import { stem } from '../../../src/io/paths.ts';
import { plural } from '../../../src/report/format.ts';
import type { Setting } from '../../../src/report/sections.ts';
import type { Doc } from '../core/doc.ts';
import type { FitEntry } from '../core/fit/fit-results.ts';
import { startJob } from '../core/jobs/job.ts';
import type { Studio } from '../core/studio.ts';
import type { Shown } from './app.tsx';
import { Button } from './controls.tsx';
import { GlbButtons, type GlbWish, type Save, writeGlb } from './glb-buttons.tsx';
import { labelOf } from './option-fields.tsx';
import { busyWith, UnderWay } from './run-button.tsx';
import { ShareSection } from './share-section.tsx';
import { ViewSection } from './view-section.tsx';

export function ExportPanel(props: { studio: Studio; doc: Doc; shown: ReadonlySignal<Shown | undefined> }) {
  const { studio, doc, shown } = props;
  const running = doc.running.value;
  const name = stem(doc.content.name);
  const fit = doc.fit.value;
  const learned = doc.learned.value;
  const { models, sequences, motions } = doc.content;
  const save: Save = (file, blob, more) => studio.give(file, blob, more);
  return (
    <>
      {running && (
        <section class="at-top">
          <UnderWay running={running} />
        </section>
      )}
      {fit && (
        <section>
          <h2>The fitted model</h2>
          <p class="help">
            {plural(fit.data.bones, 'bone')}, for every player of glTF. The small file needs one that knows meshopt:
            three.js, Babylon.js, model-viewer. Each is measured when it is written.
          </p>
          <GlbButtons
            key={fit.id}
            doc={doc}
            name={`${name}-${fit.data.bones}-bones`}
            models={fit.data.models}
            fit={fit}
            save={save}
          />
          <Wide doc={doc} onClick={() => savePage(doc, fit, name, save)}>
            Report page (HTML)
          </Wide>
        </section>
      )}
      {learned && (
        <section>
          <h2>What was learned</h2>
          <p class="help">A GLB for pliant drive, whose clip shows the examples in other players.</p>
          <Wide
            doc={doc}
            onClick={() => saveGlb(doc, `${name}-learned.glb`, { models: [learned.model], ...learned }, save)}
          >
            Predictor (GLB)
          </Wide>
        </section>
      )}
      {models.length > 0 && (
        <section>
          <h2>The rig</h2>
          <p class="help">As it was opened, with its clips. The small file needs a player that knows meshopt.</p>
          <GlbButtons doc={doc} name={name} models={models} save={save} />
        </section>
      )}
      {doc.rig.linearized.value?.reports && (
        <section>
          <h2>The linearized rig</h2>
          <p class="help">Plain linear skinning with its blend bones in every clip, for every player.</p>
          <Wide doc={doc} onClick={() => saveGlb(doc, `${name}-linear.glb`, doc.rig.linearized.value!, save)}>
            Linearized GLB
          </Wide>
        </section>
      )}
      {doc.rig.mixed.value && (
        <section>
          <h2>The rig with mix weights</h2>
          <p class="help">For players with pliant/three; others blend it linearly.</p>
          <Wide doc={doc} onClick={() => saveGlb(doc, `${name}-mix.glb`, { models: doc.rig.mixed.value! }, save)}>
            Mixed GLB
          </Wide>
        </section>
      )}
      {sequences.length + models.length === 0 && (
        <section>
          <h2>Nothing to fit or to bend</h2>
          <p class="help">
            {motions.length > 0
              ? 'This file has joints that move, and no surface.'
              : 'This file has a surface that does not move.'}{' '}
            Open several frames, a cache with its mesh, or a rig to do more with it.
          </p>
        </section>
      )}
      <ViewSection doc={doc} shown={shown} name={name} save={save} />
      <section>
        <h2>The session</h2>
        <p class="help">
          Everything that is open, with all results and settings, as one file that opens here again. Ctrl S does it too.
        </p>
        <Button class="wide" why={busyWith(studio.saving.value)} onClick={() => void studio.save()}>
          Session (.pliant)
        </Button>
      </section>
      <ShareSection studio={studio} doc={doc} />
    </>
  );
}

/** A button over the whole width that starts a job of the document. */
function Wide({ doc, onClick, children }: { doc: Doc; onClick(): Promise<void>; children: ComponentChildren }) {
  return (
    <Button class="wide" why={busyWith(doc.running.value)} onClick={() => void onClick()}>
      {children}
    </Button>
  );
}

async function saveGlb(doc: Doc, name: string, wish: GlbWish, save: Save): Promise<void> {
  const written = await writeGlb(doc, wish);
  if (written) save(name, written.file);
}

async function savePage(doc: Doc, { data, options }: FitEntry, name: string, save: Save): Promise<void> {
  const settings: Setting[] = Object.entries(FIT_OPTIONS).map(([option, spec]) => {
    const value = options[option as keyof typeof options];
    return { name: labelOf(option), value: String(value ?? spec.default), given: value !== undefined };
  });
  const input = { parts: doc.content.sequences, fit: data, options, title: name, settings };
  const page = await doc.run('Writing the report', (onProgress) => startJob('page', input, onProgress));
  if (page) save(`${name}-${data.bones}-bones.report.html`, new Blob([page], { type: 'text/html' }));
}
