import { advanceDeadline, keepDeadlines, rescheduleDeadlines } from './deadlines.ts';
import { deleteGivenUpJobs } from './job-store.ts';
import { wakeRunner } from './runner.ts';

/** Deadlines may be stored that another server's settings set. */
export const jobs = {
  name: 'jobs',
  jobs: [deleteGivenUpJobs],
  hooks: [keepDeadlines, wakeRunner],
  everyMinute: advanceDeadline,
  agreed: rescheduleDeadlines,
};
