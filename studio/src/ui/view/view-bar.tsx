import { clothLooks } from '../../core/cloth/cloth-panes.ts';
import type { ClothLook } from '../../core/cloth/cloth-work.ts';
import type { Doc } from '../../core/doc.ts';
import { lightPanes } from '../../core/light/light-panes.ts';
import type { Comparison } from '../../core/view/looks.ts';
import { compared, driven, isPainted } from '../../core/view/view-labels.ts';
import type { Viewport } from '../../viewport/viewport.ts';
import { IconButton, IconToggle } from '../controls/button.tsx';
import { GridIcon, HomeIcon, JointsIcon } from '../controls/icons.tsx';
import { type Choice, Segmented } from '../controls/segmented.tsx';
import { ColoursMenu } from './colours.tsx';
import { LookMenu } from './look-menu.tsx';

const COMPARISONS: readonly Choice<Comparison>[] = [
  { value: 'original', text: 'Original', hint: 'the motion as opened' },
  { value: 'fitted', text: 'Fitted', hint: 'the skinned model alone' },
  { value: 'side', text: 'Side by side', hint: 'both and their difference, with a shared camera' },
  { value: 'overlay', text: 'Overlay', hint: 'the original as a ghost over the fitted model' },
  { value: 'wipe', text: 'Wipe', hint: 'original on the left, fitted on the right' },
];

const CLOTH_LOOKS: readonly Choice<ClothLook>[] = [
  { value: 'folds', text: 'Folds', hint: 'the garment with its folds' },
  { value: 'embedding', text: 'Embedded', hint: 'the garment as it follows the simulated mesh, without folds' },
  { value: 'coarse', text: 'Simulated', hint: 'the coarse mesh that is simulated' },
  { value: 'truth', text: 'Reference', hint: 'the fine simulation to learn from' },
  { value: 'side', text: 'Side by side', hint: 'all of them, with a shared camera' },
];

/** The tools of the view: comparison, colours, joints, wireframe, framing. */
export function ViewBar({ doc, viewport }: { doc: Doc; viewport: Viewport | undefined }) {
  const { models, motions } = doc.content;
  const comparing = compared(doc);
  const painted = !driven(doc) && isPainted(doc);
  const looks = clothLooks(doc);
  const jointed = (comparing || models.length + motions.length > 0) && painted;
  return (
    <div class="view-bar">
      {comparing && (
        <Segmented
          label="Comparison"
          value={doc.comparison.value}
          choices={COMPARISONS}
          onChange={(value) => (doc.comparison.value = value)}
        />
      )}
      {looks.length > 0 && (
        <Segmented
          label="Cloth"
          value={looks.includes(doc.cloth.look.value) ? doc.cloth.look.value : looks[0]}
          choices={CLOTH_LOOKS.filter(({ value }) => looks.includes(value))}
          onChange={(value) => (doc.cloth.look.value = value)}
        />
      )}
      {doc.paints.length > 1 && painted && <ColoursMenu doc={doc} />}
      <div class="view-tools">
        <div class="buttons floating">
          {jointed && (
            <IconToggle name="Joints" hint="Show joints" value={doc.joints}>
              <JointsIcon />
            </IconToggle>
          )}
          {!lightPanes(doc) && (
            <IconToggle name="Wireframe" hint="Show edges" value={doc.wireframe}>
              <GridIcon />
            </IconToggle>
          )}
          <IconButton name="Frame all" hint="Frame all (F)" onClick={() => viewport?.reset()}>
            <HomeIcon />
          </IconButton>
        </div>
        <LookMenu doc={doc} viewport={viewport} />
      </div>
    </div>
  );
}
