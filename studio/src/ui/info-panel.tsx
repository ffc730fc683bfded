import { triangleCount, vertexCount } from '../../../src/model/mesh.ts';
import { bytes, count, number } from '../../../src/report/format.ts';
import { clipNames } from '../core/content/clips.ts';
import type { Doc } from '../core/doc.ts';
import { jointTree } from '../core/rig/joint-tree.ts';
import { Facts } from './controls.tsx';
import { keysShown } from './keys.ts';

export function InfoPanel({ doc }: { doc: Doc }) {
  const { content, playback } = doc;
  const { sequences, models, meshes, motions, notes } = content;
  const surfaces = [...sequences.map(({ rest }) => rest), ...models.map(({ mesh }) => mesh), ...meshes];
  const sum = (of: (mesh: (typeof surfaces)[number]) => number) =>
    count(surfaces.reduce((total, mesh) => total + of(mesh), 0));
  const bones = jointTree([...models, ...motions].map(({ skeleton }) => skeleton)).names.length;
  const times = playback.times.value;
  const clips = clipNames(content);
  return (
    <>
      <section>
        <h2>{content.name}</h2>
        <Facts
          rows={[
            ['Format', content.format],
            ...(content.bytes > 0 ? [['Size', bytes(content.bytes)] as const] : []),
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
        <button
          type="button"
          class="wide"
          onClick={() => {
            keysShown.value = true;
          }}
        >
          Keys and pointers
        </button>
      </section>
    </>
  );
}
