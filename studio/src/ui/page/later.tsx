import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Spinner } from '../controls/spinner.tsx';

/** A component that is loaded on first use. @param Room what is shown until then. */
export function later<P extends object>(
  load: () => Promise<{ default: ComponentType<P> }>,
  Room: ComponentType = Spinner,
): ComponentType<P> {
  let known: ComponentType<P> | undefined;
  return function Later(props: P) {
    const [Loaded, setLoaded] = useState(() => known);
    const [failure, setFailure] = useState<string>();
    useEffect(() => {
      if (known) return;
      load().then(
        ({ default: component }) => {
          known = component;
          setLoaded(() => component);
        },
        () => setFailure('This part of the studio could not be loaded. Is its server still running?'),
      );
    }, []);
    if (failure) {
      return (
        <p class="trouble" role="alert">
          {failure}
        </p>
      );
    }
    return Loaded ? <Loaded {...props} /> : <Room />;
  };
}
