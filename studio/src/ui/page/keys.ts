import { type Signal, signal } from '@preact/signals-core';
import type { Studio } from '../../core/studio.ts';
import type { Viewport } from '../../viewport/viewport.ts';

/** Whether the sheet of keys is shown, and the tour. */
export const keysShown: Signal<boolean> = signal(false);
export const tourShown: Signal<boolean> = signal(false);

/** Shows the studio around: what is open, or a sample. */
export async function startTour(studio: Studio): Promise<void> {
  keysShown.value = false;
  if (studio.doc.value || (await studio.openSample('flag'))) tourShown.value = true;
}

/** The element focused by a click, which keys are not meant for. It may go away, with the document that it belongs to. */
let clicked: WeakRef<Element> | undefined;
addEventListener('focusin', () => {
  clicked = undefined;
});
addEventListener(
  'click',
  (event) => {
    // Key presses click too, with a count of 0.
    const { activeElement } = document;
    if (event.detail > 0) clicked = activeElement ? new WeakRef(activeElement) : undefined;
  },
  // Before what is clicked goes away.
  { capture: true },
);

/** Whether a button or tab was focused by keyboard. */
export const reachedByKeys = (target: Element): boolean => target !== clicked?.deref();

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
  const open = () => {
    doc.panel.value = panel;
    // Once it is there: the next Tab reaches its first control.
    setTimeout(() => document.getElementById('panel')?.focus({ preventScroll: true }));
  };
  const action = panel ? open : actions[event.key];
  if (!action) return;
  action();
  event.preventDefault();
}
