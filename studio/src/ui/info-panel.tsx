import { triangleCount, vertexCount } from '../../../src/model/mesh.ts';
import { boneCount } from '../../../src/model/skeleton.ts';
import { bytes, count, number } from '../../../src/report/format.ts';
import { clipNames } from '../core/clips.ts';
import type { Doc } from '../core/doc.ts';
import { Facts } from './controls.tsx';

const KEYS: readonly (readonly [string, string])[] = [
  ['Space', 'play or pause'],
  ['← →', 'one frame'],
  ['Shift ← →', 'ten frames'],
  ['Home End', 'first, last frame'],
  ['1 – 9', 'panels'],
  ['F', 'frame everything'],
  ['Esc', 'no longer the influence of a joint'],
  ['Ctrl Z, Ctrl Shift Z', 'undo, redo'],
  ['Ctrl S', 'save the session'],
];

export function InfoPanel({ doc }: { doc: Doc }) {
  const { content, playback } = doc;
  const { sequences, models, meshes, motions, notes } = content;
  const surfaces = [...sequences.map(({ rest }) => rest), ...models.map(({ mesh }) => mesh), ...meshes];
  const sum = (of: (mesh: (typeof surfaces)[number]) => number) =>
    count(surfaces.reduce((total, mesh) => total + of(mesh), 0));
  const skeletons = new Set([...models, ...motions].map(({ skeleton }) => skeleton));
  const bones = [...skeletons].reduce((total, skeleton) => total + boneCount(skeleton), 0);
  const times = playback.times.value;
  const clips = clipNames(content);
  return (
    <>
      <section>
        <h2>{content.name}</h2>
        <Facts
          rows={[
            ['Format', content.format],
            ['Size', bytes(content.bytes)],
            ...(surfaces.length > 1 ? [['Parts', count(surfaces.length)] as const] : []),
            ['Vertices', sum(vertexCount)],
            ['Triangles', sum(triangleCount)],
            ...(bones > 0 ? [['Bones', count(bones)] as const] : []),
            ...(clips.length > 0 ? [['Clips', clips.join(', ')] as const] : []),
            ...(times.length > 1
              ? [['Frames', `${count(times.length)} in ${number(times[times.length - 1] - times[0])} s`] as const]
              : []),
          ]}
        />
      </section>
      {notes.length > 0 && (
        <section>
          <h2>Notes</h2>
          <ul class="notes">
            {notes.map((note) => (
              <li key={note}>{note}</li>
            ))}
          </ul>
        </section>
      )}
      <section>
        <h2>Keys</h2>
        <Facts rows={KEYS} />
      </section>
    </>
  );
}
