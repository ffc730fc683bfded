import type { Doc } from '../doc.ts';
import type { LightContent } from '../view/panes.ts';
import { LIGHT_WAYS, type LightWay } from './light-work.ts';

/** The pane of a way of light, and back. */
const lightPane = (way: LightWay): LightContent => `light-${way}`;
export const wayOf = (content: LightContent): LightWay => LIGHT_WAYS.find((way) => lightPane(way) === content)!;

/** What is shown of light; undefined if another panel is open. */
export function lightPanes({ panel, light, rig }: Doc): readonly LightContent[] | undefined {
  if (panel.value !== 'light' || rig.rigs.length === 0) return undefined;
  const { value: look } = light.look;
  const { value: ways } = light.ways;
  if (look === 'side') return ways.map(lightPane);
  return [lightPane(ways.includes(look) ? look : 'base')];
}

const NAMES: Record<LightWay, string> = {
  unshadowed: 'Unshadowed',
  base: 'Spheres',
  baked: 'Baked',
  traced: 'Traced',
};

/** With the error of each in this pose, where it is known. */
export function lightPaneNames({ light }: Doc): Record<LightContent, string> {
  const errors = light.errors.value;
  const progress = light.traced.progress.value;
  const named = LIGHT_WAYS.map((way): [LightContent, string] => {
    const percent = errors?.[way];
    const more = percent !== undefined ? `: ${percent.toFixed(1)} % off` : way === 'traced' && progress ? ' …' : '';
    return [lightPane(way), `${NAMES[way]}${more}`];
  });
  return Object.fromEntries(named) as Record<LightContent, string>;
}
