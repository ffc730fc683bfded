import { vertexCount } from '../../../../src/index.ts';
import { plural } from '../../../../src/report/format.ts';
import type { Doc } from '../doc.ts';
import type { ClothContent } from '../view/panes.ts';
import type { ClothLook } from './cloth-work.ts';
import { shownPair } from './start-train.ts';

const WORN: readonly ClothContent[] = ['coarse', 'embedding', 'folds'];
const PAIR: readonly ClothContent[] = ['coarse', 'truth'];
const PLAYED: readonly ClothContent[] = ['coarse', 'embedding', 'folds', 'truth'];

/** What can be shown of the garment that is worn, or of a pair; nothing if there is none. */
function contentsOf(doc: Doc): readonly ClothContent[] {
  if (doc.content.pairs) return doc.cloth.pairs.shown.value?.result.value ? PLAYED : PAIR;
  return doc.cloth.state.value.kind === 'on' ? WORN : [];
}

/** The looks to choose from; none if there is nothing to choose. */
export function clothLooks(doc: Doc): readonly ClothLook[] {
  const contents = doc.panel.value === 'cloth' ? contentsOf(doc) : [];
  return contents.length > 0 ? [...contents.toReversed(), 'side'] : [];
}

/** What is shown of a garment; undefined if there is none. */
export function clothPanes(doc: Doc): readonly ClothContent[] | undefined {
  const contents = contentsOf(doc);
  if (contents.length === 0) return undefined;
  const { value: look } = doc.cloth.look;
  // Elsewhere a garment is only worn.
  if (doc.panel.value !== 'cloth' && !doc.content.pairs) return ['folds'];
  if (look === 'side') return contents;
  return [contents.includes(look) ? look : contents[contents.length - 1]];
}

export function clothPaneNames(doc: Doc): Record<ClothContent, string> {
  const { value: state } = doc.cloth.state;
  const pair = shownPair(doc);
  const { vertices, coarseVertices } = pair
    ? { vertices: vertexCount(pair.fine.rest), coarseVertices: vertexCount(pair.coarse.rest) }
    : state.kind === 'on'
      ? state.facts
      : { vertices: 0, coarseVertices: 0 };
  const learned = doc.cloth.pairs.trained.value;
  const by = pair ? (learned ? `, ${learned.best.mode}` : ', by physics alone') : `: ${verticesText(vertices)}`;
  return {
    coarse: `Simulated: ${verticesText(coarseVertices)}`,
    embedding: 'Embedded: no folds',
    folds: `With folds${by}`,
    truth: `Reference: ${verticesText(vertices)}`,
  };
}

const verticesText = (count: number): string => plural(count, 'vertex', 'vertices');
