import { useEffect } from 'preact/hooks';
import { SAMPLE_NAMES, SAMPLES } from '../../../../src/index.ts';
import { convertHint } from '../../core/content/convert-hint.ts';
import { pickedFiles } from '../../core/content/file-groups.ts';
import type { ThumbName } from '../../core/content/thumb.ts';
import { makeThumbs, SOON } from '../../core/content/thumbs.ts';
import { STEPS, workedExample } from '../../core/fit/worked-example.ts';
import { jobThreads } from '../../core/jobs/start-job.ts';
import { LAB_TITLE } from '../../core/lab/lab-state.ts';
import type { Studio } from '../../core/studio.ts';
import type { Tab, TabState } from '../../core/tabs.ts';
import { Button } from '../controls/button.tsx';
import { FileIcon, FolderIcon } from '../controls/icons.tsx';
import { ProgressBar } from '../controls/progress.tsx';
import { startTour } from './keys.ts';
import { RecentWork } from './recent-work.tsx';
import { SampleThumb } from './sample-thumb.tsx';

/** The start page: open files and samples, loading progress, errors. */
export function Welcome({ studio, tab }: { studio: Studio; tab: Tab | undefined }) {
  const state = tab?.state.value;
  return (
    <main class="welcome">
      <div class="welcome-column">
        {tab && state?.kind === 'loading' && <LoadingCard title={tab.title} {...state} />}
        {tab && state?.kind === 'failed' && (
          <FailedCard title={tab.title} {...state} onClose={() => studio.close(tab.id)} />
        )}
        {state?.kind !== 'loading' && <Beginning studio={studio} first={!tab} />}
      </div>
    </main>
  );
}

type State<K> = Extract<TabState, { kind: K }> & { title: string };

const LoadingCard = ({ title, progress, cancel }: State<'loading'>) => (
  <div class="card" role="status">
    <h1>Opening {title}</h1>
    <ProgressBar {...progress} />
    <Button onClick={cancel}>Cancel</Button>
  </div>
);

const FailedCard = ({ title, about, message, again, onClose }: State<'failed'> & { onClose(): void }) => (
  <div class="card failed" role="alert">
    <h1>{about === 'address' ? 'This address is not valid' : `${title} cannot be opened`}</h1>
    <p class={`message ${about}`}>{message}</p>
    {about === 'missing' && (
      <p>
        Drop {title} together with the files that it names, such as its .bin and textures, or drop the whole folder.
      </p>
    )}
    {about === 'format' && convertHint(title) && <p>{convertHint(title)}</p>}
    {about === 'format' && (
      <p class="help">
        Pliant reads GLB and glTF, Alembic, COLLADA, BVH; OBJ, PLY and OFF files or folders of them; PC2 and MDD with
        their mesh; and its own sessions.
      </p>
    )}
    <div class="buttons">
      {again && <Button onClick={again}>Try again</Button>}
      <Button onClick={onClose}>Close</Button>
    </div>
  </div>
);

function Beginning({ studio, first }: { studio: Studio; first: boolean }) {
  useEffect(() => {
    let stop = (): void => {};
    const timer = setTimeout(() => {
      stop = makeThumbs();
    }, SOON);
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, []);
  return (
    <>
      {first && (
        <div class="lead">
          <h1>Deforming meshes in, small skinned models out</h1>
          <p>Open a cloth, soft-body or face cache to fit bones to it, or a rig to see how it bends.</p>
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
        <p class="help">Everything runs in your browser. Files never leave your computer.</p>
      </div>
      {studio.autosave && <RecentWork studio={studio} autosave={studio.autosave} />}
      <div class="card example">
        <h2>See how it works</h2>
        <ol>
          {STEPS.map((step) => (
            <li key={step}>{step}</li>
          ))}
        </ol>
        <div class="buttons">
          <Button onClick={() => void workedExample(studio, jobThreads())}>Show me</Button>
          <Button
            hint="Five stops: the view, its colours, time, panels, your work"
            onClick={() => void startTour(studio)}
          >
            Take a tour
          </Button>
        </div>
      </div>
      <h2>Or start with a sample</h2>
      <div class="samples">
        {SAMPLE_NAMES.map((name) => (
          <SampleCard
            key={name}
            name={name}
            tag={SAMPLES[name].kind === 'model' ? 'rig' : SAMPLES[name].kind}
            help={SAMPLES[name].description}
            onClick={() => void studio.openSample(name)}
          />
        ))}
        <SampleCard
          name="caped figure"
          tag="cloth"
          help="a walk with a cape, simulated live: drag it, turn joints, add wind"
          onClick={() => void studio.openCape()}
        />
        <SampleCard
          name={LAB_TITLE}
          tag="lab"
          help="one bar bent by every operator, side by side: which keeps its area?"
          onClick={() => studio.openLab()}
        />
      </div>
    </>
  );
}

const SampleCard = (props: { name: ThumbName; tag: string; help: string; onClick(): void }) => (
  <Button class="sample" onClick={props.onClick}>
    <SampleThumb name={props.name} />
    <b>{props.name}</b>
    <span class="tag">{props.tag}</span>
    <span class="help">{props.help}</span>
  </Button>
);

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
