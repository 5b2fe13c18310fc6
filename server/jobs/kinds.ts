import { forgetEntries, forgetUndos } from '../activity/retention.ts';
import { forgetSessions } from '../auth/forget.ts';
import { archiveOld } from '../board/archive/move.ts';
import { forgetAnswers } from '../board/claims/idempotency.ts';
import { dayTurn } from '../board/config/day.ts';
import { cutHolds } from '../board/waitlist/cut-holds.ts';
import { forgetCodes } from '../members/verification/codes.ts';
import { notificationJobs } from '../notifications/register.ts';
import { makeBackup } from '../ops/backup/job.ts';
import { endsByItself } from './deadlines/job.ts';
import { forgetJobs } from './forget.ts';
import type { JobKind } from './kind.ts';

/**
 * Everything that can be due later. A job of a kind that is not among them was stored by a newer version, and is left to it;
 * so a kind that goes stays here, running nothing, for as long as some may be stored.
 */
export const jobKinds: readonly JobKind<unknown>[] = [
  dayTurn,
  endsByItself,
  ...notificationJobs,
  archiveOld,
  forgetEntries,
  forgetUndos,
  forgetSessions,
  forgetCodes,
  forgetAnswers,
  forgetJobs,
  cutHolds,
  makeBackup,
];
