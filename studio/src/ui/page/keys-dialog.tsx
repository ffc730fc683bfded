import { useEffect, useRef } from 'preact/hooks';
import { IconButton } from '../controls/button.tsx';
import { CloseIcon } from '../controls/icons.tsx';
import { Facts } from '../controls/section.tsx';
import { KEYS, keysShown, POINTERS } from './keys.ts';

/** The dialog of keys and pointers; `?` opens and closes it. */
export function KeysDialog() {
  const dialog = useRef<HTMLDialogElement>(null);
  const shown = keysShown.value;
  const close = () => {
    keysShown.value = false;
  };
  useEffect(() => {
    if (shown) dialog.current!.showModal();
    else dialog.current!.close();
  }, [shown]);
  return (
    <dialog
      ref={dialog}
      class="keys"
      aria-label="Keys and pointers"
      onClose={close}
      // The area around the sheet belongs to the dialog.
      onPointerDown={(event) => event.target === event.currentTarget && close()}
      onKeyDown={(event) => {
        // Keys are listed here, not pressed, except for save and undo.
        if (!event.ctrlKey && !event.metaKey) event.stopPropagation();
        if (event.key === '?') close();
      }}
    >
      <div class="sheet">
        <div class="heading">
          <h2>Keys</h2>
          <IconButton name="Close the keys" onClick={close}>
            <CloseIcon />
          </IconButton>
        </div>
        <Facts rows={KEYS} />
        <h2>In the view</h2>
        <Facts rows={POINTERS} />
      </div>
    </dialog>
  );
}
