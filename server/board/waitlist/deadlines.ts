import { z } from 'zod';
import { holdLasts } from '../../../shared/rules/holds.ts';
import type { MissedPause } from '../../../shared/rules/missed-claims.ts';
import { type QuietHours, quietUntil } from '../../../shared/rules/quiet-hours.ts';
import {
  instantOf,
  type ServerSaveClock,
  serverSaveTime,
} from '../../../shared/rules/server-save.ts';
import type { Claim } from '../../../shared/schemas/claim.ts';
import { SETTINGS } from '../../../shared/settings.ts';
import { serverSaveClock } from '../../db/clock/server-save-clock.ts';
import { type Db, inBatches, readByIds, type Tx } from '../../db/database.ts';
import { type DeadlineSource, MANY_CHANGES, type Unit } from '../../db/unit-of-work.ts';
import { deadlineMoved } from '../../jobs/deadlines.ts';
import { type InsideKind, nextHour } from '../../jobs/job-kind.ts';
import { loadDatedClaims } from '../claims/claim-records.ts';
import { beginClaimWrite, claimsChanged } from '../claims/claims-changed.ts';
import { freedHours } from '../freed-hours.ts';
import { readConfig } from '../records/guild.ts';
import { endEntries } from './entries.ts';
import {
  entriesFrom,
  entriesUntil,
  entriesWithExpiredHold,
  firstToEnd,
  holdsEndingAfter,
  holdsMadeAt,
  type StoredEntry,
  WAIT_COLUMNS,
} from './waitlist-store.ts';

/** R9.8: expires holds. If no server was up during all of a hold, or the clock jumped meanwhile, restarts it instead. */
export const holdsDue: DeadlineSource = {
  name: 'holds',
  needsNoSettings: true,
  earliest: async (_ctx, db) => {
    const first = await db
      .selectFrom('waits')
      .select('held_until')
      .where('ended_at', 'is', null)
      .where('held_until', 'is not', null)
      .orderBy('held_until')
      .limit(1)
      .executeTakeFirst();
    return first?.held_until ?? null;
  },
  expire: async (unit, until) => {
    const { ctx, tx } = unit;
    const uptime = await ctx.heartbeats.uptime(tx);
    const waits = await entriesWithExpiredHold(tx, until);
    const madeAt = await holdsMadeAt(tx, waits);
    const { expired = [], unanswerable = [] } = Object.groupBy(
      waits,
      ({ held_until, held_claim_id }) => {
        const made_at = madeAt.get(held_claim_id ?? 0);
        const isUnanswerable =
          made_at !== undefined &&
          !uptime.wasUpDuring(new Date(made_at), new Date(held_until ?? until));
        return isUnanswerable ? 'unanswerable' : 'expired';
      },
    );
    await endEntries(unit, expired, { status: 'lapsed' });
    await restartHolds(
      unit,
      unanswerable.map(({ id }) => id),
    );
  },
};

const endOf = (
  { date, hour_end }: Pick<StoredEntry, 'date' | 'hour_end'>,
  clock: ServerSaveClock,
): Date => instantOf(date, hour_end, clock);

/** R9.9: voids waitlist entries whose last hour is over. After a clock jump, wait an hour before voiding entries. */
export const entriesDue: DeadlineSource = {
  name: 'waits',
  earliest: async (ctx, db) => {
    const clock = serverSaveClock(ctx);
    const first = await firstToEnd(db);
    if (!first) return null;
    const { steadySince, trustsPast } = await ctx.heartbeats.uptime(db);
    const end = endOf(first, clock);
    const at = trustsPast(end);
    if (steadySince === null || end >= steadySince) return at.toISOString();
    const next = (await entriesFrom(db, serverSaveTime(steadySince, clock).date))
      .map((entry) => endOf(entry, clock))
      .find((each) => each >= steadySince);
    return (next && next < at ? next : at).toISOString();
  },
  expire: async (unit, until) => {
    const { ctx, tx } = unit;
    const moment = new Date(until);
    const clock = serverSaveClock(ctx);
    const waits = await entriesUntil(tx, serverSaveTime(moment, clock).date);
    const { trustsPast } = await ctx.heartbeats.uptime(tx);
    const over = waits.filter((wait) => trustsPast(endOf(wait, clock)) <= moment);
    await endEntries(unit, over, { status: 'void' });
  },
};

