import { plural } from '../../../../src/report/format.ts';
import type { FitEntry } from '../../core/fit/fit-results.ts';
import { startJob } from '../../core/jobs/start-job.ts';
import { WideButton } from '../controls/run-button.tsx';
import { Section } from '../controls/section.tsx';
import type { Exporting } from './glb-buttons.tsx';
import { GlbButtons } from './glb-buttons.tsx';

/** Exports the selected result: GLB files and a report page. */
export function FitExport({ doc, name, save }: Exporting) {
  const fit = doc.fit.value;
  if (!fit) return null;
  const bones = `${name}-${fit.data.bones}-bones`;
  return (
    <Section
      title="The fitted model"
      help={`${plural(fit.data.bones, 'bone')}, for any glTF player. The small file needs meshopt support: three.js, Babylon.js, model-viewer. Each file is measured as it is written.`}
    >
      <GlbButtons key={fit.id} doc={doc} name={bones} models={fit.data.models} fit={fit} save={save} />
      <WideButton doc={doc} onClick={() => savePage(doc, fit, name, (page) => save(`${bones}.report.html`, page))}>
        Report page (HTML)
      </WideButton>
    </Section>
  );
}

async function savePage(
  doc: Exporting['doc'],
  { data, options }: FitEntry,
  title: string,
  save: (page: Blob) => void,
): Promise<void> {
  const input = { parts: doc.content.sequences, fit: data, options, title };
  const page = await doc.run('Writing the report', (onProgress) => startJob('page', input, onProgress));
  if (page) save(new Blob([page], { type: 'text/html' }));
}
