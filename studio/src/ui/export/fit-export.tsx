import { stem } from '../../../../src/io/paths.ts';
import { plural } from '../../../../src/report/format.ts';
import type { Doc } from '../../core/doc.ts';
import { startJob } from '../../core/jobs/start-job.ts';
import type { Studio } from '../../core/studio.ts';
import { WideButton } from '../controls/run-button.tsx';
import { Section } from '../controls/section.tsx';
import { GlbButtons } from './glb-buttons.tsx';
import { writeGlb } from './write-glb.ts';

/** Exports the selected result: GLB files and a report page. */
export function FitExport({ studio, doc }: { studio: Studio; doc: Doc }) {
  const fit = doc.fit.value;
  if (!fit) return null;
  const { data, options } = fit;
  const title = stem(doc.content.name);
  const name = `${title}-${data.bones}-bones`;
  const saveAll = async () => {
    for (const { id, data: each } of doc.fits.value) {
      const written = await writeGlb(doc, { models: each.models });
      if (!written) return;
      studio.give(`${title}-${each.bones}-bones-${id}.glb`, written.file);
    }
  };
  const savePage = async () => {
    const input = { parts: doc.content.sequences, fit: data, options, title };
    const page = await doc.run('Writing the report', (onProgress) => startJob('page', input, onProgress));
    if (page) studio.give(`${name}.report.html`, new Blob([page], { type: 'text/html' }));
  };
  return (
    <Section
      title="The fitted model"
      help={`${plural(data.bones, 'bone')}, for any glTF player. The small file needs a player with meshopt support, such as three.js or Babylon.js. Each file is read back and measured.`}
    >
      <GlbButtons key={fit.id} studio={studio} doc={doc} name={name} models={data.models} fit={fit} />
      {doc.fits.value.length > 1 && (
        <WideButton doc={doc} onClick={saveAll}>
          {`All ${doc.fits.value.length} results (GLB)`}
        </WideButton>
      )}
      <WideButton doc={doc} onClick={savePage}>
        Report page (HTML)
      </WideButton>
    </Section>
  );
}
