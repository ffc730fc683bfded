import { FIT_OPTIONS, FIT_PRESETS, fitPage } from '../../../src/index.ts';
import { settingRows } from '../../../src/report/sections.ts';
import { morphBaseline } from '../../../src/verbs/morph-baseline.ts';
import { fittedParts } from './fitted-parts.ts';
import type { JobTable } from './protocol.ts';

/** The report page of a fit. */
export const pageJob: JobTable['page'] = async ({ parts, fit: found, options, title }, run) => {
  const { fitted, parts: frames } = await fittedParts(parts, options);
  const { bytes: bytesBefore, estimated } = await morphBaseline(frames, {}, run);
  const settings = settingRows(FIT_OPTIONS, options, FIT_PRESETS[options.preset ?? FIT_OPTIONS.preset.default]);
  const size = { bytes: found.bytes, bytesBefore, estimated };
  return fitPage({ ...found, model: found.merged, fitted }, { title, size, settings }, run);
};
