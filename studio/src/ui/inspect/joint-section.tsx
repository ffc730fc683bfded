import { useEffect, useMemo, useRef } from 'preact/hooks';
import { count, plural } from '../../../../src/report/format.ts';
import type { Doc } from '../../core/doc.ts';
import { inspectedJoints, inspectedModels } from '../../core/inspect/inspected.ts';
import { verticesOfJoints } from '../../core/paint/skin-paints.ts';

/** The joints with weights; a click paints them. */
export const JointSection = ({ doc }: { doc: Doc }) => (
  <section>
    <div class="heading">
      <h2>Joints</h2>
      <label class="check">
        <input
          type="checkbox"
          checked={doc.joints.value}
          onChange={({ currentTarget: { checked } }) => (doc.joints.value = checked)}
        />
        Show
      </label>
    </div>
    <p class="help">Click a joint here or in the view to show its weights. Esc clears the selection.</p>
    <div class="joint-heading help" aria-hidden="true">
      <span>Joint</span>
      <span>Vertices</span>
    </div>
    <JointList doc={doc} />
  </section>
);

function JointList({ doc }: { doc: Doc }) {
  const tree = inspectedJoints(doc);
  const models = inspectedModels(doc);
  const counts = useMemo(() => verticesOfJoints(models, tree), [models, tree]);
  const used = Array.from(counts.keys()).filter((j) => counts[j] > 0);
  const painted = doc.paint.value === 'influence' ? doc.joint.value : undefined;
  const list = useRef<HTMLUListElement>(null);
  // Scrolls to a joint picked in the view.
  useEffect(() => showPressed(list.current!), [painted]);
  return (
    <ul class="joints" ref={list} aria-label="Joints and the number of vertices they move">
      {used.map((j) => (
        <li key={j}>
          <button
            type="button"
            class="joint"
            aria-pressed={j === painted}
            title={`Show the weights of ${tree.names[j]}: ${plural(counts[j], 'vertex', 'vertices')}`}
            onClick={() => (j === painted ? doc.endInfluence() : doc.showInfluence(j))}
          >
            <b>{tree.names[j]}</b>
            <span class="soft number">{count(counts[j])}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}

/** Scrolls a list to its pressed item without scrolling the panel. */
function showPressed(list: HTMLElement): void {
  const pressed = list.querySelector('[aria-pressed=true]');
  if (!pressed) return;
  const [outer, inner] = [list.getBoundingClientRect(), pressed.getBoundingClientRect()];
  if (inner.top < outer.top || inner.bottom > outer.bottom)
    list.scrollTop += (inner.top + inner.bottom - outer.top - outer.bottom) / 2;
}
