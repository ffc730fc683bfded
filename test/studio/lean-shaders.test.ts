import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { foldShader } from '../../studio/build/shaders.mjs';

/** The slow and obvious way: the lines that a compiler sees where the macros of `defined` have these values. */
function preprocessed(source: string, defined: ReadonlyMap<string, number>): string[] {
  const out: string[] = [];
  const open: { outer: boolean; taken: boolean; live: boolean }[] = [];
  const live = () => open.at(-1)?.live ?? true;
  const holds = (condition: string): boolean => {
    const numbers = condition
      .replace(/defined\s*\(\s*(\w+)\s*\)/g, (_, name: string) => (defined.has(name) ? '1' : '0'))
      .replace(/[A-Za-z_]\w*/g, (name) => `${defined.get(name) ?? 0}`);
    return Boolean(new Function(`return (${numbers});`)());
  };
  for (const line of source.replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, '').split('\n')) {
    const [, directive, rest] = /^\s*#\s*(ifdef|ifndef|if|elif|else|endif)\b\s*(.*?)\s*$/.exec(line) ?? [];
    if (!directive) {
      if (live() && line.trim()) out.push(line.trim());
    } else if (directive.startsWith('if')) {
      const outer = live();
      const yes = directive === 'ifdef' ? defined.has(rest) : directive === 'ifndef' ? !defined.has(rest) : holds(rest);
      open.push({ outer, taken: outer && yes, live: outer && yes });
    } else if (directive === 'endif') open.pop();
    else {
      const branch = open.at(-1)!;
      branch.live = branch.outer && !branch.taken && (directive === 'else' || holds(rest));
      branch.taken ||= branch.live;
    }
  }
  return out;
}

const SHADERS = ['lights_fragment_begin', 'shadowmap_pars_fragment', 'common', 'color_vertex', 'normal_fragment_begin'];
const shader = (name: string) =>
  readFileSync(
    new URL(`../../node_modules/three/src/renderers/shaders/ShaderChunk/${name}.glsl.js`, import.meta.url),
    'utf8',
  );

describe('foldShader', () => {
  it.each(SHADERS)(
    '%s compiles to the same lines, whatever macros are defined, if those that never are are not',
    (name) => {
      const source = shader(name);
      const macros = [...new Set(source.match(/\b[A-Z][A-Z0-9_]{3,}\b/g))];
      fc.assert(
        fc.property(
          fc.array(fc.constantFrom('never', 'undefined', '0', '1', '2'), {
            minLength: macros.length,
            maxLength: macros.length,
          }),
          (kinds) => {
            const never = new Set(macros.filter((_, i) => kinds[i] === 'never'));
            const defined = new Map(
              macros.flatMap((macro, i) => (/\d/.test(kinds[i]) ? [[macro, Number(kinds[i])]] : [])),
            );
            expect(preprocessed(foldShader(source, never), defined)).toEqual(preprocessed(source, defined));
          },
        ),
        { seed: 1, numRuns: 200 },
      );
    },
  );

  it('leaves out what never is, and the conditions that are then sure', () => {
    const source = '#ifdef A\na\n#elif defined( B ) && defined( A )\nb\n#else\nc\n#endif\n#if N > 0\nn\n#endif // end';
    expect(foldShader(source, new Set(['A', 'N']))).toBe('c');
    expect(foldShader(source, new Set(['A']))).toBe('c\n#if N > 0\nn\n#endif');
    expect(foldShader(source, new Set(['B']))).toBe('#ifdef A\na\n#else\nc\n#endif\n#if N > 0\nn\n#endif');
  });
});
