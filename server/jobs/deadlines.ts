import type { Reading } from '../db/database.ts';
import { type Db, inSavepoint, type Tx } from '../db/database.ts';
import { isOfDatabase } from '../db/errors.ts';
import type { Writing } from '../db/unit-of-work.ts';
import { defineCollector, type Unit, type WriteHook, write } from '../db/unit-of-work.ts';

import type { BackOff } from './back-off.ts';
import { wakeTimes } from './job-store.ts';

/** Expires what is due before each write, and stores the next deadline after it. */
export interface Deadlines {
  /** Whether this process expires everything and moves the board's date; else only what depends on no setting. */
  isInCharge: () => boolean;
  /** The next deadline by what is stored now; null: none. */
  next: (db: Db | Tx, now: Date) => Promise<string | null>;
  expire: (unit: Unit) => Promise<void>;
  reschedule: (unit: Unit) => Promise<void>;
}

/** One kind of thing that ends at a known moment although no caller acts then: holds, unconfirmed claims. */
export interface DeadlineSource {
  /** Names it in the log and in the health check. */
  name: string;
  /** Depends on no setting, so a server whose settings differ from the others' expires it, too. */
  needsNoSettings?: true;
  /** When the next one is due, as stored; null: none. Many writes ask, so it is read from an index. */
  earliest: (db: Db | Tx, now: Date) => Promise<string | null>;
  /** Expires all that are due by then, in order, and notes the waitlists of the hours that this frees. */
  expire: (unit: Unit, until: string) => Promise<void>;
}

/**
 * `moved`: the write added, moved or removed a deadline, so the next one is looked up after its work.
 * `expired`: the write found something due.
 */
export const deadlineChanges = defineCollector(
  () => ({ moved: false, expired: false }),
  (changes) => {
    const before = { ...changes };
    return () => void Object.assign(changes, before);
  },
);

export const keepDeadlines = (ctx: Writing & { deadlines: Deadlines }): WriteHook => ({
  before: (unit) => ctx.deadlines.expire(unit),
  after: (unit) => ctx.deadlines.reschedule(unit),
});

export const isDeadlineDue = ({ at, clock: { next_due } }: Pick<Unit, 'at' | 'clock'>): boolean =>
  next_due !== null && next_due <= at.toISOString();

/** A source and when it is due next. */
interface Deadline {
  source: DeadlineSource;
  at: string;
}

export interface DeadlineOptions {
  sources: readonly DeadlineSource[];
  backOff: BackOff;
  isInCharge: () => boolean;
}

/**
 * Sources expire in the order of their deadlines, each in a savepoint: if one fails, the write continues without it, and the source
 * backs off.
 */
