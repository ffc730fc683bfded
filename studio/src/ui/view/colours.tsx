import { number } from '../../../../src/report/format.ts';
import type { Doc } from '../../core/doc.ts';
import { inspectedJoints, inspectedModels } from '../../core/inspect/inspected.ts';
import { verticesOfJoints } from '../../core/paint/skin-paints.ts';
import { PAINT_TEXTS, type Paint } from '../../core/view/looks.ts';
import { type Legend, legendsOf, RAMP } from '../../core/view/view-labels.ts';
import type { DocView } from '../../viewport/doc-view.ts';

const GROUPS: readonly { label: string; paints: readonly Paint[] }[] = [
  { label: 'Surface', paints: ['plain', 'error'] },
  { label: 'Deformation', paints: ['rotation', 'scale', 'shear'] },
  { label: 'Skin', paints: ['bones', 'regions', 'influence'] },
  { label: 'Operator', paints: ['blend', 'linear', 'mix'] },
];

/** Chooses the paint; weights start with a joint that has some. */
export function choosePaint(doc: Doc, paint: Paint): void {
  const models = inspectedModels(doc);
  if (paint === 'influence' && models.length > 0) {
    const counts = verticesOfJoints(models, inspectedJoints(doc));
    const { value: joint = -1 } = doc.joint;
    doc.showInfluence(counts[joint] > 0 ? joint : counts.indexOf(Math.max(...counts)));
  } else doc.paint.value = paint;
  // The original has no error to show.
  if (paint === 'error' && doc.comparison.value === 'original') doc.comparison.value = 'fitted';
}

export function ColoursMenu({ doc }: { doc: Doc }) {
  const there = doc.paints;
  const groups = GROUPS.map(({ label, paints }) => ({
    label,
    paints: paints.filter((paint) => there.includes(paint)),
  }));
  return (
    <label class="menu floating" title={`Colours: ${PAINT_TEXTS[doc.paint.value].help}`}>
      <span class="soft">Colours</span>
      <select
        aria-label="Colours"
        value={doc.paint.value}
        onChange={(event) => choosePaint(doc, event.currentTarget.value as Paint)}
      >
        {groups
          .filter(({ paints }) => paints.length > 0)
          .map(({ label, paints }) => (
            <optgroup key={label} label={label}>
              {paints.map((paint) => (
                <option key={paint} value={paint} title={PAINT_TEXTS[paint].help}>
                  {PAINT_TEXTS[paint].text}
                </option>
              ))}
            </optgroup>
          ))}
      </select>
    </label>
  );
}

/** The colour scales in use. */
export const Legends = ({ doc, view }: { doc: Doc; view: DocView }) => (
  <div class="legends">
    {legendsOf(doc, view.painter).map((legend) => (
      <LegendFigure key={legend.caption} {...legend} />
    ))}
  </div>
);

const LegendFigure = ({ caption, top, ticks }: Legend) => (
  <figure class="legend" aria-label={`Scale of colours: ${caption}, 0 to ${number(top)}`}>
    <figcaption>{caption}</figcaption>
    <div class="ramp" style={{ background: `linear-gradient(to right, ${RAMP.join(', ')})` }} />
    <div class="ticks">
      {ticks.map((tick) => (
        <span key={tick}>{tick}</span>
      ))}
    </div>
  </figure>
);
