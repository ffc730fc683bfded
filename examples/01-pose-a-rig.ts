// A box twisted by 180°: linear blending collapses it in the middle, dual quaternions keep its volume.
import { clipFrame, clipFrameCount, Skinner, sample } from 'pliant';
import { signedVolume } from 'pliant/measure';

const [model] = (await sample('box')).models;
const [clip] = model.clips;
const last = clipFrame(clip, clipFrameCount(clip) - 1);
console.log(`at rest  ${signedVolume(model.mesh.positions, model.mesh.triangles).toFixed(4)} m³`);

for (const operator of ['lbs', 'dqs'] as const) {
  const skinner = new Skinner(model, { operator });
  const { positions } = skinner.pose(last);
  console.log(`${operator}      ${signedVolume(positions, model.mesh.triangles).toFixed(4)} m³`);
  skinner.dispose();
}
