/** The library speaks of its options; on the command line they are flags, and other verbs are at hand. */
const SAID_HERE: readonly (readonly [library: RegExp, here: string])[] = [
  [/use force/, 'use --force'],
  [/expected operator sdqs/, 'expected --operator sdqs'],
  [/train with the clips instead/, 'train with the clips instead, by --training clips'],
  [/^target size \(/, '--max-size ('],
  [
    /players of glTF blend linearly, not by mix\.$/,
    'players of glTF blend linearly, not by mix: `pliant skin` bakes the motion into morph targets, which they all play.',
  ],
];

/** An error's explanation or a note of the library, with what to type. */
export const withFlags = (text: string): string =>
  SAID_HERE.reduce((said, [library, here]) => said.replace(library, here), text);
