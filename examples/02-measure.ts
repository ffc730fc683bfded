// The difference between linear blending and dual quaternions over a clip: every error measure.
import { measure, sample, skin } from 'pliant';

const [model] = (await sample('figure', { resolution: 2500, frames: 12 })).models;

const dqs = await skin(model, { clip: 'exercise', operator: 'dqs' });
const lbs = await skin(model, { clip: 'exercise', operator: 'lbs' });
const { report } = await measure([dqs.sequences[0], lbs.sequences[0]]);

for (const [name, value] of Object.entries(report.figures)) console.log(`${name}: ${value?.toPrecision(4)}`);
const { rmsePercent } = report.detail.perFrame;
const worst = rmsePercent?.indexOf(Math.max(...rmsePercent));
console.log(`the frame with the largest RMSE is ${worst}`);
