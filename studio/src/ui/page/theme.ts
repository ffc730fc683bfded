import { useEffect, useLayoutEffect, useState } from 'preact/hooks';

export type ThemeChoice = 'auto' | 'light' | 'dark';

export interface Theme {
  choice: ThemeChoice;
  dark: boolean;
  /** The next choice: from auto to the opposite of what the system has, then to what it has, then auto again. */
  next(): void;
}

const KEY = 'pliant-theme';
const CHOICES: readonly ThemeChoice[] = ['auto', 'light', 'dark'];

/** Light or dark, as the system has it unless told; remembered by the browser. */
export function useTheme(): Theme {
  const [choice, setChoice] = useState<ThemeChoice>(remembered);
  const [systemDark, setSystemDark] = useState(() => matchMedia('(prefers-color-scheme: dark)').matches);
  useEffect(() => {
    const query = matchMedia('(prefers-color-scheme: dark)');
    const follow = () => setSystemDark(query.matches);
    query.addEventListener('change', follow);
    return () => query.removeEventListener('change', follow);
  }, []);
  const dark = choice === 'auto' ? systemDark : choice === 'dark';
  // Before the effects of what is drawn with colours of the page.
  useLayoutEffect(() => {
    document.documentElement.dataset.theme = dark ? 'dark' : 'light';
  }, [dark]);
  const next = () => {
    const order: ThemeChoice[] = systemDark ? ['auto', 'light', 'dark'] : ['auto', 'dark', 'light'];
    const after = order[(order.indexOf(choice) + 1) % order.length];
    setChoice(after);
    try {
      localStorage.setItem(KEY, after);
    } catch {
      // A browser that keeps nothing forgets the choice with the page.
    }
  };
  return { choice, dark, next };
}

function remembered(): ThemeChoice {
  try {
    return CHOICES.find((choice) => choice === localStorage.getItem(KEY)) ?? 'auto';
  } catch {
    return 'auto';
  }
}
