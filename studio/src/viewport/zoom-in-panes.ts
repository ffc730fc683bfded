import type { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import { type Pane, paneAt } from '../core/view/panes.ts';

/**
 * Lets wheels, pinches and drags zoom to the place below the pointer, in whichever pane it is. Controls take their element for
 * one picture: they are told where the pointer would be if its pane were the whole of it.
 */
export function zoomInPanes(controls: OrbitControls, panes: () => readonly Pane[]): void {
  controls.zoomToCursor = true;
  // All three of them ask for this first; its types are silent about it.
  const inner = controls as unknown as { _updateZoomParameters(clientX: number, clientY: number): void };
  const aim = inner._updateZoomParameters.bind(controls);
  inner._updateZoomParameters = (clientX, clientY) => {
    const { left, top, width, height } = controls.domElement!.getBoundingClientRect();
    const [x, y] = [(clientX - left) / width, (clientY - top) / height];
    const pane = paneAt(panes(), x, y);
    aim(left + (width * (x - pane.left)) / pane.width, top + (height * (y - pane.top)) / pane.height);
  };
}
