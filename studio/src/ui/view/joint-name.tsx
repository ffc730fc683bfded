import { plural } from '../../../../src/report/format.ts';
import type { PointedJoint } from '../../viewport/joints-over.ts';

/** The joint below the pointer. */
export const JointName = ({ joint: { name, vertices, x, y } }: { joint: PointedJoint }) => (
  <div class="tip" role="status" style={{ transform: `translate(${x}px, ${y}px)` }}>
    <span>
      {name} <small>{vertices > 0 ? plural(vertices, 'vertex', 'vertices') : 'moves nothing'}</small>
    </span>
  </div>
);
