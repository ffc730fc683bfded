import { drive, learn, linearize, mix } from '../../../src/index.ts';
import { bendJob } from './bend-job.ts';
import { coarseJob, deformationJob } from './inspect-jobs.ts';
import { pageJob } from './page-job.ts';
import { picturesJob } from './pictures-job.ts';
import type { JobTable } from './protocol.ts';
import { readSession, writeSession } from './session-file.ts';
import { verbJob } from './verb-job.ts';

/** Jobs that not every visit asks for, as one part of the studio that loads when the first of them is. */
export const LATER: Omit<JobTable, 'open' | 'sample' | 'fit' | 'glb'> = {
  drive: verbJob<'drive'>(drive),
  learn: verbJob<'learn'>(learn),
  linearize: verbJob<'linearize'>(linearize),
  mix: verbJob<'mix'>(mix),
  bend: bendJob,
  coarse: coarseJob,
  deformation: deformationJob,
  page: pageJob,
  pictures: picturesJob,
  save: writeSession,
  load: ({ file, name }, run) => readSession(file, name, run),
};
