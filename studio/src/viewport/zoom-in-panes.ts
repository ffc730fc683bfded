import type { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import { type Pane, paneAt } from '../core/view/panes.ts';

/**
 * Lets wheel, pinch and drag zoom to the pointer in any pane. Controls treat their element as one picture, so they are told
 * where the pointer would be if its pane filled the element.
 */
export function zoomInPanes(controls: OrbitControls, panes: () => readonly Pane[]): void {
  controls.zoomToCursor = true;
  // A private method that all three call first.
  const inner = controls as unknown as { _updateZoomParameters(clientX: number, clientY: number): void };
  const aim = inner._updateZoomParameters.bind(controls);
  inner._updateZoomParameters = (clientX, clientY) => {
    const { left, top, width, height } = controls.domElement!.getBoundingClientRect();
    const [x, y] = [(clientX - left) / width, (clientY - top) / height];
    const pane = paneAt(panes(), x, y);
    aim(left + (width * (x - pane.left)) / pane.width, top + (height * (y - pane.top)) / pane.height);
  };
}
