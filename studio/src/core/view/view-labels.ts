import { cssColour, heat } from '../../../../src/report/colors.ts';
import { number } from '../../../../src/report/format.ts';
import { clothPaneNames, clothPanes } from '../cloth/cloth-panes.ts';
import type { Doc } from '../doc.ts';
import { shownSoFar, soFarNames, soFarPanes } from '../fit/so-far.ts';
import { inspectedJoints, resultName } from '../inspect/inspected.ts';
import { levelPaneNames, levelPanes, levelTop } from '../levels/level-panes.ts';
import { lightPaneNames, lightPanes } from '../light/light-panes.ts';
import type { Painter } from '../paint/painter.ts';
import { type Component, isComponent } from '../paint/vertex-deformation.ts';
import { operatorPaneNames, operatorPanes } from '../rig/operator-panes.ts';
import type { BlendBoneOf } from '../rig/rig-work.ts';
import { PAINT_TEXTS, type Paint } from './looks.ts';
import { type Pane, type PaneContent, panesOf, sideBySide, standsIn, type ViewShape } from './panes.ts';

/** The labels over the view, shared by the page, pictures and animations. */
export interface ViewLabels {
  /** Pane names, if something is compared. */
  names?: Record<PaneContent, string>;
  legends: Legend[];
  ring?: Ring;
}

/** Around a place of the view, in its pixels. */
export interface Ring {
  x: number;
  y: number;
  text: string;
  /** The edges of its pane across. */
  pane: readonly [from: number, to: number];
}

/** From the middle of a ring to its label. */
const ASIDE = 14;
const ABOVE = 26;

/**
 * The left edge and the middle of a label so wide, from the place that it belongs to: at the right, else at the left, else above or
 * below, so that it does not leave its pane.
 */
export function labelPlace({ x, y, pane: [from, to] }: Omit<Ring, 'text'>, wide: number): { x: number; y: number } {
  const beside = [ASIDE, -ASIDE - wide].find((left) => from <= x + left && x + left + wide <= to);
  if (beside !== undefined) return { x: beside, y: 0 };
  return { x: Math.max(from - x, Math.min(-wide / 2, to - wide - x)), y: y > 2 * ABOVE ? -ABOVE : ABOVE };
}

/** A scale of colours from 0 to `top`. */
export interface Legend {
  caption: string;
  top: number;
  /** Tick labels, evenly spaced. */
  ticks: string[];
}

const STEPS = 24;
/** CSS colours of every scale, from 0 to the top. */
export const RAMP: readonly string[] = Array.from({ length: STEPS }, (_, s) => cssColour(heat(s / (STEPS - 1))));

/** Whether the surface is driven by control points now. */
export const driven = (doc: Doc): boolean =>
  doc.panel.value === 'learn' && doc.predictor.value !== undefined && !shownSoFar(doc);

/** Whether a result is compared with the original. */
export const compared = (doc: Doc): boolean => doc.fit.value !== undefined && !driven(doc) && !shownSoFar(doc);

/** What a panel shows in place of the comparison. */
export const shownPanes = (doc: Doc): readonly PaneContent[] | undefined =>
  lightPanes(doc) ?? levelPanes(doc) ?? operatorPanes(doc) ?? clothPanes(doc) ?? soFarPanes(doc);

/** Whether a surface in view takes colours and has joints: light, crowds, and levels alone do not. */
export const isPainted = (doc: Doc): boolean => !shownPanes(doc)?.every(standsIn);

/** The panes, if something is compared. */
export function comparedPanes(doc: Doc, shape: ViewShape): Pane[] | undefined {
  const contents = shownPanes(doc);
  if (contents) return contents.length > 1 ? sideBySide(contents, shape) : undefined;
  return compared(doc) ? panesOf(doc.comparison.value, doc.wipe.value, shape) : undefined;
}

export const viewLabels = (doc: Doc, painter: Painter): ViewLabels => ({
  names: compared(doc) || (shownPanes(doc)?.length ?? 0) > 1 ? paneNames(doc) : undefined,
  legends: driven(doc) ? [] : legendsOf(doc, painter),
});

/** What a pane is painted by. Beside its result the original is plain, except for its deformation. */
function paintIn({ paint: { value: paint }, against, inspection, comparison }: Doc, shows: PaneContent): Paint {
  if (shows !== 'original' || against.value) return paint;
  if (inspection.merged.value > 0) return 'plain';
  const alone = comparison.value === 'original' && paint !== 'error';
  return alone || isComponent(paint) ? paint : 'plain';
}