export function createDeadlines({ sources, backOff, isInCharge }: DeadlineOptions): Deadlines {
  const earliestOf = async (
    db: Db | Tx,
    source: DeadlineSource,
    now: Date,
  ): Promise<string | null> => {
    const retryAt = backOff.endsAt(source.name, now);
    if (retryAt !== null) return retryAt;
    try {
      return await source.earliest(db, now);
    } catch (error) {
      if (isOfDatabase(error)) throw error;
      backOff.recordFailure(source.name, now, error);
      return backOff.endsAt(source.name, now);
    }
  };

  /** The next deadline of each source, the earliest first. */
  const upcoming = async (
    db: Db | Tx,
    now: Date,
    among: readonly DeadlineSource[],
  ): Promise<Deadline[]> => {
    const found: Deadline[] = [];
    for (const source of among) {
      const at = await earliestOf(db, source, now);
      if (at !== null) found.push({ source, at });
    }
    return found.sort((one, other) => (one.at < other.at ? -1 : 1));
  };

  const next = async (db: Db | Tx, now: Date): Promise<string | null> =>
    (await upcoming(db, now, sources))[0]?.at ?? null;

  const expireSource = async (unit: Unit, source: DeadlineSource, until: string): Promise<void> => {
    const { ctx, tx, changes } = unit;
    const discard = changes.mark();
    const done = await inSavepoint(tx, () => source.expire(unit, until));
    if (!('error' in done)) return;
    discard();
    backOff.recordFailure(source.name, ctx.now(), done.error);
  };

  return {
    isInCharge,
    next,
    expire: async (unit) => {
      if (!isDeadlineDue(unit)) return;
      const { ctx, tx, changes } = unit;
      // The same time for both: an item that expires after the heartbeat would look as if no server had been up.
      const now = ctx.now();
      await ctx.heartbeats.beat(tx, now);
      const among = isInCharge()
        ? sources
        : sources.filter(({ needsNoSettings }) => needsNoSettings);
      const moment = now.toISOString();
      const expiredUntil = new Map<DeadlineSource, string>();
      for (;;) {
        const [first, second] = await upcoming(tx, now, among);
        if (!first || first.at > moment) break;
        const { source, at } = first;
        if (at <= (expiredUntil.get(source) ?? '')) {
          backOff.recordFailure(source.name, now, new Error('due items did not expire'));
          continue;
        }
        // No further than the deadline of the next source.
        const until = second && second.at < moment ? second.at : moment;
        await expireSource(unit, source, until);
        expiredUntil.set(source, until);
      }
      const found = changes.collect(deadlineChanges);
      found.moved ||= isInCharge();
      found.expired = expiredUntil.size > 0;
    },
    reschedule: async ({ ctx, tx, clock: { next_due }, changes }) => {
      if (!changes.collect(deadlineChanges).moved) return;
      const now = ctx.now();
      // Due at once: the next write of a server that is in charge then checks all deadlines. Deadlines that are due already stay.
      const dueAtOnce =
        next_due !== null && next_due <= now.toISOString() ? next_due : now.toISOString();
      const at = isInCharge() ? await next(tx, now) : dueAtOnce;
      if (at !== next_due) await tx.updateTable('clock').set({ next_due: at }).execute();
      if (at !== null) changes.collect(wakeTimes).push(at);
    },
  };
}

const readNextDue = async ({ db }: Reading): Promise<string | null> =>
  (await db.selectFrom('clock').select('next_due').executeTakeFirstOrThrow()).next_due;

/** Corrects the stored next deadline: the server that stored it may have had another server-save hour or time zone. */
export async function rescheduleDeadlines(ctx: Writing & { deadlines: Deadlines }): Promise<void> {
  if (!ctx.deadlines.isInCharge()) return;
  if ((await ctx.deadlines.next(ctx.db, ctx.now())) === (await readNextDue(ctx))) return;
  await write(ctx, async ({ changes }) => {
    changes.collect(deadlineChanges).moved = true;
  });
}

/** Corrects a stored deadline that is too late: since it was stored, the clock was set back. */
export async function advanceDeadline(ctx: Writing & { deadlines: Deadlines }): Promise<void> {
  if (!ctx.deadlines.isInCharge()) return;
  const next = await ctx.deadlines.next(ctx.db, ctx.now());
  if (next === null || next >= ((await readNextDue(ctx)) ?? '9')) return;
  await write(ctx, async ({ changes }) => {
    changes.collect(deadlineChanges).moved = true;
  });
}

/** Rolls back a write that found nothing due: another server was faster. */
class NothingDue extends Error {}

/**
 * Runs the expiry when no caller writes. Every write does that first, so an empty one is enough.
 * @returns when the next deadline is; null: none, or this one could not be processed
 */
export async function expireDeadlines(ctx: Writing): Promise<string | null> {
  const isDue = (at: string | null): boolean => at !== null && at <= ctx.now().toISOString();
  const stored = await readNextDue(ctx);
  if (!isDue(stored)) return stored;
  try {
    await write(ctx, async ({ changes }) => {
      if (!changes.collect(deadlineChanges).moved) throw new NothingDue();
    });
  } catch (error) {
    if (!(error instanceof NothingDue)) throw error;
  }
  const after = await readNextDue(ctx);
  return isDue(after) ? null : after;
}
