import { useLayoutEffect, useState } from 'preact/hooks';
import { droppedFiles } from '../../core/content/file-groups.ts';
import type { Studio } from '../../core/studio.ts';

/** Opens files dropped anywhere on the page; true while files are dragged over it. */
export function useDrop(studio: Studio): boolean {
  const [dragging, setDragging] = useState(false);
  // At once: what is dropped before the next frame would be opened by the browser, in place of the studio.
  useLayoutEffect(() => {
    const over = (event: DragEvent) => {
      if (!event.dataTransfer?.types.includes('Files')) return;
      event.preventDefault();
      setDragging(true);
    };
    const leave = (event: DragEvent) => {
      if (!event.relatedTarget) setDragging(false);
    };
    const drop = async (event: DragEvent) => {
      if (!event.dataTransfer?.types.includes('Files')) return;
      event.preventDefault();
      setDragging(false);
      studio.openFiles(await droppedFiles(event.dataTransfer));
    };
    const end = new AbortController();
    const { signal } = end;
    addEventListener('dragover', over, { signal });
    addEventListener('dragleave', leave, { signal });
    addEventListener('drop', drop, { signal });
    return () => end.abort();
  }, [studio]);
  return dragging;
}
