import type { Note } from '../../../src/model/note.ts';

/** What people should know of baked light that is shown. */
export type LightNote = Extract<
  Note,
  { code: 'light-changed' | 'light-operator' | 'light-albedo' | 'light-not-read' | 'light-outdated' }
>;

// In short: the sentences of all notes of the library would be loaded with these.
function textOf(note: LightNote): string {
  switch (note.code) {
    case 'light-changed':
      return `baked for another ${note.data.changed}: bake it again`;
    case 'light-operator':
      return `baked with operator ${note.data.made}, posed with ${note.data.now}: creases may look wrong`;
    case 'light-albedo':
      return `baked with an albedo of ${note.data.made}, not ${note.data.now}: the baked one is shown`;
    case 'light-not-read':
      return 'damaged or of another mesh, and left out';
    case 'light-outdated':
      return 'baked by another version and left out: bake it again';
  }
}

/** Says it on the console, as three.js says what it leaves out. */
export function warnOfLight(note: LightNote, about: string): void {
  console.warn(`pliant/three, light of ${about}: ${textOf(note)} (${note.code})`);
}
