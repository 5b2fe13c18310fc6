import { sql } from 'kysely';
import { z } from 'zod';
import { CONFIRM_FROM_MINUTES, confirmTime } from '../../../shared/rules/confirm.ts';
import {
  addDays,
  HOURS_IN_DAY,
  instantOf,
  type ServerSaveClock,
  serverSaveTime,
} from '../../../shared/rules/server-save.ts';
import { type ServerSaveContext, serverSaveClock } from '../../db/clock/server-save-clock.ts';
import { BATCH_SIZE, type Db, type Tx } from '../../db/database.ts';
import { deleteOld, type InsideKind, type JobContext } from '../../jobs/job-kind.ts';
import { characterKeys, type Medium, type NoticeContext } from './medium.ts';
import type { HuntNotice } from './notice.ts';
import { type NoticeFor, scheduleNotices } from './schedule.ts';

type ReminderTime = 'before' | 'start';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const BEFORE_MS = CONFIRM_FROM_MINUTES * MINUTE_MS;
/** An hour's reminders are not repeated for this long, even if the clock jumps back. */
const KEPT_DAYS = 2;

/** 15 minutes before each server-save hour: hunts that begin then, or, if they must be confirmed, that they can be now. */
export const remindBefore: InsideKind<null, ReminderContext> = reminding('push.before', 'before');
/** At the start of each server-save hour: claims that are still to be confirmed. */
export const remindAtStart: InsideKind<null, ReminderContext> = reminding('push.start', 'start');

interface ReminderContext extends JobContext, NoticeContext {}

function reminding(kind: string, at: ReminderTime): InsideKind<null, ReminderContext> {
  return {
    kind,
    runs: 'inside',
    payload: z.null(),
    next: (ctx) => nextTime(ctx, at),
    isNeeded: async (ctx) => {
      const hour = hourOf(ctx, at);
      return (
        hour !== null && (await findHunts(ctx.media, ctx.db, { ...hour, at, most: 1 })).length > 0
      );
    },
    run: async (unit) => {
      const { ctx, tx } = unit;
      const hour = hourOf(ctx, at);
      if (!hour || !(await isFirst(tx, hour.begins_at, at))) return undefined;
      const { grace_minutes } = await tx
        .selectFrom('config')
        .select('grace_minutes')
        .executeTakeFirstOrThrow();
      const hunts = await findHunts(ctx.media, tx, { ...hour, at });
      const facts = { begins_at: hour.begins_at, grace_minutes, clock: serverSaveClock(ctx) };
      await scheduleNotices(
        unit,
        hunts.map((hunt) => reminder(hunt, facts)),
      );
      return undefined;
    },
  };
}

/** When the next server-save hour, or the 15 minutes before it, begins. */
export function nextTime(ctx: ServerSaveContext, at: ReminderTime): Date {
  const { now } = ctx;
  const minute = Math.floor(now().getTime() / MINUTE_MS) * MINUTE_MS;
  const { minutes_left } = serverSaveTime(now(), serverSaveClock(ctx));
  const hour = minute + minutes_left * MINUTE_MS;
  if (at === 'start') return new Date(hour);
  return new Date(
    hour - BEFORE_MS > now().getTime() ? hour - BEFORE_MS : hour + HOUR_MS - BEFORE_MS,
  );
}

interface Beginning {
  date: string;
  hour_start: number;
}

interface Hour {
  begins_at: Date;
  /** The server-save hours that begin then: more than one when the clocks go forward. */
  beginnings: Beginning[];
}

/** The hour to send reminders for now; null if it is too early or too late. */
export function hourOf(ctx: ServerSaveContext, at: ReminderTime): Hour | null {
  const { now } = ctx;
  const clock = serverSaveClock(ctx);
  const { date, hour } = serverSaveTime(
    new Date(now().getTime() + (at === 'before' ? BEFORE_MS : 0)),
    clock,
  );
  const begins_at = instantOf(date, hour, clock);
  // When the clocks go back, only the first of the two equal hours counts, and it may have ended.
  const isTime =
    at === 'before'
      ? begins_at > now()
      : begins_at <= now() && now().getTime() < begins_at.getTime() + HOUR_MS;
  return isTime
    ? { begins_at, beginnings: beginningsAt(begins_at, { date, hour_start: hour }, clock) }
    : null;
}

