import type { FolderSink } from '../../src/io/files.ts';
import { isExperimentPicture, mixExperimentPage } from '../../src/report/mix-experiment-page.ts';
import {
  experimentCsv,
  type MixExperiment,
  type MixExperimentOptions,
  mixExperiment,
} from '../../src/rig/mix/experiment.ts';
import type { Run } from '../terminal/session.ts';

/** What the folder of an experiment holds. */
const [PAGE, TABLE] = ['report.html', 'areas.csv'];
export const isExperimentFile = (name: string): boolean => name === PAGE || name === TABLE || isExperimentPicture(name);

/** What `mix --experiment` does with an open folder: bends the rectangle, writes the page, its pictures and the table. */
export async function runMixExperiment(
  options: Partial<MixExperimentOptions>,
  folder: FolderSink,
  command: string,
  run: Run,
): Promise<MixExperiment> {
  const experiment = await mixExperiment({ ...options, ...run });
  const { html, pictures } = await mixExperimentPage(experiment, { command });
  const files = { [PAGE]: html, [TABLE]: experimentCsv(experiment), ...pictures };
  for (const [name, text] of Object.entries(files)) {
    const sink = await folder.file(name);
    await sink.write(new TextEncoder().encode(text));
    await sink.close();
  }
  return experiment;
}
