import { useEffect, useLayoutEffect, useState } from 'preact/hooks';

export type ThemeChoice = 'auto' | 'light' | 'dark';

export interface Theme {
  choice: ThemeChoice;
  dark: boolean;
  /** The next choice: auto → the opposite of the system's theme → the system's theme → auto. */
  next(): void;
}

const KEY = 'pliant-theme';
const CHOICES: readonly ThemeChoice[] = ['auto', 'light', 'dark'];

/** Light or dark: the system's choice unless set; remembered by the browser. */
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
      // Without storage the choice lasts as long as the page.
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
