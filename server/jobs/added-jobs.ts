import { defineCollector } from '../db/change-set.ts';
import type { WriteHook } from '../db/unit-of-work.ts';
import type { JobBell } from './bell.ts';

/** When the jobs are due that a write stored. */
export const addedJobs = defineCollector(
  (): string[] => [],
  (due) => {
    const { length } = due;
    return () => {
      due.length = length;
    };
  },
);

/** Wakes this process's job runner after the commit. */
export const wakeJobs = (jobs: Pick<JobBell, 'ring'>): WriteHook => ({
  committed: (changes) => {
    for (const at of changes.collect(addedJobs)) jobs.ring(at);
  },
});
