import { FIT_OPTIONS } from '../../../src/fit/fit-options.ts';
import { SMALL_MODEL_GLB } from '../../../src/io/glb-options.ts';
import type { SkinnedModel } from '../../../src/model/skinned-model.ts';
import { bytes, plural } from '../../../src/report/format.ts';
import type { Setting } from '../../../src/report/sections.ts';
import type { Doc, FitEntry } from '../core/doc.ts';
import { download } from '../core/download.ts';
import { startJob } from '../core/job.ts';
import type { Viewport } from '../viewport/viewport.ts';
import { ProgressBar } from './controls.tsx';
import { labelOf } from './option-fields.tsx';

export function ExportPanel({ doc, viewport }: { doc: Doc; viewport: Viewport | undefined }) {
  const running = doc.running.value;
  const stem = doc.content.name.replace(/\.[^.]+$/, '');
  const fit = doc.fit.value;
  const learned = doc.learned.value;
  const { models } = doc.content;
  return (
    <>
      {running && (
        <section>
          <div class="running">
            <ProgressBar {...running.progress} />
            <button type="button" onClick={running.cancel}>
              Cancel
            </button>
          </div>
        </section>
      )}
      {fit && (
        <section>
          <h2>The fitted model</h2>
          <p class="help">
            {plural(fit.data.bones, 'bone')}, for every player of glTF. The small file is about a third of the size and
            needs a player that knows meshopt: three.js, Babylon.js, gltfpack.
          </p>
          <GlbButtons
            doc={doc}
            name={`${stem}-${fit.data.bones}-bones`}
            models={fit.data.models}
            size={fit.data.bytes}
          />
          <button type="button" class="wide" disabled={!!running} onClick={() => void savePage(doc, fit, stem)}>
            Report page (HTML)
          </button>
        </section>
      )}
      {learned && (
        <section>
          <h2>What was learned</h2>
          <p class="help">A GLB for pliant drive, whose clip shows the examples in other players.</p>
          <button
            type="button"
            class="wide"
            disabled={!!running}
            onClick={() => void saveGlb(doc, `${stem}-learned`, [learned.model], {}, learned.predictor)}
          >
            Predictor (GLB)
          </button>
        </section>
      )}
      {models.length > 0 && (
        <section>
          <h2>The rig</h2>
          <p class="help">With its clips, as glTF.</p>
          <GlbButtons doc={doc} name={stem} models={models} />
        </section>
      )}
      <section>
        <h2>The view</h2>
        <button
          type="button"
          class="wide"
          disabled={!viewport}
          onClick={async () => viewport && download(`${stem}.png`, await viewport.picture())}
        >
          Picture (PNG)
        </button>
      </section>
    </>
  );
}

function GlbButtons(props: { doc: Doc; name: string; models: SkinnedModel[]; size?: number }) {
  const { doc, name, models, size } = props;
  const busy = doc.running.value !== undefined;
  return (
    <div class="pair">
      <button type="button" disabled={busy} onClick={() => void saveGlb(doc, name, models, {})}>
        GLB{size ? ` (${bytes(size)})` : ''}
      </button>
      <button type="button" disabled={busy} onClick={() => void saveGlb(doc, `${name}-small`, models, SMALL_MODEL_GLB)}>
        Small GLB
      </button>
    </div>
  );
}

async function saveGlb(
  doc: Doc,
  name: string,
  models: SkinnedModel[],
  options: Partial<typeof SMALL_MODEL_GLB>,
  predictor?: NonNullable<Doc['learned']['value']>['predictor'],
): Promise<void> {
  const written = await doc.run('Writing', (onProgress) => startJob('glb', { models, options, predictor }, onProgress));
  if (written) download(`${name}.glb`, new Blob([written], { type: 'model/gltf-binary' }));
}

async function savePage(doc: Doc, { data, options }: FitEntry, stem: string): Promise<void> {
  const settings: Setting[] = Object.entries(FIT_OPTIONS).map(([name, spec]) => {
    const value = options[name as keyof typeof options];
    return { name: labelOf(name), value: String(value ?? spec.default), given: value !== undefined };
  });
  const input = { parts: doc.content.sequences, fit: data, options, title: stem, settings };
  const page = await doc.run('Writing the report', (onProgress) => startJob('page', input, onProgress));
  if (page) download(`${stem}.report.html`, new Blob([page], { type: 'text/html' }));
}
