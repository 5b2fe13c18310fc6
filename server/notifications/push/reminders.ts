import { z } from 'zod';
import { CONFIRM_FROM_MINUTES, confirmTime } from '../../../shared/rules/confirm.ts';
import { addDays, HOURS_IN_DAY, instantOf, type ServerSaveClock, serverSaveTime } from '../../../shared/rules/server-save.ts';
import { type ServerSaveSettings, serverSaveClock } from '../../board/config/clock.ts';
import { readConfig } from '../../board/records/config.ts';
import type { Tx } from '../../db/open.ts';
import { daysBefore } from '../../jobs/forgetting.ts';
import type { InsideKind, JobContext } from '../../jobs/kind.ts';
import { type Beginning, type Hunter, huntersOf } from './hunters.ts';
import type { HuntNotice } from './notice.ts';
import { storeNotices, type ToldOf } from './store.ts';

type At = 'before' | 'start';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const BEFORE_MS = CONFIRM_FROM_MINUTES * MINUTE_MS;
/** How long is remembered that an hour's hunters were reminded, in days: clocks that leap back further than that may do so again. */
const KEPT_DAYS = 2;

/** A quarter to each hour of the server-save clock: what begins then is told, or, where it has to be confirmed, that it can be now. */
export const remindBefore: InsideKind<null> = reminding('push.before', 'before');
/** At each hour's start: whoever has still to say that they are there. */
export const remindAtStart: InsideKind<null> = reminding('push.start', 'start');

function reminding(kind: string, at: At): InsideKind<null> {
  return {
    kind,
    runs: 'inside',
    payload: z.null(),
    next: (ctx) => nextTime(ctx, at),
    isNeeded: async (ctx) => {
      const hour = hourOf(ctx, at);
      return hour !== null && (await huntersOf(ctx.db, hour, at, 1)).length > 0;
    },
    run: async (ctx, tx, changes) => {
      const hour = hourOf(ctx, at);
      if (!hour || !(await isFirst(ctx, tx, hour.begins_at, at))) return undefined;
      const { grace_minutes } = await readConfig(ctx, tx);
      const hunters = await huntersOf(tx, hour, at);
      await storeNotices(
        ctx,
        tx,
        changes,
        hunters.map((hunter) => reminder(ctx, hunter, hour.begins_at, grace_minutes)),
      );
      return undefined;
    },
  };
}

/** When an hour of the clock, or the quarter before it, begins next. */
export function nextTime({ env, now }: ServerSaveSettings, at: At): Date {
  const minute = Math.floor(now().getTime() / MINUTE_MS) * MINUTE_MS;
  const { minutes_left } = serverSaveTime(now(), serverSaveClock({ env }));
  const hour = minute + minutes_left * MINUTE_MS;
  if (at === 'start') return new Date(hour);
  return new Date(hour - BEFORE_MS > now().getTime() ? hour - BEFORE_MS : hour + HOUR_MS - BEFORE_MS);
}

interface Hour {
  begins_at: Date;
  /** The hours of the server-save clock that begin then: more than one where clocks are turned. */
  beginnings: Beginning[];
}

/** The hour whose hunters are to be reminded now; null where it is too early, or too late. */
export function hourOf({ env, now }: ServerSaveSettings, at: At): Hour | null {
  const clock = serverSaveClock({ env });
  const { date, hour } = serverSaveTime(new Date(now().getTime() + (at === 'before' ? BEFORE_MS : 0)), clock);
  const begins_at = instantOf(date, hour, clock);
  // Of an hour that comes twice the first one counts, which may be over.
  const isTime = at === 'before' ? begins_at > now() : begins_at <= now() && now().getTime() < begins_at.getTime() + HOUR_MS;
  return isTime ? { begins_at, beginnings: beginningAt(begins_at, { date, hour_start: hour }, clock) } : null;
}

/** An hour that the clock jumps over begins with the one after it. */
function beginningAt(at: Date, last: Beginning, clock: ServerSaveClock): Beginning[] {
  const found = [last];
  for (let { date, hour_start } = last; ; ) {
    hour_start -= 1;
    if (hour_start < 0) [date, hour_start] = [addDays(date, -1), HOURS_IN_DAY - 1];
    if (instantOf(date, hour_start, clock).getTime() !== at.getTime()) return found;
    found.push({ date, hour_start });
  }
}

/** Notes that an hour's hunters are reminded. @returns whether they were not yet, whatever clock and server it was by */
async function isFirst({ now }: JobContext, tx: Tx, begins_at: Date, at: At): Promise<boolean> {
  const noted = await tx
    .insertInto('push_reminders')
    .values({ hour_at: begins_at.toISOString(), at })
    .onConflict((conflict) => conflict.doNothing())
    .returning('at')
    .execute();
  if (noted.length > 0) await tx.deleteFrom('push_reminders').where('hour_at', '<', daysBefore(now(), KEPT_DAYS)).execute();
  return noted.length > 0;
}

function reminder({ env }: Pick<JobContext, 'env'>, hunter: Hunter, begins_at: Date, grace_minutes: number): ToldOf {
  const { character_key, to_confirm, ...place } = hunter;
  const { closes_at } = confirmTime(place, grace_minutes, serverSaveClock({ env }));
  const as = (kind: HuntNotice['kind'], until: Date): HuntNotice => ({
    ...place,
    ...{ kind, begins_at: begins_at.toISOString(), until: until.toISOString() },
  });
  return {
    character_key,
    // One notice, not two: that it can be confirmed says that it begins.
    notice: ({ confirm_now, hunt_begins }) => {
      if (to_confirm && confirm_now) return as('confirm_now', closes_at);
      return hunt_begins ? as('hunt_begins', begins_at) : null;
    },
  };
}
