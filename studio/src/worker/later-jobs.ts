import { drive, fit, learn, linearize, mix } from '../../../src/index.ts';
import { bakeJob } from './bake-job.ts';
import { bendJob } from './bend-job.ts';
import { clothFileJob } from './cloth-file-job.ts';
import { clothPlayJob, clothTrainJob } from './cloth-train-jobs.ts';
import { glbJob } from './glb-job.ts';
import { coarseJob, deformationJob } from './inspect-jobs.ts';
import { levelsJob } from './levels-job.ts';
import { lightBakeJob, lightTraceJob, skyJob } from './light-jobs.ts';
import { loadSession } from './load-session.ts';
import { pageJob } from './page-job.ts';
import { picturesJob } from './pictures-job.ts';
import type { JobTable } from './protocol.ts';
import { sequenceFileJob } from './sequence-file-job.ts';
import { verbJob } from './verb-job.ts';

/** Jobs that are not needed for the first picture: one script, loaded on demand. */
export const LATER: Omit<JobTable, 'open' | 'sample' | 'thumb' | 'save'> = {
  fit: verbJob<'fit'>(fit),
  glb: glbJob,
  drive: verbJob<'drive'>(drive),
  learn: verbJob<'learn'>(learn),
  linearize: verbJob<'linearize'>(linearize),
  mix: verbJob<'mix'>(mix),
  clothFile: clothFileJob,
  clothTrain: clothTrainJob,
  clothPlay: clothPlayJob,
  bake: bakeJob,
  bend: bendJob,
  coarse: coarseJob,
  deformation: deformationJob,
  levels: levelsJob,
  lightBake: lightBakeJob,
  lightTrace: lightTraceJob,
  sky: skyJob,
  page: pageJob,
  pictures: picturesJob,
  sequenceFile: sequenceFileJob,
  load: loadSession,
};
