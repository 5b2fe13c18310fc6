import { activityRecords, storeActivity } from './activity/log.ts';
import { forgetEntries, forgetUndos } from './activity/retention.ts';
import { expiredInvitations } from './auth/admins.ts';
import { expiredSessions } from './auth/sessions.ts';
import { archiveOld } from './board/archive/move.ts';
import { claimRecords, claimsOffBoard, occupancyRecords } from './board/claims/board-view.ts';
import { noShowDeadlines } from './board/claims/confirm.ts';
import { forgetAnswers } from './board/claims/idempotency.ts';
import { correctBoardDate, dayTurn, moveBoardDay } from './board/config/day.ts';
import { endTransfersOfGone, transfersExpire } from './board/end-transfers.ts';
import { eventTemplateRecords } from './board/event-copy/templates.ts';
import { configRecords, eventRecords } from './board/records/guild.ts';
import { memberTypeRecords } from './board/records/members.ts';
import { categoryRecords, respawnRecords } from './board/records/respawns.ts';
import { forgetTransfers, openTransfersOf, transferRecords } from './board/records/transfers.ts';
import { forgetStars, noteUnusedStars, starsOf } from './board/respawns/stars.ts';
import { forgetOutcomes, forgetRules } from './board/standing/end-rules.ts';
import { followKeysAndSpots, makeStandingClaims } from './board/standing/make-job.ts';
import { standingOf, standingRecords } from './board/standing/rules-store.ts';
import {
  entriesDue,
  holdsDue,
  quietHoursDue,
  restartOverlongHolds,
} from './board/waitlist/deadlines.ts';
import {
  createFreedHours,
  type FreedHours,
  offerFreedHours,
} from './board/waitlist/freed-hours.ts';
import { waitRecords } from './board/waitlist/waitlist-store.ts';
import type { Heartbeats } from './db/clock/heartbeats.ts';
import type { PulseTasks } from './db/clock/pulse.ts';
import type { Reading } from './db/database.ts';
import type { WriteHook, Writing } from './db/unit-of-work.ts';
import type { Env } from './env.ts';
import {
  advanceDeadline,
  createDeadlines,
  type DeadlineOptions,
  type Deadlines,
  keepDeadlines,
  rescheduleDeadlines,
} from './jobs/deadlines.ts';
import { deleteOld, type JobKind } from './jobs/job-kind.ts';
import { deleteGivenUpJobs } from './jobs/job-store.ts';
import type { OwnSources } from './live/own-records.ts';
import type { RecordSources } from './live/record-kinds.ts';
import { accessKeyRecords, verifiedCodeRecords } from './members/records.ts';
import { forgetCodes } from './members/verification/codes.ts';
import { destinationRecords } from './notifications/channels/channel.ts';
import { type Outbox, storeDomainEvents } from './notifications/outbox.ts';
import { notificationJobs } from './notifications/register.ts';
import { makeBackup } from './ops/backup/make-backup.ts';

/** How the server reads the records of every kind in `shared/kinds.ts`. */
export const RECORD_SOURCES: RecordSources = {
  claim: claimRecords,
  respawn: respawnRecords,
  category: categoryRecords,
  member_type: memberTypeRecords,
  event: eventRecords,
  config: configRecords,
  wait: waitRecords,
  occupancy: occupancyRecords,
  transfer: transferRecords,
  access_key: accessKeyRecords,
  verified_code: verifiedCodeRecords,
  activity: activityRecords,
  destination: destinationRecords,
  event_template: eventTemplateRecords,
  standing_claim: standingRecords,
};

/** How the server reads what members see only their own of. */
export const ownSources = (ctx: Reading): OwnSources => ({
  standing_claim: standingOf,
  transfer: openTransfersOf,
  stars: starsOf,
  claims: (db, character_key) => claimsOffBoard(ctx, db, character_key),
});

/**
 * Everything that can be due later. A job of a kind that is not among them was stored by a newer version, and is left to it;
 * so a kind that goes stays here, running nothing, for as long as some may be stored.
 */
export const jobKinds: readonly JobKind<unknown>[] = [
  dayTurn,
  makeStandingClaims,
  ...notificationJobs,
  archiveOld,
  forgetEntries,
  forgetUndos,
  deleteOld(expiredSessions),
  deleteOld(expiredInvitations),
  forgetCodes,
  forgetAnswers,
  forgetTransfers,
  forgetRules,
  noteUnusedStars,
  forgetStars,
  forgetOutcomes,
  deleteGivenUpJobs,
  restartOverlongHolds,
  makeBackup,
];

interface DeadlineSettings extends Omit<DeadlineOptions, 'sources'> {
  env: Env;
  heartbeats: Heartbeats;
}

/** What expires items and offers the hours that they free. */
export interface Expiry {
  deadlines: Deadlines;
  freedHours: FreedHours;
}

/** Each kind of deadline. */
export function deadlinesOf({ env, heartbeats, backOff, isInCharge }: DeadlineSettings): Expiry {
  const freedHours = createFreedHours({ backOff, isInCharge });
  const sources = [
    noShowDeadlines(env),
    holdsDue,
    entriesDue(env, heartbeats),
    quietHoursDue,
    freedHours.retries,
    transfersExpire(heartbeats),
  ];
  return { freedHours, deadlines: createDeadlines({ sources, backOff, isInCharge }) };
}

/** What features do in every write: in this order before it, in reverse order after it. */
export const writeHooks = (ctx: Writing & Expiry & { outbox: Outbox }): WriteHook[] => [
  storeActivity(ctx),
  storeDomainEvents(ctx.outbox),
  moveBoardDay(ctx, () => ctx.deadlines.isInCharge()),
  keepDeadlines(ctx),
  offerFreedHours(ctx),
  endTransfersOfGone(ctx),
  followKeysAndSpots(ctx),
];

/** What features do with the server's pulse. Deadlines may be stored that another server's settings set. */
export const pulseTasks = (ctx: Writing & Expiry): PulseTasks => ({
  agreed: () => rescheduleDeadlines(ctx),
  everyMinute: async () => {
    await correctBoardDate(ctx);
    await advanceDeadline(ctx);
  },
});
