import { type Predictor, pointNames } from '../../../../src/index.ts';
import { STRETCHED } from '../../../../src/learn/strain.ts';
import { plural } from '../../../../src/report/format.ts';
import type { Doc } from '../../core/doc.ts';
import { errorPercent } from '../../core/fit/error-text.ts';
import { isHeld, replay, togglePin } from '../../core/learn/driving.ts';
import { Button, IconButton } from '../controls/button.tsx';
import { Tick } from '../controls/field.tsx';
import { PinIcon } from '../controls/icons.tsx';
import { Facts, Section } from '../controls/section.tsx';

/** The control points: which is selected, which are pinned, and how far from the examples they are. */
export function PointSection({ doc, predictor }: { doc: Doc; predictor: Predictor }) {
  const { learn, points } = doc;
  const moving = points.value.value === undefined && !learn.replays.value;
  const moves = doc.content.sequences.length > 0;
  const help = `Drag one of the ${plural(predictor.points.length, 'control point')} in the view, or along an axis by its arrows. The others follow as in the examples; pinned points stay. Double-click a point to pin it.`;
  return (
    <Section title="Drag the points" help={help}>
      <PointList doc={doc} predictor={predictor} />
      <PinButtons doc={doc} count={predictor.points.length} />
      <Reach doc={doc} />
      {learn.strain.value !== undefined && (
        <Tick
          id="keep-whole"
          label="Prevent tearing"
          value={learn.whole}
          onChange={(whole) => doc.edit('prevent tearing', learn.whole, whole)}
        >
          Stops points before the surface tears.
        </Tick>
      )}
      <Button
        class="wide"
        why={moving ? `The points ${moves ? 'already follow the motion' : 'are at rest'}.` : undefined}
        onClick={() => replay(doc, false)}
      >
        {moves ? 'Back to the motion' : 'Back to rest'}
      </Button>
    </Section>
  );
}

function PointList({ doc, predictor }: { doc: Doc; predictor: Predictor }) {
  const { point, pins } = doc.learn;
  return (
    <fieldset class={`points ${predictor.names ? 'named' : ''}`} aria-label="Control points">
      {pointNames(predictor).map((name, l) => {
        const selected = point.value === l;
        const pinned = pins.value.has(l);
        return (
          <span key={l} class={pinned ? 'pinned' : ''}>
            <Button pressed={selected} hint={`Select ${name}`} onClick={() => (point.value = selected ? undefined : l)}>
              {predictor.names ? name : l + 1}
            </Button>
            <IconButton name={`Pin ${name}`} pressed={pinned} onClick={() => togglePin(doc, l)}>
              <PinIcon />
            </IconButton>
          </span>
        );
      })}
    </fieldset>
  );
}

function PinButtons({ doc, count }: { doc: Doc; count: number }) {
  const { pins } = doc.learn;
  const { size } = pins.value;
  const pin = (those: Iterable<number>) => doc.edit('pins', pins, new Set(those) as ReadonlySet<number>);
  return (
    <div class="pair">
      <Button why={size === count ? 'All points are pinned.' : undefined} onClick={() => pin(Array(count).keys())}>
        Pin all
      </Button>
      <Button why={size === 0 ? 'No point is pinned.' : undefined} onClick={() => pin([])}>
        Pin none
      </Button>
    </div>
  );
}

/** Distance of points and surface from the examples. */
function Reach({ doc }: { doc: Doc }) {
  const { learn, learned } = doc;
  const reach = doc.reach.value;
  const strain = learn.strain.value;
  const stretched = strain !== undefined && strain > STRETCHED;
  const error = learned.value?.figures.leaveOneOutRmsePercent;
  const rows: [string, string][] = [
    ['Points', reach > 1 ? `${reach.toFixed(1)} × the range of the examples` : 'within range'],
  ];
  if (strain !== undefined)
    rows.push(['Surface', stretched ? `${strain.toFixed(1)} × the stretch of the examples` : 'intact']);
  if (error !== undefined) rows.push(['Error on unseen examples', errorPercent(error)]);
  return (
    <>
      <Facts rows={rows} />
      <div role="status">
        {isHeld(doc) && (
          <p class="caution">
            Stopped: any farther, and the surface would tear{stretched ? ' at the ring' : ''}. No example comes close.
          </p>
        )}
      </div>
    </>
  );
}
