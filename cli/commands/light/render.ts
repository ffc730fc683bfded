import type { Command } from 'commander';
import { PliantError } from '../../../src/error.ts';
import { encodePng } from '../../../src/report/png.ts';
import { LIGHT_RENDER_OPTIONS, lightRender } from '../../../src/verbs/light-render.ts';
import { givenFlags } from '../../flags/flags.ts';
import { planOutput } from '../../output/output.ts';
import { type Answer, answerWith } from '../../terminal/answer.ts';
import type { Run } from '../../terminal/session.ts';
import type { Page } from '../../text/table.ts';
import { type LightFlags, readEnvironments, withTiles } from './flags.ts';

/** `light render`: a rig in a pose to a PNG. */
export async function renderFile(run: Run, file: string, self: Command): Promise<Answer> {
  const { output: path, force, environment = [] } = self.opts<LightFlags>();
  if (environment.length > 1) {
    const cause = `(got ${environment.length} files, expected one)`;
    throw new PliantError('bad-option', 'light', cause, { option: 'environment' });
  }
  const plan = await planOutput('light', path, ['png']);
  return answerWith({ verb: 'light', reads: [file, ...environment], plan, force }, (inputs, output) =>
    withTiles(self, async (tiles) => {
      const [map] = await readEnvironments(environment);
      const asset = await inputs.open(file);
      const given = givenFlags(self, LIGHT_RENDER_OPTIONS);
      const { picture, report } = await lightRender(asset, { ...given, ...run, environment: map, tiles });
      await output.sink.write(await encodePng(picture));
      const { pose, show, environment: sky } = report.detail;
      const text = (page: Page) => [
        `${page.strong(file)}\n${pose.clip}, ${pose.time.toFixed(2)} s: ${show}, under ${sky}`,
      ];
      return { report, text };
    }),
  );
}
