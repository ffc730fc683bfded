import { useEffect, useState } from 'preact/hooks';
import { plural } from '../../../../src/report/format.ts';
import type { Autosave } from '../../core/session/autosave.ts';
import type { KeptWork } from '../../core/session/work-store.ts';
import type { Studio } from '../../core/studio.ts';
import { Button, IconButton } from '../controls/button.tsx';
import { CloseIcon } from '../controls/icons.tsx';

/** Work of earlier visits that is not open: a click reopens it. */
export function RecentWork({ studio, autosave }: { studio: Studio; autosave: Autosave }) {
  const works = autosave.closed.value;
  if (works.length === 0) return null;
  return (
    <>
      <h2>Recent work</h2>
      <ul class="recent">
        {works.map((work) => (
          <li key={work.id}>
            <Button class="sample" onClick={() => void studio.reopen(work)}>
              <Picture blob={work.picture} />
              <b>{work.title}</b>
              <span class="help">{aboutWork(work)}</span>
            </Button>
            <IconButton name={`Forget ${work.title}`} onClick={() => void autosave.forget(work)}>
              <CloseIcon />
            </IconButton>
          </li>
        ))}
      </ul>
    </>
  );
}

/** A picture of the view, while there is one. */
function Picture({ blob }: { blob: Blob | undefined }) {
  const [address, setAddress] = useState<string>();
  useEffect(() => {
    if (!blob) return undefined;
    const made = URL.createObjectURL(blob);
    setAddress(made);
    return () => URL.revokeObjectURL(made);
  }, [blob]);
  return <span class="thumb">{address && <img src={address} alt="" />}</span>;
}

function aboutWork({ results, running, saved, whole, name }: KeptWork): string {
  const facts = [agoText(Date.now() - saved)];
  if (results > 0) facts.push(plural(results, 'result'));
  if (running) facts.push(`${running.toLowerCase()} was interrupted`);
  if (!whole) facts.push(`open ${name} again to continue`);
  return facts.join(' · ');
}

const AGO: readonly [unit: Intl.RelativeTimeFormatUnit, seconds: number][] = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
];

function agoText(milliseconds: number): string {
  const seconds = milliseconds / 1000;
  const [unit, size] = AGO.find(([, most]) => seconds >= most) ?? ['second', 0];
  if (size === 0) return 'just now';
  return new Intl.RelativeTimeFormat('en', { numeric: 'auto' }).format(-Math.floor(seconds / size), unit);
}
