import { SAMPLE_NAMES, SAMPLES } from '../../../src/sample-list.ts';
import { pickedFiles } from '../core/content/file-groups.ts';
import type { Studio, Tab } from '../core/studio.ts';
import { ProgressBar } from './controls.tsx';
import { FileIcon, FolderIcon } from './icons.tsx';

/** What is there before anything is open: where to begin, what is on its way, what went wrong. */
export function Welcome({ studio, tab }: { studio: Studio; tab: Tab | undefined }) {
  const state = tab?.state.value;
  return (
    <main class="welcome">
      <div class="welcome-column">
        {state?.kind === 'loading' && (
          <div class="card" role="status">
            <h1>Opening {tab?.title}</h1>
            <ProgressBar {...state.progress} />
            <button type="button" onClick={state.cancel}>
              Cancel
            </button>
          </div>
        )}
        {state?.kind === 'failed' && (
          <div class="card failed" role="alert">
            <h1>{state.about === 'address' ? 'The address cannot be followed' : `${tab?.title} cannot be opened`}</h1>
            <p class="message">{state.message}</p>
            {state.about === 'format' && (
              <p class="help">
                Pliant reads GLB and glTF, Alembic, COLLADA, BVH; OBJ, PLY and OFF files or folders of them; PC2 and MDD
                with the mesh they belong to; and sessions of its own.
              </p>
            )}
            <div class="buttons">
              {state.again && (
                <button type="button" onClick={state.again}>
                  Try again
                </button>
              )}
              <button type="button" onClick={() => tab && studio.close(tab.id)}>
                Close
              </button>
            </div>
          </div>
        )}
        {state?.kind !== 'loading' && <Beginning studio={studio} first={!tab} />}
      </div>
    </main>
  );
}

function Beginning({ studio, first }: { studio: Studio; first: boolean }) {
  return (
    <>
      {first && (
        <div class="lead">
          <h1>Deforming meshes in, small skinned models out</h1>
          <p>Open a cloth, soft-body or face cache and fit bones to it, or a rig to see how it bends.</p>
        </div>
      )}
      <div class="card drop">
        <p>
          <b>Drop files or a folder here</b>
        </p>
        <p class="help">GLB, glTF, Alembic, COLLADA, BVH · OBJ, PLY, OFF · PC2 or MDD with their mesh · sessions</p>
        <div class="buttons centred">
          <Picker studio={studio} label="Open files" folder={false} />
          <Picker studio={studio} label="Open a folder" folder />
        </div>
        <p class="help">Everything is computed in this page. Files never leave your machine.</p>
      </div>
      <h2>Or begin with a sample</h2>
      <div class="samples">
        {SAMPLE_NAMES.map((name) => (
          <button key={name} type="button" class="sample" onClick={() => void studio.openSample(name)}>
            <b>{name}</b>
            <span class="tag">{SAMPLES[name].kind === 'model' ? 'rig' : 'sequence'}</span>
            <span class="help">{SAMPLES[name].description}</span>
          </button>
        ))}
        <button type="button" class="sample" onClick={() => studio.openLab()}>
          <b>Bending bar</b>
          <span class="tag">lab</span>
          <span class="help">one bar bent by every operator, beside each other: who keeps its area?</span>
        </button>
      </div>
    </>
  );
}

/** A file input that looks like a button. */
function Picker({ studio, label, folder }: { studio: Studio; label: string; folder: boolean }) {
  return (
    <label class={`button ${folder ? '' : 'primary'}`}>
      {folder ? <FolderIcon /> : <FileIcon />}
      {label}
      <input
        type="file"
        class="visually-hidden"
        multiple
        {...(folder ? { webkitdirectory: true } : {})}
        onChange={(event) => {
          studio.openFiles(pickedFiles(event.currentTarget.files ?? []));
          event.currentTarget.value = '';
        }}
      />
    </label>
  );
}