/** R9.13, R9.29: entries that are skipped because of their character's quiet hours or missed claims. */
export class SkippedEntries {
  readonly #until: (wait: StoredEntry) => Promise<Date | null>;
  readonly #found: { wait: StoredEntry; until: string }[] = [];

  /** @param waits all entries that may get an offer; their quiet hours are read in one statement, when first needed */
  constructor(tx: Tx, waits: readonly StoredEntry[], now: Date) {
    const keys = new Set(
      waits.flatMap(({ status, character_key }) => (status === 'waiting' ? [character_key] : [])),
    );
    let read: ReturnType<typeof quietHoursOf> | null = null;
    this.#until = async ({ character_key }) => {
      read ??= quietHoursOf(tx, keys);
      const hours = (await read).get(character_key);
      return hours ? quietUntil(now, hours) : null;
    };
  }

  async isQuiet(wait: StoredEntry): Promise<boolean> {
    const until = await this.#until(wait);
    if (until) this.#found.push({ wait, until: until.toISOString() });
    return until !== null;
  }

  /** Those that an admin added are not: the admin can accept for the member. */
  isPaused(wait: StoredEntry, pause: MissedPause | undefined): boolean {
    if (!pause || wait.is_by_admin) return false;
    this.#found.push({ wait, until: pause.until });
    return true;
  }

  /** Stores when to check their waitlists again. */
  async note(unit: Unit): Promise<void> {
    const changed = this.#found.filter(({ wait, until }) => wait.quiet_until !== until);
    if (changed.length === 0) return;
    for (const [quiet_until, some] of Map.groupBy(changed, ({ until }) => until)) {
      const ids = some.map(({ wait }) => wait.id);
      await readByIds(ids, (few) =>
        unit.tx
          .updateTable('waits')
          .set({ quiet_until })
          .where('id', 'in', few)
          .returning('id')
          .execute(),
      );
    }
    deadlineMoved(unit);
  }
}

/** R9.13, R9.29: checks waitlists again when quiet hours end, or the pause of a character that missed claims. */
export const quietHoursDue: DeadlineSource = {
  name: 'quiet hours',
  earliest: async (_ctx, db) => {
    const first = await skippedEntries(db)
      .select('quiet_until')
      .orderBy('quiet_until')
      .limit(1)
      .executeTakeFirst();
    return first?.quiet_until ?? null;
  },
  expire: async ({ tx, changes }, until) => {
    const over = await tx
      .updateTable('waits')
      .set({ quiet_until: null })
      .where('ended_at', 'is', null)
      .where('quiet_until', 'is not', null)
      .where('quiet_until', '<=', until)
      .returning(['respawn_id', 'date'])
      .execute();
    for (const { respawn_id, date } of over) changes.collect(freedHours).at(respawn_id, date);
  },
};

export const isSkippedForQuietHours = async (
  db: Db | Tx,
  character_key: string,
): Promise<boolean> =>
  (await skippedEntries(db)
    .select('id')
    .where('character_key', '=', character_key)
    .limit(1)
    .executeTakeFirst()) !== undefined;

/** Call after a character's quiet hours changed: its waitlists are checked after the write. */
export async function recheckQuietHours(unit: Unit, character_key: string): Promise<void> {
  await unit.tx
    .updateTable('waits')
    .set({ quiet_until: null })
    .where('character_key', '=', character_key)
    .where('ended_at', 'is', null)
    .execute();
  unit.changes.collect(freedHours).of(character_key);
  deadlineMoved(unit);
}

const skippedEntries = (db: Db | Tx) =>
  db.selectFrom('waits').where('ended_at', 'is', null).where('quiet_until', 'is not', null);

/**
 * R9.7: gives holds the duration of a new one, from now on. The claim's `created_at` moves, too: a hold expires only if a server was
 * up since then.
 * @param ids entries with an offer
 */
