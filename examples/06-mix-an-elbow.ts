// In a bent elbow linear blending loses volume and dual quaternions fold. Solves for the best mix of both.
import { mix, sample } from 'pliant';

const [model] = (await sample('figure', { resolution: 3000 })).models;
// The mix is a vertex attribute of the GLB: Pliant's operators and `pliant/three` read it.
const { parts, file } = await mix(model, {
  joints: ['foreArm.L'],
  axis: 'x',
  toAngle: (150 * Math.PI) / 180,
  glb: {},
});

const [{ rivals, solved }] = parts;
for (const { name, totalErrorPercent = 0, inverted } of [...rivals, solved]) {
  console.log(`${name.padEnd(8)} volume off by ${totalErrorPercent.toFixed(3)} %, ${inverted} faces turned over`);
}
// The mix is a vertex attribute that Pliant's operators and `pliant/three` read.
console.log(`${file?.length} bytes`);
