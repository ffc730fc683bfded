// The difference between linear blending and dual quaternions over a clip: every error measure.
import { makeSample, posedSequence } from 'pliant';
import { measureSequences } from 'pliant/measure';

const { model } = await makeSample('figure');
if (!model) throw new Error('the figure is a rig');

const dqs = posedSequence(model, 'exercise', { operator: 'dqs' });
const lbs = posedSequence(model, 'exercise', { operator: 'lbs' });
const { perFrame, report } = await measureSequences(dqs, lbs);

for (const [name, value] of Object.entries(report.figures)) console.log(`${name}: ${value?.toPrecision(4)}`);
const worst = perFrame.rmsePercent?.indexOf(Math.max(...perFrame.rmsePercent));
console.log(`the frame with the largest RMSE is ${worst}`);
