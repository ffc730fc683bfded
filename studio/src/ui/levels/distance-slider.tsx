import { number } from '../../../../src/report/format.ts';
import type { LevelKind, LevelsWork } from '../../core/levels/levels-work.ts';
import { Slider } from '../controls/slider.tsx';

/** A distance that changes levels as an engine does. Powers of ten, so that near and far have as much room. */
export function DistanceSlider({ levels }: { levels: LevelsWork }) {
  const { distance, made, kinds, shown } = levels;
  const far = kinds.value
    .flatMap((kind) => made.value[kind]!.figures.map(({ onePixelDistance }) => onePixelDistance))
    .filter((metres) => metres > 0);
  if (far.length === 0) return null;
  const [least, most] = [Math.log10(Math.min(...far) / 2), Math.log10(2 * Math.max(...far))];
  const metres = distance.value;
  return (
    <>
      <Slider
        label="Distance"
        value={metres === undefined ? least : Math.log10(metres)}
        least={least}
        most={most}
        step={0.01}
        text={metres === undefined ? '–' : `${number(Number(metres.toPrecision(3)))} m`}
        onInput={(value) => levels.lookFrom(10 ** value)}
      />
      <p class="help">
        {metres === undefined
          ? 'Switches levels as an engine does: to the coarsest that is off by less than a pixel (1080p, 50° field of view).'
          : `From there an engine shows ${kinds.value.map((kind) => levelName(kind, shown[kind].value)).join(' or ')}.`}
      </p>
    </>
  );
}

const levelName = (kind: LevelKind, level: number): string =>
  level === 0 ? 'the original mesh' : `${kind === 'images' ? 'images at ' : ''}level ${level}`;
