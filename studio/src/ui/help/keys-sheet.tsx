import type { Studio } from '../../core/studio.ts';
import { Button, IconButton } from '../controls/button.tsx';
import { CloseIcon } from '../controls/icons.tsx';
import { startTour } from '../page/keys.ts';
import './help.css';

/** Keys that do the same are apart by a comma, keys that are held together by a space. */
type Rows = readonly (readonly [keys: string, does: string])[];

/** What `handleKey`, focused controls, mouse and fingers do. */
const SHEET: readonly { title: string; rows: Rows; keys: boolean }[] = [
  {
    title: 'Playback',
    keys: true,
    rows: [
      ['Space', 'play or pause'],
      ['←, →', 'one frame back, forward'],
      ['Shift ←, Shift →', 'ten frames'],
      ['Home, End', 'first, last frame'],
    ],
  },
  {
    title: 'View',
    keys: true,
    rows: [
      ['F', 'frame all'],
      ['N, Shift N', 'front, back'],
      ['R, Shift R', 'right, left'],
      ['T, Shift T', 'top, bottom'],
      ['O', 'orthographic or perspective'],
    ],
  },
  {
    title: 'Work',
    keys: true,
    rows: [
      ['1, …, 9', 'open a panel'],
      ['Esc', 'deselect the joint'],
      ['Ctrl Z, Ctrl Shift Z', 'undo, redo'],
      ['Ctrl S', 'save the session'],
      ['?', 'show shortcuts'],
    ],
  },
  {
    title: 'Mouse and touch',
    keys: false,
    rows: [
      ['Left button, one finger', 'orbit'],
      ['Right button, two fingers', 'pan'],
      ['Wheel, pinch', 'zoom towards the pointer'],
      ['Click a joint', 'show its weights, or rings to turn it'],
      ['Drag a control point', 'the surface follows'],
      ['Drag a garment', 'the cloth follows'],
    ],
  },
];

/** The keyboard map, what pointers do, and the way to the tour. */
export default function KeysSheet({ studio, onClose }: { studio: Studio; onClose(): void }) {
  return (
    <div class="sheet">
      <div class="heading">
        <h2>Shortcuts</h2>
        <IconButton name="Close shortcuts" onClick={onClose}>
          <CloseIcon />
        </IconButton>
      </div>
      {SHEET.map(({ title, rows, keys }) => (
        <section key={title}>
          <h3>{title}</h3>
          <dl class="facts">
            {rows.map(([press, does]) => (
              <div key={press}>
                <dt>{keys ? <Keys names={press} /> : press}</dt>
                <dd>{does}</dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
      <Button class="wide" onClick={() => void startTour(studio)}>
        Take the tour
      </Button>
    </div>
  );
}

const Keys = ({ names }: { names: string }) => (
  <>
    {names.split(', ').map((chord) => (
      <span key={chord} class="chord">
        {chord.split(' ').map((key) => (key === '…' ? key : <kbd key={key}>{key}</kbd>))}
      </span>
    ))}
  </>
);
