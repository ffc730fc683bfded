import { type Signal, signal } from '@preact/signals-core';
import type { Studio } from '../../core/studio.ts';
import type { Viewport } from '../../viewport/viewport.ts';

/** The keys of `handleKey` and of focused controls. */
export const KEYS: readonly (readonly [keys: string, does: string])[] = [
  ['Space', 'play or pause'],
  ['← →', 'one frame'],
  ['Shift ← →', 'ten frames'],
  ['Home End', 'first, last frame'],
  ['1 – 9', 'switch panel'],
  ['F', 'frame all'],
  ['N, Shift N', 'front, back view'],
  ['R, Shift R', 'right, left view'],
  ['T, Shift T', 'top, bottom view'],
  ['O', 'orthographic or perspective'],
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
  ['Drag a garment', 'the cloth follows'],
];

/** Whether the dialog of both is shown. */
export const keysShown: Signal<boolean> = signal(false);

/** The element focused by a click, which keys are not meant for. */
let clicked: Element | null = null;
addEventListener('focusin', () => {
  clicked = null;
});
addEventListener('click', (event) => {
  // Key presses click too, with a count of 0.
  if (event.detail > 0) clicked = document.activeElement;
});

/** Whether a button or tab was focused by keyboard. */
export const reachedByKeys = (target: Element): boolean => target !== clicked;

/** Whether an element uses the key itself. */
function isTaken(target: EventTarget | null, key: string): boolean {
  if (target instanceof HTMLSelectElement || target instanceof HTMLTextAreaElement) return true;
  if (target instanceof HTMLButtonElement) {
    return key === ' ' && target.role !== 'tab' && reachedByKeys(target);
  }
  if (!(target instanceof HTMLInputElement)) return false;
  if (target.type === 'range' || target.type === 'radio') return /^(Arrow|Home|End)/.test(key);
  return target.type !== 'checkbox' || key === ' ';
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLTextAreaElement ||
  (target instanceof HTMLInputElement && (target.type === 'number' || target.type === 'text'));

/** Saves, undoes, redoes. */
function command(event: KeyboardEvent, studio: Studio): void {
  const key = event.key.toLowerCase();
  const history = studio.history.value;
  if (key === 's') void studio.save();
  // Text fields have their own undo.
  else if (!history || !(key === 'z' || key === 'y') || isTyping(event.target)) return;
  else if (key === 'y' || event.shiftKey) history.redo();
  else history.undo();
  event.preventDefault();
}

/** Handles a key for the tab in front. */
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
    n: () => viewport?.lookAlong('front'),
    N: () => viewport?.lookAlong('back'),
    r: () => viewport?.lookAlong('right'),
    R: () => viewport?.lookAlong('left'),
    t: () => viewport?.lookAlong('top'),
    T: () => viewport?.lookAlong('bottom'),
    o: () => (doc.orthographic.value = !doc.orthographic.value),
    // A selected blend bone is deselected before the joint.
    Escape: () => (doc.paint.value === 'blend' ? (doc.paint.value = 'plain') : doc.letGo()),
  };
  const action = panel ? () => (doc.panel.value = panel) : actions[event.key];
  if (!action) return;
  action();
  event.preventDefault();
}