async function restartHolds(unit: Unit, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  const { ctx, tx, changes } = unit;
  const now = ctx.now();
  const clock = serverSaveClock(ctx);
  const { hold_minutes } = await readConfig(ctx, tx);
  const held = await readByIds(ids, (some) =>
    tx
      .selectFrom('waits')
      .innerJoin('claim_parts', 'claim_parts.claim_id', 'waits.held_claim_id')
      .select([
        'waits.id',
        'waits.date',
        'claim_parts.claim_id',
        'claim_parts.hour_start',
        'claim_parts.hour_end',
      ])
      .where('waits.id', 'in', some)
      .execute(),
  );
  const heldUntil = ({ date, hour_start, hour_end }: (typeof held)[number]): string => {
    const start = instantOf(date, hour_start, clock);
    const end = instantOf(date, hour_end, clock);
    // If the hours seem to be over, the clock may be ahead: don't shorten the hold.
    const lasts_ms =
      end <= now ? hold_minutes * 60_000 : holdLasts(hold_minutes, now, { start, end });
    return new Date(now.getTime() + lasts_ms).toISOString();
  };
  const before = await loadDatedClaims(tx, {
    type: 'ids',
    ids: held.map(({ claim_id }) => claim_id),
  });
  const restarted = new Map<number, Pick<Claim, 'held_until' | 'created_at'>>();
  const waits = [];
  for (const [held_until, together] of Map.groupBy(held, heldUntil)) {
    const wait_ids = together.map(({ id }) => id);
    const claim_ids = together.map(({ claim_id }) => claim_id);
    waits.push(
      ...(await readByIds(wait_ids, (some) =>
        tx
          .updateTable('waits')
          .set({ held_until })
          .where('id', 'in', some)
          .returning(WAIT_COLUMNS)
          .execute(),
      )),
    );
    const claim = { held_until, created_at: now.toISOString() };
    await readByIds(claim_ids, (some) =>
      tx.updateTable('claims').set(claim).where('id', 'in', some).returning('id').execute(),
    );
    for (const id of claim_ids) restarted.set(id, claim);
  }
  if (waits.length > MANY_CHANGES) changes.reset();
  else for (const record of waits) changes.put({ kind: 'wait', record });
  const claims = before.map((dated) => ({
    before: dated,
    after: { ...dated, claim: { ...dated.claim, ...restarted.get(dated.claim.id) } },
  }));
  await claimsChanged(await beginClaimWrite(unit, { role: 'server' }), claims, {
    cause: 'hold_changed',
  });
}

/** No hold made by a correct clock ends later than this. */
const latestEnd = (now: Date): string =>
  new Date(now.getTime() + SETTINGS.hold_minutes.max * 60_000).toISOString();

/**
 * R9.7: restarts holds that last longer than any guild may set. They were made while the clock was ahead, and would block their hours
 * until then.
 */
export const restartOverlongHolds: InsideKind<null> = {
  kind: 'hold.shorten',
  runs: 'inside',
  payload: z.null(),
  next: nextHour,
  isNeeded: async ({ db, now }) =>
    (await holdsEndingAfter(db, latestEnd(now())).limit(1).execute()).length > 0,
  run: async (unit) => {
    const overlong = await holdsEndingAfter(unit.tx, latestEnd(unit.ctx.now())).execute();
    await restartHolds(
      unit,
      overlong.map(({ id }) => id),
    );
    return undefined;
  },
};

/** The quiet hours of those characters that have any, by their keys. */
async function quietHoursOf(
  db: Db | Tx,
  character_keys: Iterable<string>,
): Promise<Map<string, QuietHours>> {
  const found = new Map<string, QuietHours>();
  for (const batch of inBatches(new Set(character_keys))) {
    const rows = await db
      .selectFrom('push_preferences')
      .select(['character_key', 'quiet_from', 'quiet_until', 'time_zone'])
      .where('character_key', 'in', batch)
      .where('quiet_from', 'is not', null)
      .execute();
    for (const { character_key, ...hours } of rows) found.set(character_key, hours);
  }
  return found;
}
