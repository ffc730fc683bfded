import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';

/** A component that is loaded on first use. */
export function later<P extends object>(load: () => Promise<{ default: ComponentType<P> }>): ComponentType<P> {
  return function Later(props: P) {
    const [Loaded, setLoaded] = useState<ComponentType<P>>();
    const [failure, setFailure] = useState<string>();
    useEffect(() => {
      load().then(
        ({ default: component }) => setLoaded(() => component),
        () => setFailure('This part of the studio could not be loaded: is its server still there?'),
      );
    }, []);
    if (failure) {
      return (
        <p class="trouble" role="alert">
          {failure}
        </p>
      );
    }
    return Loaded ? <Loaded {...props} /> : null;
  };
}
