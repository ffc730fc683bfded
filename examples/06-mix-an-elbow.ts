// In a bent elbow linear blending loses volume and dual quaternions fold. Solves for the best mix of both.
import { makeSample, mix, writeModelGlb } from 'pliant';
import { flexionClip } from 'pliant/skin';

const { model } = await makeSample('figure', { resolution: 3000 });
if (!model) throw new Error('the figure is a rig');

const bend = flexionClip(model, 'foreArm.L', { axis: 'x', toAngle: (150 * Math.PI) / 180 });
const { model: mixed, solved, rivals } = await mix(model, { given: { motions: [bend] } });

for (const { name, totalErrorPercent = 0, inverted } of [...rivals, solved]) {
  console.log(`${name.padEnd(8)} volume off by ${totalErrorPercent.toFixed(3)} %, ${inverted} faces turned over`);
}
// The mix is a vertex attribute that Pliant's operators and `pliant/three` read.
const { bytes } = await writeModelGlb(mixed);
console.log(`${bytes.length} bytes`);