/** Per pane: what it shows and what its colours mean. */
export function paneNames(doc: Doc): Record<PaneContent, string> {
  const { fit, against, inspection } = doc;
  const merged = inspection.merged.value;
  const original = merged > 0 ? `Original, ${Math.round(100 * merged)} % merged` : 'Original';
  const left = against.value ? resultName(doc, against.value) : original;
  const painted = (name: string, shows: PaneContent) =>
    `${name}: ${PAINT_TEXTS[paintIn(doc, shows)].text.toLowerCase()}`;
  return {
    original: painted(left, 'original'),
    fitted: fit.value ? painted(resultName(doc, fit.value), 'fitted') : '',
    difference: 'Difference: distance',
    overlay: painted(`${left} in orange, fitted`, 'overlay'),
    beside: '',
    ...(operatorPanes(doc) && operatorPaneNames(doc)),
    ...soFarNames(doc),
    ...clothPaneNames(doc),
    ...levelPaneNames(doc),
    ...lightPaneNames(doc),
  };
}

/** The colour scales in use. */
export function legendsOf(doc: Doc, painter: Painter): Legend[] {
  const shown = shownPanes(doc);
  const paint = isPainted(doc) ? doc.paint.value : 'plain';
  const side = compared(doc) && doc.comparison.value === 'side';
  const fittedSeen = !doc.fit.value || doc.comparison.value !== 'original';
  const legends: Legend[] = [];
  if (isComponent(paint)) legends.push(componentLegend(doc, painter, paint));
  if (paint === 'influence') legends.push(legend(`Weight of ${jointName(doc)}, lines every 0.1`, 1, false));
  if (paint === 'blend') legends.push(legend(`Weight of ${blendName(doc)}`, 1, false));
  if (paint === 'mix') legends.push(legend('0 linear blending, 1 dual quaternions', 1, false));
  const error = doc.rig.poseError.value;
  if (paint === 'linear' && error) legends.push(legend('Distance from the operator, % of the diagonal', error.top));
  if (shown?.includes('level-error')) {
    legends.push(legend('Distance, % of the diagonal', levelTop(doc.levels)));
  }
  if (side) legends.push(legend(`${distanceName(doc)}, % of the diagonal`, painter.errorTop));
  else if (paint === 'error' && fittedSeen) legends.push(legend('Error, % of the diagonal', painter.errorTop));
  return legends;
}

/** @param capped whether values beyond the top share its colour. */
function legend(caption: string, top: number, capped = true): Legend {
  const ticks = [0, 0.25, 0.5, 0.75, 1].map((t) => (t === 1 && capped ? '≥ ' : '') + number(t * top));
  return { caption, top, ticks };
}

function componentLegend(doc: Doc, painter: Painter, component: Component): Legend {
  const { top, provisional } = painter.componentScale(component);
  const { averaged } = doc.inspection;
  const of = provisional ? 'this frame so far' : averaged.value ? 'average of all frames' : 'from the rest pose';
  return legend(`${PAINT_TEXTS[component].text}${component === 'rotation' ? ', °' : ''}, ${of}`, top);
}

function distanceName({ paint, against }: Doc): string {
  const other = against.value ? `result ${against.value.id}` : 'the original';
  return paint.value === 'error' && against.value ? `Error, and distance from ${other}` : `Distance from ${other}`;
}

const jointName = (doc: Doc): string => inspectedJoints(doc).names[doc.joint.value ?? -1] ?? 'no joint';

const blendName = ({ rig }: Doc): string => {
  const looked = rig.blendLooked.value;
  if (!looked) return 'blend bones';
  const names = mastersOf(looked).map(({ name }) => name);
  return `blend ${1 + rig.blendBones.value.indexOf(looked)}: ${names.join(' + ')}`;
};

/** The masters of a blend bone with their shares in whole %; shares of 0 % are left out. */
export const mastersOf = ({ model, blend: { masters, weights } }: BlendBoneOf): { name: string; percent: number }[] =>
  Array.from(masters, (j, l) => ({
    name: model.skeleton.names[j] || `bone ${j}`,
    percent: Math.round(100 * weights[l]),
  })).filter(({ percent }) => percent > 0);
