import { noteTexts } from '../../../../src/report/note-text.ts';
import { changeTexts } from '../../core/rig/change-texts.ts';
import type { RigFile } from '../../worker/rig-file.ts';

/** What a written file has in common with the one that was opened, and what was lost. */
export interface WhatChanged extends Pick<RigFile, 'changes' | 'notes'> {
  /** Of the written file. */
  name: string;
}

/** A list of them, if there is something to say. */
export function WhatChangedList({ name, changes, notes }: WhatChanged) {
  const told = [...(changes ? changeTexts(changes) : []), ...noteTexts(notes)];
  if (told.length === 0) return null;
  const title = `${changes ? 'Changes in' : 'Notes on'} ${name}`;
  return (
    <>
      <h3>{title}</h3>
      <ul class="notes" aria-label={title}>
        {told.map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
    </>
  );
}
