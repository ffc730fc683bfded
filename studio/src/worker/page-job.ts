import { FIT_OPTIONS, FIT_PRESETS, fitPage } from '../../../src/index.ts';
import { settingRows } from '../../../src/report/sections.ts';
import { fittedParts } from './fitted-parts.ts';
import type { JobTable } from './protocol.ts';

/** The report page of a fit. */
export const pageJob: JobTable['page'] = async ({ parts, fit: found, options, title }, run) => {
  const { fitted } = await fittedParts(parts, options);
  const { bytes, baseline } = found;
  const settings = settingRows(FIT_OPTIONS, options, FIT_PRESETS[options.preset ?? FIT_OPTIONS.preset.default]);
  const size = { bytes, bytesBefore: baseline.bytes, estimated: baseline.estimated };
  return fitPage({ ...found, model: found.merged, fitted }, { title, size, settings }, run);
};
