import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Studio } from '../../core/studio.ts';
import { keysShown } from './keys.ts';
import { later } from './later.tsx';

const KeysSheet = later(() => import('../help/keys-sheet.tsx'));

/** The sheet of keys and pointers; `?` opens and closes it. */
export function KeysDialog({ studio }: { studio: Studio }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const shown = keysShown.value;
  const close = () => {
    keysShown.value = false;
  };
  // At once: closing gives the focus back, which what opens next may take.
  useLayoutEffect(() => {
    if (shown) dialog.current!.showModal();
    else dialog.current!.close();
  }, [shown]);
  return (
    <dialog
      ref={dialog}
      class="keys"
      aria-label="Shortcuts"
      onClose={close}
      // The area around the sheet belongs to the dialog.
      onPointerDown={(event) => event.target === event.currentTarget && close()}
      onKeyDown={(event) => {
        // Keys are listed here, not pressed, except for save and undo.
        if (!event.ctrlKey && !event.metaKey) event.stopPropagation();
        if (event.key === '?') close();
      }}
    >
      {shown && <KeysSheet studio={studio} onClose={close} />}
    </dialog>
  );
}
