import { useEffect } from 'preact/hooks';
import type { Predictor } from '../../../../src/index.ts';
import type { Doc } from '../../core/doc.ts';
import { startJob } from '../../core/jobs/start-job.ts';
import { examplePoints } from '../../core/learn/point-follow.ts';
import { Button } from '../controls/button.tsx';
import { AsideState } from '../controls/progress.tsx';
import { Section } from '../controls/section.tsx';

/** Thumbnails of the examples; a click moves the points there. */
export function ExampleSection({ doc, predictor }: { doc: Doc; predictor: Predictor }) {
  const pictures = doc.learn.picturesOf(predictor);
  useEffect(() => {
    pictures.begin((onProgress) => startJob('pictures', { predictor }, onProgress));
  }, [predictor]);
  const go = (e: number, name: string) => {
    doc.playback.playing.value = false;
    doc.points.begin(name.toLowerCase());
    doc.points.set(examplePoints(predictor, e));
  };
  return (
    <Section title="Examples" help="The frames it learned from. Click one to move the points there.">
      <AsideState aside={pictures} />
      <div class="examples">
        {pictures.result.value?.map((picture, e) => {
          const name = `Example ${e + 1}`;
          return (
            <Button key={e} name={name} hint={name} onClick={() => go(e, name)}>
              <img src={picture} alt="" />
            </Button>
          );
        })}
      </div>
    </Section>
  );
}
