import { type Signal, signal } from '@preact/signals-core';
import type { Studio } from '../../core/studio.ts';
import type { Viewport } from '../../viewport/viewport.ts';

/** What `handleKey`, and whoever has the focus, does. */
export const KEYS: readonly (readonly [keys: string, does: string])[] = [
  ['Space', 'play or pause'],
  ['← →', 'one frame'],
  ['Shift ← →', 'ten frames'],
  ['Home End', 'first, last frame'],
  ['1 – 9', 'switch panel'],
  ['F', 'frame everything'],
  ['Esc', 'deselect the joint'],
  ['Ctrl Z, Ctrl Shift Z', 'undo, redo'],
  ['Ctrl S', 'save the session'],
  ['?', 'these keys'],
];

/** What mouse and fingers do in the view. */
export const POINTERS: readonly (readonly [press: string, does: string])[] = [
  ['Left button, one finger', 'orbit'],
  ['Right button, two fingers', 'pan'],
  ['Wheel, pinch', 'zoom towards the pointer'],
  ['Click a joint', 'show its weights, or rings to turn it'],
  ['Drag a control point', 'the surface follows'],
];

/** Whether both are shown. */
export const keysShown: Signal<boolean> = signal(false);

/** What has the focus because it was clicked: keys are no longer meant for it. */
let clicked: Element | null = null;
addEventListener('focusin', () => {
  clicked = null;
});
addEventListener('click', (event) => {
  // Keys click too, without a count.
  if (event.detail > 0) clicked = document.activeElement;
});

/** Whether a button or tab has the focus by keys. */
export const reachedByKeys = (target: Element): boolean => target !== clicked;

/** Whether an element uses the key itself. */
function isTaken(target: EventTarget | null, key: string): boolean {
  if (target instanceof HTMLSelectElement) return true;
  if (target instanceof HTMLButtonElement) {
    return key === ' ' && target.role !== 'tab' && reachedByKeys(target);
  }
  if (!(target instanceof HTMLInputElement)) return false;
  if (target.type === 'range' || target.type === 'radio') return /^(Arrow|Home|End)/.test(key);
  return target.type !== 'checkbox' || key === ' ';
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLInputElement && (target.type === 'number' || target.type === 'text');

/** Saves, undoes, redoes. */
function command(event: KeyboardEvent, studio: Studio): void {
  const key = event.key.toLowerCase();
  const history = studio.history.value;
  if (key === 's') void studio.save();
  // What is being typed has an undo of its own.
  else if (!history || !(key === 'z' || key === 'y') || isTyping(event.target)) return;
  else if (key === 'y' || event.shiftKey) history.redo();
  else history.undo();
  event.preventDefault();
}

/** What a key does to what is in front. */
export function handleKey(event: KeyboardEvent, studio: Studio, viewport: Viewport | undefined): void {
  if (event.ctrlKey || event.metaKey) command(event, studio);
  if (event.defaultPrevented) return;
  const doc = studio.doc.value;
  if (event.ctrlKey || event.metaKey || event.altKey || isTaken(event.target, event.key)) return;
  if (event.key === '?') {
    keysShown.value = true;
    event.preventDefault();
  }
  if (!doc) return;
  const { playback, panels } = doc;
  const frames = event.shiftKey ? 10 : 1;
  const panel = panels[Number(event.key) - 1];
  const actions: Record<string, () => void> = {
    ' ': () => playback.toggle(),
    ArrowLeft: () => playback.step(-frames),
    ArrowRight: () => playback.step(frames),
    Home: () => playback.step(-playback.last),
    End: () => playback.step(playback.last),
    f: () => viewport?.reset(),
    // Blend bones that are looked at come before the joint.
    Escape: () => (doc.paint.value === 'blend' ? (doc.paint.value = 'plain') : doc.letGo()),
  };
  const action = panel ? () => (doc.panel.value = panel) : actions[event.key];
  if (!action) return;
  action();
  event.preventDefault();
}