/** An hour that the clocks skip begins at the same instant as the one after it. */
function beginningsAt(at: Date, last: Beginning, clock: ServerSaveClock): Beginning[] {
  const found = [last];
  for (let { date, hour_start } = last; ; ) {
    hour_start -= 1;
    if (hour_start < 0) {
      date = addDays(date, -1);
      hour_start = HOURS_IN_DAY - 1;
    }
    if (instantOf(date, hour_start, clock).getTime() !== at.getTime()) return found;
    found.push({ date, hour_start });
  }
}

/** Notes that the reminders of an hour are scheduled. @returns false if any server has done so before */
async function isFirst(tx: Tx, begins_at: Date, at: ReminderTime): Promise<boolean> {
  const inserted = await tx
    .insertInto('push_reminders')
    .values({ hour_at: begins_at.toISOString(), reminder: at })
    .onConflict((conflict) => conflict.doNothing())
    .returning('reminder')
    .execute();
  return inserted.length > 0;
}

export const forgetReminders = deleteOld({
  kind: 'push.forget-reminders',
  table: 'push_reminders',
  column: 'hour_at',
  key: 'hour_at',
  kept_days: KEPT_DAYS,
});

interface HourFacts {
  begins_at: Date;
  grace_minutes: number;
  clock: ServerSaveClock;
}

function reminder(hunt: Hunt, { begins_at, grace_minutes, clock }: HourFacts): NoticeFor {
  const { character_key, to_confirm, ...place } = hunt;
  const { closes_at } = confirmTime(place, grace_minutes, clock);
  const as = (kind: HuntNotice['kind'], until: Date): HuntNotice => ({
    ...place,
    kind,
    begins_at: begins_at.toISOString(),
    until: until.toISOString(),
  });
  return {
    character_key,
    // One notification, not two.
    notice: ({ confirm_now, hunt_begins }) => {
      if (to_confirm && confirm_now) return as('confirm_now', closes_at);
      return hunt_begins ? as('hunt_begins', begins_at) : null;
    },
  };
}

/** A part of a claim whose member can be notified. */
interface Hunt extends Beginning {
  character_key: string;
  character_name: string;
  claim_id: number;
  part_number: number;
  respawn_name: string;
  hour_end: number;
  to_confirm: boolean;
}

type HuntsWanted = Pick<Hour, 'beginnings'> & {
  at: ReminderTime;
  /** Stop once this many are found. */
  most?: number;
};

/**
 * Parts of claims that start in an hour; at the start only those to confirm. Neither holds nor secondary claims. Only members who can
 * be notified are looked up: they are few, however many claims there are.
 */
async function findHunts(
  media: readonly Medium[],
  db: Db | Tx,
  { beginnings, at, most = Number.POSITIVE_INFINITY }: HuntsWanted,
): Promise<Hunt[]> {
  const found: Hunt[] = [];
  for (let after: string | undefined = ''; after !== undefined && media.length > 0; ) {
    const keys = await notifiedKeys(media, db, after);
    for (const beginning of keys.length > 0 ? beginnings : [])
      found.push(...(await huntsOf(db, keys, { ...beginning, at })));
    after = found.length < most ? keys[BATCH_SIZE - 1] : undefined;
  }
  return found;
}

const notifiedKeys = async (
  media: readonly Medium[],
  db: Db | Tx,
  after: string,
): Promise<string[]> => {
  const { rows } = await sql<{ character_key: string }>`
    ${characterKeys(media, after)} order by character_key limit ${BATCH_SIZE}`.execute(db);
  return rows.map(({ character_key }) => character_key);
};

async function huntsOf(
  db: Db | Tx,
  keys: readonly string[],
  { date, hour_start, at }: Beginning & { at: ReminderTime },
): Promise<Hunt[]> {
  const rows = await db
    .selectFrom('occupied_days')
    .innerJoin('claims', 'claims.id', 'occupied_days.claim_id')
    .innerJoin('claim_parts', 'claim_parts.claim_id', 'claims.id')
    .innerJoin('respawns', 'respawns.id', 'claim_parts.respawn_id')
    .select([
      'claims.character_key',
      'claims.character_name',
      'claims.id as claim_id',
      'part_number',
      'hour_start',
      'hour_end',
      'to_confirm',
    ])
    .select('respawns.name as respawn_name')
    .where('occupied_days.character_key', 'in', keys)
    .where('occupied_days.date', '=', date)
    .where('hour_start', '=', hour_start)
    .where('held_until', 'is', null)
    .where(({ eb }) => (at === 'start' ? eb('to_confirm', '=', 1) : eb.lit(true)))
    .orderBy('claims.id')
    .execute();
  return rows.map(({ to_confirm, ...row }) => ({ ...row, date, to_confirm: to_confirm === 1 }));
}
