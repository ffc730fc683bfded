import type { SampledHeader } from './headers.ts';
import { isFloat, isText } from './pods.ts';
import type { Compound } from './properties.ts';

/** What an object shows: "animated" when it is hidden at some samples and not at others. */
export type Visibility = 'visible' | 'hidden' | 'animated';

const HIDDEN = 0;
const DEFERRED = -1;

/** Something else may have that name. */
const isFlag = ({ extent, pod }: SampledHeader): boolean => extent === 1 && !isText(pod) && !isFloat(pod);

/** The scalar `visible` of an object: 1 visible, 0 hidden, −1 as the parent is; so it is when absent. */
export async function readVisibility(properties: Compound, parent: Visibility): Promise<Visibility> {
  const property = await properties.property('visible');
  if (!property || property.samples === 0 || !isFlag(property.header)) return parent;
  const found = new Set<number>();
  for (let stored = 0; stored < property.stored; stored++) found.add((await property.recent(stored, 1))[0]);
  if (found.size === 1) return found.has(DEFERRED) ? parent : found.has(HIDDEN) ? 'hidden' : 'visible';
  const shown = parent !== 'hidden' || [...found].some((value) => value !== HIDDEN && value !== DEFERRED);
  if (!shown) return 'hidden';
  return found.has(HIDDEN) || (found.has(DEFERRED) && parent !== 'visible') ? 'animated' : 'visible';
}
