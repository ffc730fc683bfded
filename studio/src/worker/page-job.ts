import { framesToFit } from '../../../src/fit/clips.ts';
import { mergeSequences } from '../../../src/fit/merge-sequences.ts';
import { defaultsOf, FIT_OPTIONS, FIT_PRESETS, fitPage } from '../../../src/index.ts';
import { settingRows } from '../../../src/report/sections.ts';
import { asSequence } from '../core/content/content.ts';
import type { JobTable } from './protocol.ts';

/** The report page of a fit. */
export const pageJob: JobTable['page'] = async ({ parts, fit: found, options, title }, run) => {
  const { sequence } = mergeSequences(parts.map(asSequence));
  const fitted = await framesToFit([sequence], { ...defaultsOf(FIT_OPTIONS), ...options });
  const { bytes, baseline } = found;
  const settings = settingRows(FIT_OPTIONS, options, FIT_PRESETS[options.preset ?? FIT_OPTIONS.preset.default]);
  const size = { bytes, bytesBefore: baseline.bytes, estimated: baseline.estimated };
  return fitPage({ ...found, model: found.merged, fitted }, { title, size, settings }, run);
};
