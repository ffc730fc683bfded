import { vertexCount } from '../../../../src/index.ts';
import { count } from '../../../../src/report/format.ts';
import { shownPair } from '../../core/cloth/start-train.ts';
import type { Doc } from '../../core/doc.ts';
import { SelectField } from '../controls/field.tsx';
import { AsideState } from '../controls/progress.tsx';
import { Facts, Section } from '../controls/section.tsx';

/** What a motion is for. */
const USES = { train: '', choose: ' (for validation)', report: ' (for testing)' };

/** The motions of a pair, and what is known of them. */
export function PairSection({ doc }: { doc: Doc }) {
  const { pairs = [] } = doc.content;
  const pair = shownPair(doc)!;
  const { value: played } = doc.cloth.pairs.shown;
  return (
    <Section
      title="Coarse and fine cloth"
      help="Two simulations of one garment in the same motion. Folds are learned from the difference."
    >
      <SelectField
        id="motion"
        label="Motion"
        value={pair.name}
        choices={pairs.map(({ name, use }) => ({ value: name, text: name + (use ? USES[use] : '') }))}
        onChange={(name) => doc.edit('motion', doc.clip, name)}
      />
      <Facts
        rows={[
          ['Coarse', `${count(vertexCount(pair.coarse.rest))} vertices`],
          ['Fine', `${count(vertexCount(pair.fine.rest))} vertices`],
          ['Frames', count(pair.coarse.times.length)],
          ['Body', pair.body ? (pair.body.rig ? 'a rig' : 'a mesh') : 'none'],
        ]}
      />
      {played && <AsideState aside={played} />}
    </Section>
  );
}
