import { noteText } from '../../../../src/index.ts';
import { changeTexts } from '../../core/rig/change-texts.ts';
import type { RigFile } from '../../worker/rig-file.ts';

/** What a written file has in common with the one that was opened, and what was lost. */
export interface WhatChanged extends Partial<Pick<RigFile, 'changes' | 'notes'>> {
  /** Of the written file. */
  name: string;
}

export function WhatChangedList({ name, changes, notes = [] }: WhatChanged) {
  const isTold = notes.some(({ code }) => code === 'rebuilt');
  const first = changes ? changeTexts(changes) : isTold ? [] : ['A new file.'];
  const told = [...first, ...notes.map((note) => noteText(note))];
  return (
    <>
      <h3>{`Changes in ${name}`}</h3>
      <ul class="notes" aria-label={`Changes in ${name}`}>
        {told.map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
    </>
  );
}
