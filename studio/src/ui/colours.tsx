import { boneCount } from '../../../src/model/skeleton.ts';
import { cssColour, heat } from '../../../src/report/colors.ts';
import { number } from '../../../src/report/format.ts';
import type { Doc, Paint } from '../core/doc.ts';
import { inspectedModels } from '../core/inspected.ts';
import { paintsOf } from '../core/painter.ts';
import { verticesOfJoints } from '../core/skin-paints.ts';
import { isComponent } from '../core/vertex-deformation.ts';
import type { DocView } from '../viewport/doc-view.ts';

export const PAINT_TEXTS: Record<Paint, { text: string; help: string }> = {
  plain: { text: 'Plain', help: 'the surface as it is' },
  error: { text: 'Error', help: 'how far each vertex is from its place in this frame' },
  rotation: { text: 'Rotation', help: 'how far each facet has turned since the rest pose' },
  scale: { text: 'Scale', help: 'how much each facet is longer or shorter: 0 as at rest, 1 twice as long one way' },
  shear: { text: 'Shear', help: 'how much each facet is slanted: 0 as at rest' },
  bones: { text: 'Bones', help: 'the bone that each vertex follows most' },
  regions: { text: 'Regions', help: 'the region of each vertex before bones were solved' },
  influence: { text: 'Influence', help: 'how much each vertex follows the joint that is selected' },
  blend: { text: 'Blend bones', help: 'how much each vertex follows the blend bone that is selected, or all of them' },
  linear: { text: 'Linear error', help: 'how far linear blending with blend bones is off in this pose' },
  mix: { text: 'Mix weights', help: 'how much each vertex is mixed: 0 is linear blending, 1 dual quaternions' },
};

const GROUPS: readonly { label: string; paints: readonly Paint[] }[] = [
  { label: 'Surface', paints: ['plain', 'error'] },
  { label: 'Deformation', paints: ['rotation', 'scale', 'shear'] },
  { label: 'Skin', paints: ['bones', 'regions', 'influence'] },
  { label: 'Operator', paints: ['blend', 'linear', 'mix'] },
];

/** Chooses what colours say; the influence of a joint begins with one that has some. */
export function choosePaint(doc: Doc, paint: Paint): void {
  const models = inspectedModels(doc);
  if (paint === 'influence' && models.length > 0) {
    const { skeleton } = models[0];
    const counts = verticesOfJoints(
      models.map(({ weights }) => weights),
      skeleton,
    );
    const known = doc.joint.value < boneCount(skeleton) && counts[doc.joint.value] > 0;
    doc.showInfluence(known ? doc.joint.value : counts.indexOf(Math.max(...counts)));
  } else doc.paint.value = paint;
}

export function ColoursMenu({ doc }: { doc: Doc }) {
  const there = paintsOf(doc);
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

const UNITS: Partial<Record<Paint, string>> = { rotation: '°' };

/** The scales of what is painted now. */
export function Legends({ doc, view, side }: { doc: Doc; view: DocView; side: boolean }) {
  const paint = doc.paint.value;
  const { painter } = view;
  const { averaged } = doc.inspection;
  const { against } = doc;
  const other = against.value ? `result ${against.value.id}` : 'the original';
  const distance = paint === 'error' && against.value ? `Error, and difference from ${other}` : `From ${other}`;
  const errorTop = () => painter.errorTop;
  return (
    <div class="legends">
      {isComponent(paint) && (
        <ComponentLegend
          title={PAINT_TEXTS[paint].text}
          unit={UNITS[paint]}
          averaged={averaged.value}
          {...painter.componentScale(paint)}
        />
      )}
      {paint === 'influence' && (!doc.fit.value || doc.comparison.value !== 'original') && (
        <Legend caption={`Follows ${jointName(doc)}, lines every 0.1`} top={1} capped={false} />
      )}
      {paint === 'blend' && <Legend caption={`Follows ${blendName(doc)}`} top={1} capped={false} />}
      {paint === 'mix' && <Legend caption="0 linear blending, 1 dual quaternions" top={1} capped={false} />}
      {paint === 'linear' && doc.rig.poseError.value && (
        <Legend caption="Distance from the operator, % of the diagonal" top={doc.rig.poseError.value.top} />
      )}
      {side && <Legend caption={`${distance}, % of the diagonal`} top={errorTop()} />}
      {!side && paint === 'error' && doc.comparison.value !== 'original' && (
        <Legend caption="Error, % of the diagonal" top={errorTop()} />
      )}
    </div>
  );
}

function ComponentLegend(props: {
  title: string;
  unit?: string;
  averaged: boolean;
  top: number;
  provisional: boolean;
}) {
  const of = props.provisional ? 'this frame so far' : props.averaged ? 'average of all frames' : 'from the rest pose';
  return <Legend caption={`${props.title}${props.unit ? `, ${props.unit}` : ''}, ${of}`} top={props.top} />;
}

const jointName = (doc: Doc): string => {
  const name = inspectedModels(doc)[0]?.skeleton.names[doc.joint.value];
  return name || `joint ${doc.joint.value}`;
};

const blendName = (doc: Doc): string => {
  const looked = doc.rig.blendLooked.value;
  return looked ? looked.model.skeleton.names[looked.blend.bone] : 'blend bones';
};

const HEAT_STEPS = 24;
const GRADIENT = Array.from({ length: HEAT_STEPS }, (_, s) => cssColour(heat(s / (HEAT_STEPS - 1)))).join(', ');
const TICKS = [0, 0.25, 0.5, 0.75, 1];

/** A ramp from 0 to `top`, beyond which colours stay the same where `capped`. */
function Legend({ caption, top, capped = true }: { caption: string; top: number; capped?: boolean }) {
  return (
    <figure class="legend" aria-label={`Scale of colours: ${caption}, 0 to ${number(top)}`}>
      <figcaption>{caption}</figcaption>
      <div class="ramp" style={{ background: `linear-gradient(to right, ${GRADIENT})` }} />
      <div class="ticks">
        {TICKS.map((t) => (
          <span key={t}>
            {t === 1 && capped ? '≥ ' : ''}
            {number(t * top)}
          </span>
        ))}
      </div>
    </figure>
  );
}
