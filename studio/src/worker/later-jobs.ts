/** Jobs that not every visit asks for, as one part of the studio that loads when the first of them is. */
export { coarseJob, deformationJob } from './inspect-jobs.ts';
export { driveJob, learnJob, picturesJob } from './learn-jobs.ts';
export { pageJob } from './page-job.ts';
export { bendJob, linearizeJob, mixJob } from './rig-jobs.ts';
export { readSession, writeSession } from './session-file.ts';
