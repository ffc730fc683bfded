import { useSignal } from '@preact/signals';
import { SMALL_MODEL_GLB } from '../../../src/io/glb/options.ts';
import type { SkinnedModel } from '../../../src/model/skinned-model.ts';
import { bytes } from '../../../src/report/format.ts';
import type { Doc } from '../core/doc.ts';
import { errorText } from '../core/fit/error-text.ts';
import type { FitEntry } from '../core/fit/fit-results.ts';
import { startJob } from '../core/jobs/job.ts';
import type { FileErrors } from '../worker/file-errors.ts';
import { Button } from './controls.tsx';
import { busyWith } from './run-button.tsx';

export type Save = (file: string, blob: Blob, more?: string) => void;

/** Both kinds of GLB; sizes and errors are said once they are known. */
export function GlbButtons(props: { doc: Doc; name: string; models: SkinnedModel[]; fit?: FitEntry; save: Save }) {
  const { doc, name, models, fit, save } = props;
  const known = useSignal<Record<GlbKind, { size?: number; errors?: FileErrors }>>({
    plain: { size: fit?.data.bytes },
    small: {},
  });
  const busy = busyWith(doc.running.value);
  const write = async (kind: GlbKind) => {
    const { ending, options } = GLB_KINDS[kind];
    const motion = fit && { parts: doc.content.sequences, options: fit.options, diagonal: fit.data.errors.diagonal };
    const written = await writeGlb(doc, { models, options, fit: motion });
    if (!written) return;
    const { file, errors, unmeasured } = written;
    known.value = { ...known.value, [kind]: { size: file.size, errors } };
    const found = errors ? `, RMSE ${errorText(errors.rmsePercent)} %` : unmeasured && `, not measured: ${unmeasured}`;
    save(`${name}${ending}.glb`, file, found);
  };
  return (
    <>
      <div class="pair">
        {KINDS.map((kind) => {
          const { size } = known.value[kind];
          return (
            <Button key={kind} why={busy} onClick={() => void write(kind)}>
              {GLB_KINDS[kind].text}
              {size === undefined ? '' : ` (${bytes(size)})`}
            </Button>
          );
        })}
      </div>
      {fit && KINDS.some((kind) => known.value[kind].errors) && <FileErrorTable fit={fit} known={known.value} />}
    </>
  );
}

/** What the errors of a fit are in its files, beside what the fit has itself. */
function FileErrorTable({ fit, known }: { fit: FitEntry; known: Record<GlbKind, { errors?: FileErrors }> }) {
  const { rmsePercent = Number.NaN, maxErrorPercent = Number.NaN } = fit.data.errors;
  const rows = [
    { name: 'Fit', errors: { rmsePercent, maxErrorPercent } },
    ...KINDS.map((kind) => ({ name: GLB_KINDS[kind].text, errors: known[kind].errors })),
  ];
  return (
    <table class="figures">
      <caption>Errors as read back from the file, % of the diagonal</caption>
      <thead>
        <tr>
          <th scope="col">
            <span class="visually-hidden">File</span>
          </th>
          <th scope="col">RMSE</th>
          <th scope="col">largest</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(
          ({ name, errors }) =>
            errors && (
              <tr key={name}>
                <th scope="row">{name}</th>
                <td>{errorText(errors.rmsePercent)}</td>
                <td>{errorText(errors.maxErrorPercent)}</td>
              </tr>
            ),
        )}
      </tbody>
    </table>
  );
}

type GlbKind = keyof typeof GLB_KINDS;
const GLB_KINDS = {
  plain: { text: 'GLB', ending: '', options: {} },
  small: { text: 'Small GLB', ending: '-small', options: SMALL_MODEL_GLB },
} as const;
const KINDS = Object.keys(GLB_KINDS) as GlbKind[];

type GlbInput = Parameters<typeof startJob<'glb'>>[1];

export type GlbWish = Partial<GlbInput> & Pick<GlbInput, 'models'>;

export async function writeGlb(
  doc: Doc,
  { models, options = {}, predictor, fit }: GlbWish,
): Promise<{ file: Blob; errors?: FileErrors; unmeasured?: string } | undefined> {
  const input = { models, options, predictor, fit };
  const written = await doc.run('Writing', (onProgress) => startJob('glb', input, onProgress));
  if (!written) return undefined;
  const { bytes: content, ...found } = written;
  return { file: new Blob([content], { type: 'model/gltf-binary' }), ...found };
}
