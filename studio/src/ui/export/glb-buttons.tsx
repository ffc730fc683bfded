import { useSignal } from '@preact/signals';
import { type SkinnedModel, SMALL_MODEL_GLB } from '../../../../src/index.ts';
import { bytes } from '../../../../src/report/format.ts';
import type { Doc } from '../../core/doc.ts';
import { errorPercent, errorText } from '../../core/fit/error-text.ts';
import type { FitEntry } from '../../core/fit/fit-results.ts';
import type { Studio } from '../../core/studio.ts';
import type { FileErrors } from '../../worker/file-errors.ts';
import { Button } from '../controls/button.tsx';
import { busyWith } from '../controls/run-button.tsx';
import { Figures } from '../controls/section.tsx';
import { type WhatChanged, WhatChangedList } from './what-changed.tsx';
import { writeGlb } from './write-glb.ts';

type GlbKind = keyof typeof GLB_KINDS;
const GLB_KINDS = {
  plain: { text: 'GLB', ending: '', options: {} },
  small: { text: 'Small GLB', ending: '-small', options: SMALL_MODEL_GLB },
} as const;
const KINDS = Object.keys(GLB_KINDS) as GlbKind[];

/** Known size and errors of both files. */
type Known = Record<GlbKind, { size?: number; errors?: FileErrors }>;

/** Buttons for both kinds of GLB, with sizes and errors once known. */
export function GlbButtons(props: {
  studio: Studio;
  doc: Doc;
  /** Of the files, without their endings. */
  name: string;
  models: SkinnedModel[];
  fit?: FitEntry;
}) {
  const { studio, doc, name, models, fit } = props;
  const known = useSignal<Known>({ plain: { size: fit?.data.bytes }, small: {} });
  const changed = useSignal<WhatChanged | undefined>(undefined);
  const busy = busyWith(doc.running.value);
  const write = async (kind: GlbKind) => {
    const { ending, options } = GLB_KINDS[kind];
    const motion = fit && { parts: doc.content.sequences, options: fit.options, diagonal: fit.data.errors.diagonal };
    const written = await writeGlb(doc, { models, options, fit: motion });
    if (!written) return;
    const { file, errors, unmeasured } = written;
    changed.value = { name: `${name}${ending}.glb`, ...written };
    known.value = { ...known.value, [kind]: { size: file.size, errors } };
    const found = errors ? `, RMSE ${errorPercent(errors.rmsePercent)}` : unmeasured && `, not measured: ${unmeasured}`;
    studio.give(`${name}${ending}.glb`, file, found);
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
      {changed.value && <WhatChangedList {...changed.value} />}
    </>
  );
}

/** Errors of the written files beside those of the fit. */
function FileErrorTable({ fit, known }: { fit: FitEntry; known: Known }) {
  const { rmsePercent = Number.NaN, maxErrorPercent = Number.NaN } = fit.data.errors;
  const row = (name: string, errors: FileErrors) =>
    [name, errorText(errors.rmsePercent), errorText(errors.maxErrorPercent)] as const;
  const files = KINDS.flatMap((kind) => {
    const { errors } = known[kind];
    return errors ? [row(GLB_KINDS[kind].text, errors)] : [];
  });
  return (
    <Figures
      caption="Errors as read back from the file, % of the diagonal"
      of="File"
      columns={['RMSE', 'largest']}
      rows={[row('Fit', { rmsePercent, maxErrorPercent }), ...files]}
    />
  );
}
