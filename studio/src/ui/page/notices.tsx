import { useEffect } from 'preact/hooks';
import type { Notice, Offer } from '../../core/notices.ts';
import type { Studio } from '../../core/studio.ts';
import { Button, IconButton } from '../controls/button.tsx';
import { CloseIcon } from '../controls/icons.tsx';
import { UnderWay } from '../controls/progress.tsx';

/** Milliseconds that a notice is shown. */
const TOLD = 6000;
/** The same for notices with a remedy. */
const TOLD_LONG = 12000;

/** Notices: the session being saved, what was saved or copied, what failed. */
export function NoticeList({ studio: { saving, notices } }: { studio: Studio }) {
  const running = saving.value;
  const said = notices.said.value;
  return (
    <div class="notices" role="status">
      {running && (
        <div class="notice">
          <UnderWay running={running} label={running.title} />
        </div>
      )}
      {notices.offers.value.map((offer) => (
        <Told key={offer} notice={offer} onTake={() => notices.take(offer)} onEnd={() => notices.drop(offer)} />
      ))}
      {said && <Told notice={said} onEnd={() => (notices.said.value = undefined)} />}
    </div>
  );
}

/** One notice, until it expires or is dismissed. Failures stay. */
function Told(props: { notice: Notice & Partial<Offer>; onTake?(): void; onEnd(): void }) {
  const { notice, onTake, onEnd } = props;
  const { text, bad, remedy } = notice;
  useEffect(() => {
    if (bad) return undefined;
    const timer = setTimeout(onEnd, remedy ? TOLD_LONG : TOLD);
    return () => clearTimeout(timer);
  }, [notice]);
  return (
    <div class={`notice ${bad ? 'bad' : ''} ${remedy ? 'offer' : ''}`}>
      <span>{text}</span>
      {remedy && onTake && (
        <Button hint={remedy.hint} onClick={onTake}>
          {remedy.name}
        </Button>
      )}
      <IconButton name="Dismiss" onClick={onEnd}>
        <CloseIcon />
      </IconButton>
    </div>
  );
}
