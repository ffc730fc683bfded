import { plural } from '../../../../src/report/format.ts';
import type { Doc } from '../../core/doc.ts';
import { mastersOf } from '../../core/view/view-labels.ts';
import { Button } from '../controls/button.tsx';

/** The blend bones with their masters; a click paints the weights of one. */
export function BlendBoneList({ doc }: { doc: Doc }) {
  const { rig } = doc;
  const bones = rig.blendBones.value;
  const looked = doc.paint.value === 'blend' && doc.operator.value === 'linearized';
  const isShown = (which: number | undefined) => looked && rig.blendBone.value === which;
  const show = (which: number | undefined) => {
    const end = isShown(which);
    doc.setOperator('linearized');
    if (end) doc.paint.value = 'plain';
    else doc.showBlendBone(which);
  };
  return (
    <>
      <div class="heading">
        <h3>{plural(bones.length, 'blend bone')}</h3>
        <Button
          class="small"
          pressed={isShown(undefined)}
          hint="Show the weights of all blend bones"
          onClick={() => show(undefined)}
        >
          Show all
        </Button>
      </div>
      <ul class="blends">
        {bones.map((found, b) => (
          <li key={`${found.part} ${found.blend.bone}`}>
            <Button pressed={isShown(b)} hint="Show the weights of this blend bone" onClick={() => show(b)}>
              <b class="number">{b + 1}</b>
              <span class="shares">
                {mastersOf(found).map(({ name, percent }) => (
                  <span key={name}>
                    <i>{name}</i> {percent} %
                  </span>
                ))}
              </span>
            </Button>
          </li>
        ))}
      </ul>
    </>
  );
}
