import { useEffect, useRef } from 'preact/hooks';
import { count } from '../../../src/report/format.ts';
import type { Doc } from '../core/doc.ts';
import { inspectedModels, skinsOf } from '../core/inspected.ts';
import { verticesOfJoints } from '../core/skin-paints.ts';
import { choosePaint } from './colours.tsx';

/** The joints that vertices follow; a press paints how much. */
export function JointSection({ doc }: { doc: Doc }) {
  const models = inspectedModels(doc);
  const { skeleton } = models[0];
  const counts = verticesOfJoints(
    models.map(({ weights }) => weights),
    skeleton,
  );
  const used = Array.from(counts.keys()).filter((j) => counts[j] > 0);
  const skins = skinsOf(doc);
  const painted = doc.paint.value === 'influence' ? doc.joint.value : -1;
  const list = useRef<HTMLUListElement>(null);
  // One that was picked in the view is in sight here too; the panel itself stays where it is.
  useEffect(() => {
    const pressed = list.current?.querySelector<HTMLElement>('[aria-pressed=true]');
    if (!list.current || !pressed) return;
    const [outer, inner] = [list.current.getBoundingClientRect(), pressed.getBoundingClientRect()];
    if (inner.top < outer.top || inner.bottom > outer.bottom) {
      list.current.scrollTop += (inner.top + inner.bottom - outer.top - outer.bottom) / 2;
    }
  }, [painted]);
  return (
    <section>
      <div class="heading">
        <h2>Joints</h2>
        <label class="check">
          <input
            type="checkbox"
            checked={doc.joints.value}
            onChange={(event) => {
              doc.joints.value = event.currentTarget.checked;
            }}
          />
          show
        </label>
      </div>
      <p class="help">Press one, here or in the view: the surface shows how much it follows. Esc ends it.</p>
      {!doc.fit.value && skins.length > 1 && (
        <div class="field">
          <label for="skin">Part</label>
          <select
            id="skin"
            value={doc.models.value.indexOf(models[0])}
            onChange={(event) => {
              doc.inspection.skin.value = Number(event.currentTarget.value);
              if (doc.paint.value === 'influence') choosePaint(doc, 'influence');
            }}
          >
            {skins.map(({ name, at }) => (
              <option key={at} value={at}>
                {name || `part ${at + 1}`}
              </option>
            ))}
          </select>
        </div>
      )}
      <ul class="joints" ref={list}>
        {used.map((j) => (
          <li key={j}>
            <button
              type="button"
              class="joint"
              aria-pressed={j === painted}
              title={`How much the surface follows ${skeleton.names[j] || `joint ${j}`}`}
              onClick={() => (j === painted ? doc.endInfluence() : doc.showInfluence(j))}
            >
              <b>{skeleton.names[j] || `joint ${j}`}</b>
              <span class="soft number">{count(counts[j])}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
