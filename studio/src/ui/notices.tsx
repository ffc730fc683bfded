import type { Signal } from '@preact/signals-core';
import { useEffect } from 'preact/hooks';
import type { Notice, Offer, Studio } from '../core/studio.ts';
import { IconButton } from './controls.tsx';
import { CloseIcon } from './icons.tsx';
import { UnderWay } from './run-button.tsx';

/** How long something that went well is told, in milliseconds. */
const TOLD = 6000;
/** The same where it can be taken back. */
const TOLD_LONG = 12000;

/** What is said in passing: the session on its way to a file, what was saved or copied, what could not be. */
export function Notices({ studio }: { studio: Studio }) {
  const saving = studio.saving.value;
  return (
    <div class="notices" role="status">
      {saving && (
        <div class="notice">
          <UnderWay running={saving} label={saving.title} />
        </div>
      )}
      <Told notice={studio.offer} />
      <Told notice={studio.notice} />
    </div>
  );
}

/** One of them, until its time is over or it is dismissed. What went wrong waits for the person. */
function Told({ notice: told }: { notice: Signal<(Notice & Partial<Offer>) | undefined> }) {
  const notice = told.value;
  const dismiss = () => {
    told.value = undefined;
  };
  useEffect(() => {
    if (!notice || notice.bad) return undefined;
    const timer = setTimeout(dismiss, notice.remedy ? TOLD_LONG : TOLD);
    return () => clearTimeout(timer);
  }, [notice]);
  if (!notice) return null;
  return (
    <div class={`notice ${notice.bad ? 'bad' : ''}`}>
      <span>{notice.text}</span>
      {notice.remedy && (
        <button type="button" title={notice.remedy.hint} onClick={notice.remedy.act}>
          {notice.remedy.name}
        </button>
      )}
      <IconButton name="Dismiss" onClick={dismiss}>
        <CloseIcon />
      </IconButton>
    </div>
  );
}
