// What nothing uses, in two runs. Everything, tests included: no unused file or dependency, no name exported that only its
// own file uses. With --production, without the tests: nothing that only tests use.
export default ({ production }) => ({
  ignoreExportsUsedInFile: Boolean(production),
  workspaces: {
    '.': {
      entry: [
        'adapters/view/main.ts!',
        'bench/*.ts!',
        'examples/*.ts!',
        'scripts/**/*.{mjs,ts}!',
        'test/**/*.test.ts',
        'test/browser/pages/*.ts',
        'test/cli/*.mjs',
      ],
      project: [
        '{src,cli,adapters,bench,examples,scripts}/**/*.{ts,mjs}!',
        'test/**/*.{ts,mjs}',
        '!src/kernels/assembly/**',
      ],
      // Run by their paths in scripts/; signals are the studio's, and its tests are here.
      ignoreDependencies: ['@preact/signals-core', '@arethetypeswrong/cli', 'assemblyscript', 'publint', 'typescript7'],
      // Of the system, where it has them.
      ignoreBinaries: ['apt-get', 'blender', 'fish', /^g\+\+$/, 'mount', 'script', 'umount'],
    },
    studio: { project: ['src/**/*.{ts,tsx}!'] },
  },
});
