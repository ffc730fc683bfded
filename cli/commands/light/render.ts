import type { Command } from 'commander';
import { PliantError } from '../../../src/error.ts';
import { ApngWriter } from '../../../src/io/apng.ts';
import { encodePng, type Picture } from '../../../src/report/png.ts';
import {
  LIGHT_FILM_OPTIONS,
  LIGHT_RENDER_OPTIONS,
  type LightRenderDetail,
  lightFilm,
  lightRender,
} from '../../../src/verbs/light-render.ts';
import { givenFlags } from '../../flags/flags.ts';
import { type Output, planOutput } from '../../output/output.ts';
import { type Answer, answerWith } from '../../terminal/answer.ts';
import type { Run } from '../../terminal/session.ts';
import type { Page } from '../../text/table.ts';
import { type LightFlags, readEnvironments, withTiles } from './flags.ts';

/** The name of picture k of a film in a folder. */
const pictureFile = (k: number): string => `frame-${String(k).padStart(4, '0')}.png`;
const isPictureFile = (name: string): boolean => /^frame-\d{4,}\.png$/.test(name);

/** `light render`: a rig in a pose to a PNG; a clip of it as an animated PNG, or as PNGs in a folder. */
export async function renderFile(run: Run, file: string, self: Command): Promise<Answer> {
  const { output: path, force, environment = [] } = self.opts<LightFlags>();
  if (environment.length > 1) {
    const cause = `(got ${environment.length} files, expected one)`;
    throw new PliantError('bad-option', 'light', cause, { option: 'environment' });
  }
  const plan = { ...(await planOutput('light', path, ['png', 'apng', 'frames'])), isOurs: isPictureFile };
  const still = givenFlags(self, LIGHT_RENDER_OPTIONS);
  const film = givenFlags(self, LIGHT_FILM_OPTIONS);
  const [known, given] = plan.kind === 'png' ? [LIGHT_RENDER_OPTIONS, film] : [LIGHT_FILM_OPTIONS, still];
  const option = Object.keys(given).find((name) => !Object.hasOwn(known, name));
  if (option !== undefined) {
    const cause =
      plan.kind === 'png'
        ? 'is for films (expected -o out.apng, or a folder)'
        : 'is for pictures (expected -o out.png)';
    throw new PliantError('bad-option', 'light', cause, { option });
  }
  return answerWith({ verb: 'light', reads: [file, ...environment], plan, force }, (inputs, output) =>
    withTiles(self, async (tiles) => {
      const [map] = await readEnvironments(environment);
      const asset = await inputs.open(file);
      const shared = { ...run, environment: map, tiles };
      const text =
        ({ pose, film, show, environment: sky }: LightRenderDetail) =>
        (page: Page) => {
          const when = film
            ? `${pose.time.toFixed(2)} – ${film.end.toFixed(2)} s, ${film.frames} pictures`
            : `${pose.time.toFixed(2)} s`;
          return [`${page.strong(file)}\n${pose.clip}, ${when}: ${show}, under ${sky}`];
        };
      if (output.kind === 'png') {
        const { picture, report } = await lightRender(asset, { ...still, ...shared });
        await output.sink.write(await encodePng(picture));
        return { report, text: text(report.detail) };
      }
      const { report } = await lightFilm(asset, { ...film, ...shared, onPicture: filmTo(output) });
      return { report, text: text(report.detail) };
    }),
  );
}

/** What takes a film's pictures. */
function filmTo(output: Output<'apng' | 'frames'>) {
  let writer: ApngWriter | undefined;
  return async (
    picture: Picture,
    { frame, frames, framesPerSecond }: { frame: number; frames: number; framesPerSecond: number },
  ) => {
    if (output.kind === 'apng') {
      writer ??= new ApngWriter(frames, framesPerSecond);
      await output.sink.write(await writer.add({ ...picture, samples: picture.pixels }));
      return;
    }
    const sink = await output.folder.file(pictureFile(frame));
    await sink.write(await encodePng(picture));
    await sink.close();
  };
}
