import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals-core';
import { useLayoutEffect } from 'preact/hooks';

/** Invalid fields → reason. */
const wrongFields: Signal<ReadonlyMap<string, string>> = signal(new Map());

/** The reason of the first invalid field. */
export const wrongField: ReadonlySignal<string | undefined> = computed(() => [...wrongFields.value.values()][0]);

/** Focuses the first invalid field. */
export function showWrongField(): void {
  const field = document.getElementById([...wrongFields.peek().keys()][0]);
  const folded = field?.closest('details');
  if (folded) folded.open = true;
  field?.focus();
}

/** Registers a field while it is invalid. */
export function useWrong(id: string, why: string | undefined): void {
  useLayoutEffect(() => {
    if (why === undefined) return undefined;
    wrongFields.value = new Map([...wrongFields.peek(), [id, why]]);
    return () => {
      wrongFields.value = new Map([...wrongFields.peek()].filter(([other]) => other !== id));
    };
  }, [id, why]);
}
