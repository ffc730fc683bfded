import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals-core';
import { useLayoutEffect } from 'preact/hooks';

/** Fields whose numbers are not allowed → why not. */
const wrongFields: Signal<ReadonlyMap<string, string>> = signal(new Map());

/** What is wrong in the fields that are shown. */
export const wrongField: ReadonlySignal<string | undefined> = computed(() => [...wrongFields.value.values()][0]);

/** Goes to the first field that is wrong. */
export function showWrongField(): void {
  const field = document.getElementById([...wrongFields.peek().keys()][0]);
  const folded = field?.closest('details');
  if (folded) folded.open = true;
  field?.focus();
}

/** Enters a field while there is a reason why it is wrong. */
export function useWrong(id: string, why: string | undefined): void {
  useLayoutEffect(() => {
    if (why === undefined) return undefined;
    wrongFields.value = new Map([...wrongFields.peek(), [id, why]]);
    return () => {
      wrongFields.value = new Map([...wrongFields.peek()].filter(([other]) => other !== id));
    };
  }, [id, why]);
}
