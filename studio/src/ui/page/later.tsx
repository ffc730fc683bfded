import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { LOST_PART } from '../../core/jobs/memory-trouble.ts';
import { Button } from '../controls/button.tsx';
import { Spinner } from '../controls/spinner.tsx';

/** A component that is loaded on first use. @param Room what is shown until then. */
export function later<P extends object>(
  load: () => Promise<{ default: ComponentType<P> }>,
  Room: ComponentType = Spinner,
): ComponentType<P> {
  let known: ComponentType<P> | undefined;
  return function Later(props: P) {
    const [Loaded, setLoaded] = useState(() => known);
    const [failed, setFailed] = useState(false);
    useEffect(() => {
      if (known || failed) return;
      load().then(
        ({ default: component }) => {
          known = component;
          setLoaded(() => component);
        },
        () => setFailed(true),
      );
    }, [failed]);
    if (failed) {
      return (
        <div class="lost-part" role="alert">
          <p>{LOST_PART}</p>
          <Button onClick={() => setFailed(false)}>Try again</Button>
        </div>
      );
    }
    return Loaded ? <Loaded {...props} /> : <Room />;
  };
}
