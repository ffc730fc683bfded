import type { ComponentChildren } from 'preact';

/**
 * Drawn on 16 × 16 with one stroke; names of controls come from the buttons, never from here. Strokes are made anew for
 * each icon: shared ones would keep the button they were last in, and so a document that is closed, in memory.
 */
const icon = (strokes: () => ComponentChildren) => () => (
  <svg class="icon" viewBox="0 0 16 16" aria-hidden="true" focusable="false">
    {strokes()}
  </svg>
);

export const PlayIcon = icon(() => <path class="solid" d="M4.5 2.6v10.8l9-5.4z" />);
export const PauseIcon = icon(() => <path class="solid" d="M4 3h3v10H4zM9 3h3v10H9z" />);
export const BackIcon = icon(() => <path d="M10 3.5 5.5 8l4.5 4.5" />);
export const ForwardIcon = icon(() => <path d="M6 3.5 10.5 8 6 12.5" />);
export const LoopIcon = icon(() => (
  <path d="M3 8a4 4 0 0 1 4-4h5M10 2l2.2 2L10 6M13 8a4 4 0 0 1-4 4H4M6 14l-2.2-2L6 10" />
));
export const CloseIcon = icon(() => <path d="m4 4 8 8M12 4l-8 8" />);
export const PlusIcon = icon(() => <path d="M8 3v10M3 8h10" />);
export const UndoIcon = icon(() => <path d="M6 3 3 6l3 3M3 6h6a4 4 0 0 1 0 8H7" />);
export const RedoIcon = icon(() => <path d="m10 3 3 3-3 3M13 6H7a4 4 0 0 0 0 8h2" />);
export const HomeIcon = icon(() => <path d="M2.5 6V2.5H6M10 2.5h3.5V6M13.5 10v3.5H10M6 13.5H2.5V10" />);
export const GridIcon = icon(() => <path d="M8 2 14 13H2zM5 7.5h6M8 13 5 7.5M8 13l3-5.5" />);
export const JointsIcon = icon(() => (
  <>
    <circle cx="4" cy="12" r="2" />
    <circle cx="12" cy="4" r="2" />
    <path d="m5.5 10.5 5-5" />
  </>
));
export const ThemeIcon = icon(() => (
  <>
    <circle cx="8" cy="8" r="5.5" />
    <path class="solid" d="M8 2.5a5.5 5.5 0 0 1 0 11z" />
  </>
));
export const HelpIcon = icon(() => (
  <>
    <circle cx="8" cy="8" r="6" />
    <path d="M6.200 6.500a1.800 1.800 0 1 1 2.700 1.500c-.6.4-.9.7-.9 1.300M8 11.300v.1" />
  </>
));
export const TrashIcon = icon(() => <path d="M3 4.5h10M6.5 4V2.5h3V4M4.5 4.5l.6 9h5.8l.6-9" />);
export const SaveIcon = icon(() => <path d="M8 2.5v7.5M4.5 6.5 8 10l3.5-3.5M2.5 13.5h11" />);
export const FileIcon = icon(() => <path d="M4 1.5h5.5L12.5 5v9.5h-8.5zM9 1.5V5h3.5" />);
export const FolderIcon = icon(() => <path d="M1.5 13V3h4.5l1.5 2h7v8z" />);
export const PinIcon = icon(() => <path d="M5.5 2.5h5l-.7 4 2.2 2.5h-8l2.2-2.5zM8 9v5" />);
