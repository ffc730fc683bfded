import { bodiesOf, replaceRanges, words } from './edit-source.mjs';

/** What charts of curves over numbers never call: logarithms, bars, steps, splines, bands, legends, joined tables. */
const UNUSED = words(`
  rangeLog rangeAsinh logAxisSplits asinhAxisSplits log10AxisValsFilt log2AxisValsFilt snapLogY snapAsinhY
  bars stepped splineInterp _monotoneCubic clipBandLine initLegendRow delSeries join
`);

/** uPlot without the kinds of charts that the studio does not draw. */
export const leanPlot = () => ({
  name: 'lean-plot',
  enforce: 'pre',
  transform(code, id) {
    if (!id.endsWith('uPlot.esm.js')) return undefined;
    return replaceRanges(code, bodiesOf(this.parse(code), UNUSED, id));
  },
});
