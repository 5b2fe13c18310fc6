import { forgetEntries, forgetUndos } from '../activity/forget.ts';
import { archiveOld } from '../archive/move.ts';
import { makeBackup } from '../backup/job.ts';
import { forgetCodes } from '../characters/forget-codes.ts';
import { forgetAnswers } from '../claims/forget-answers.ts';
import { dayTurn } from '../config/day.ts';
import { sendNews } from '../destinations/send.ts';
import { endsByItself } from '../due/job.ts';
import { forgetNews } from '../news/forget.ts';
import { remindAtStart, remindBefore } from '../push/reminders.ts';
import { sendPush } from '../push/send.ts';
import { forgetSessions } from '../session/forget.ts';
import { cutHolds } from '../waits/cut-holds.ts';
import { forgetJobs } from './forget.ts';
import type { JobKind } from './kind.ts';

/**
 * Everything that can be due later. A job of a kind that is not among them was stored by a newer version, and is left to it;
 * so a kind that goes stays here, running nothing, for as long as some may be stored.
 */
export const jobKinds: readonly JobKind<unknown>[] = [
  dayTurn,
  endsByItself,
  sendPush,
  remindBefore,
  remindAtStart,
  archiveOld,
  forgetEntries,
  forgetUndos,
  forgetSessions,
  forgetCodes,
  forgetAnswers,
  forgetJobs,
  sendNews,
  forgetNews,
  cutHolds,
  makeBackup,
];
