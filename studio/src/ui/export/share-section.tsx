import { changedFitOptions, writeAddress } from '../../core/content/address.ts';
import type { Doc } from '../../core/doc.ts';
import type { Studio } from '../../core/studio.ts';
import { Button } from '../controls/button.tsx';
import { Section } from '../controls/section.tsx';

/** A link to a sample with its settings. */
export function ShareSection({ studio, doc }: { studio: Studio; doc: Doc }) {
  if (doc.content.format !== 'sample') return null;
  const address = new URL(
    location.pathname + writeAddress(doc.content.name, changedFitOptions(shownOptions(doc))),
    location.href,
  ).href;
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(address);
      studio.notices.say('Link copied.');
    } catch {
      studio.notices.say('The browser denied access to the clipboard. Copy the link from the field.', true);
    }
  };
  return (
    <Section
      title="Link to this sample"
      help={`${doc.fit.value ? 'With the options of the current result. ' : ''}Anyone who opens it sees the same.`}
    >
      <div class="share">
        <input
          type="text"
          readOnly
          aria-label="Link"
          value={address}
          onFocus={(event) => event.currentTarget.select()}
        />
        <Button onClick={() => void copy()}>Copy</Button>
      </div>
    </Section>
  );
}

/** Options of the selected result; those of the panel if there is none. */
function shownOptions(doc: Doc) {
  const fit = doc.fit.value;
  if (!fit) return doc.fitOptions.value;
  const { bones, maxError, maxSize } = fit.options;
  return bones || maxError || maxSize ? fit.options : { ...fit.options, bones: fit.data.bones };
}
