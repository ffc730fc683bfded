import { count } from '../../../src/report/format.ts';
import type { Doc } from '../core/doc.ts';
import { errorText } from '../core/fit/error-text.ts';
import { coarseOf } from '../core/inspect/coarse.ts';
import { COARSEST, LEVEL_STEP } from '../core/inspect/coarse-levels.ts';
import type { CoarseLevel } from '../worker/protocol.ts';
import { AsideState } from './aside-state.tsx';
import { Facts, Slider } from './controls.tsx';

/** How few vertices would do: the motion with a share of them merged away, and what that costs. */
export function CoarseSection({ doc }: { doc: Doc }) {
  const { merged } = doc.inspection;
  const coarse = coarseOf(doc);
  const share = merged.value;
  const level = coarse.result.value?.levels[Math.round(share / LEVEL_STEP)];
  return (
    <section>
      <h2>Decimation</h2>
      <Slider
        label="Merge"
        value={Math.round(100 * share)}
        most={100 * COARSEST}
        step={100 * LEVEL_STEP}
        text={`${Math.round(100 * share)} %`}
        help="merged-help"
        onInput={(percent) => {
          merged.value = percent / 100;
        }}
      />
      <p class="help" id="merged-help">
        The motion with this share of its vertices merged away, as a fit with <i>decimate</i> solves its bones on it.
      </p>
      <AsideState aside={coarse} />
      {share > 0 && level && (
        <>
          <p class="help">Mean distance by the share that is merged:</p>
          <CostCurve levels={coarse.result.value?.levels ?? []} share={share} />
          <Facts
            rows={[
              ['Vertices', count(level.vertices)],
              ['Triangles', count(level.triangles)],
              ['From the original, mean', `${errorText(level.mean)} %`],
              ['From the original, most', `${errorText(level.most)} %`],
            ]}
          />
          <button
            type="button"
            class="wide"
            onClick={() => {
              doc.edit('decimate', doc.fitOptions, { ...doc.fitOptions.value, decimate: share });
              doc.panel.value = 'fit';
            }}
          >
            Fit with this level
          </button>
        </>
      )}
    </section>
  );
}

/** What levels cost, from all vertices to the fewest: the mean distance, with the level that is shown. */
function CostCurve({ levels, share }: { levels: readonly CoarseLevel[]; share: number }) {
  const most = Math.max(...levels.map(({ mean }) => mean)) || 1;
  const [x, y] = [
    (level: CoarseLevel) => 280 * (level.merged / COARSEST),
    (level: CoarseLevel) => 40 * (level.mean / most),
  ];
  const at = levels[Math.round(share / LEVEL_STEP)];
  return (
    <svg class="cost" viewBox="-4 -4 288 48" role="img" aria-label="Mean distance by share of merged vertices">
      <path d={`M${levels.map((level) => `${x(level)} ${40 - y(level)}`).join('L')}`} />
      <circle cx={x(at)} cy={40 - y(at)} r="4" />
    </svg>
  );
}
