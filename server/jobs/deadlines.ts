import { type Db, inSavepoint, type Reading, type Tx } from '../db/database.ts';
import { isOfDatabase } from '../db/errors.ts';
import {
  type DeadlineSource,
  defineCollector,
  type Unit,
  type WriteHook,
  type Writing,
  write,
} from '../db/unit-of-work.ts';
import { wakeTimes } from './job-store.ts';

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

/** Notes that the write added, moved or removed a deadline. */
export const deadlineMoved = ({ changes }: Unit): void => {
  changes.collect(deadlineChanges).moved = true;
};

/** Expires what is due before each write, and stores the next deadline after it. */
export const keepDeadlines: WriteHook = {
  before: (unit) => expireDue(unit),
  after: (unit) => reschedule(unit),
};

export const isDeadlineDue = ({ at, clock: { next_due } }: Unit): boolean =>
  next_due !== null && next_due <= at.toISOString();

/** A source and when it is due next. */
interface Deadline {
  source: DeadlineSource;
  at: string;
}

async function earliestOf(
  ctx: Writing,
  db: Db | Tx,
  { source, now }: { source: DeadlineSource; now: Date },
): Promise<string | null> {
  const retryAt = ctx.backOff.endsAt(source.name, now);
  if (retryAt !== null) return retryAt;
  try {
    return await source.earliest(ctx, db, now);
  } catch (error) {
    if (isOfDatabase(error)) throw error;
    ctx.backOff.recordFailure(source.name, now, error);
    return ctx.backOff.endsAt(source.name, now);
  }
}

/** The next deadline of each source, the earliest first. */
async function upcoming(
  ctx: Writing,
  db: Db | Tx,
  { sources, now }: { sources: readonly DeadlineSource[]; now: Date },
): Promise<Deadline[]> {
  const found: Deadline[] = [];
  for (const source of sources) {
    const at = await earliestOf(ctx, db, { source, now });
    if (at !== null) found.push({ source, at });
  }
  return found.sort((one, other) => (one.at < other.at ? -1 : 1));
}

/** The next deadline by what is stored now; null: none. */
const nextDeadline = async (ctx: Writing, db: Db | Tx, now: Date): Promise<string | null> =>
  (await upcoming(ctx, db, { sources: ctx.deadlines, now }))[0]?.at ?? null;

async function expireSource(unit: Unit, source: DeadlineSource, until: string): Promise<void> {
  const { ctx, tx, changes } = unit;
  const discard = changes.mark();
  const done = await inSavepoint(tx, () => source.expire(unit, until));
  if (!('error' in done)) return;
  discard();
  ctx.backOff.recordFailure(source.name, ctx.now(), done.error);
}

/**
 * Expires what is due: in the order of the deadlines, each source in a savepoint. If one fails, the write continues without it, and the
 * source backs off.
 */
async function expireDue(unit: Unit): Promise<void> {
  if (!isDeadlineDue(unit)) return;
  // The heartbeat and the stored holds share one time: a hold stored before the heartbeat would look as if no server had been up.
  const { ctx, tx, changes, at: now } = unit;
  await ctx.heartbeats.beat(tx, now);
  const sources = ctx.isInCharge()
    ? ctx.deadlines
    : ctx.deadlines.filter(({ needsNoSettings }) => needsNoSettings);
  const moment = now.toISOString();
  const expiredUntil = new Map<DeadlineSource, string>();
  for (;;) {
    const [first, second] = await upcoming(ctx, tx, { sources, now });
    if (!first || first.at > moment) break;
    const { source, at } = first;
    if (at <= (expiredUntil.get(source) ?? '')) {
      ctx.backOff.recordFailure(source.name, now, new Error('due items did not expire'));
      continue;
    }
    // No further than the deadline of the next source.
    const until = second && second.at < moment ? second.at : moment;
    await expireSource(unit, source, until);
    expiredUntil.set(source, until);
  }
  const found = changes.collect(deadlineChanges);
  found.moved ||= ctx.isInCharge();
  found.expired = expiredUntil.size > 0;
}

/** Stores the next deadline if the write moved one. */
async function reschedule({ ctx, tx, clock: { next_due }, changes }: Unit): Promise<void> {
  if (!changes.collect(deadlineChanges).moved) return;
  const now = ctx.now();
  // Due at once: the next write of a server that is in charge then checks all deadlines. Deadlines that are due already stay.
  const dueAtOnce =
    next_due !== null && next_due <= now.toISOString() ? next_due : now.toISOString();
  const at = ctx.isInCharge() ? await nextDeadline(ctx, tx, now) : dueAtOnce;
  if (at !== next_due) await tx.updateTable('clock').set({ next_due: at }).execute();
  if (at !== null) changes.collect(wakeTimes).push(at);
}

const readNextDue = async ({ db }: Reading): Promise<string | null> =>
  (await db.selectFrom('clock').select('next_due').executeTakeFirstOrThrow()).next_due;

/** Corrects the stored next deadline: the server that stored it may have had another server-save hour or time zone. */
export async function rescheduleDeadlines(ctx: Writing): Promise<void> {
  if (!ctx.isInCharge()) return;
  if ((await nextDeadline(ctx, ctx.db, ctx.now())) === (await readNextDue(ctx))) return;
  await write(ctx, async (unit) => deadlineMoved(unit));
}

/** Corrects a stored deadline that is too late: since it was stored, the clock was set back. */
export async function advanceDeadline(ctx: Writing): Promise<void> {
  if (!ctx.isInCharge()) return;
  const next = await nextDeadline(ctx, ctx.db, ctx.now());
  if (next === null || next >= ((await readNextDue(ctx)) ?? '9')) return;
  await write(ctx, async (unit) => deadlineMoved(unit));
}

/**
 * Runs the expiry when no caller writes. Every write does that first, so an empty one is enough.
 * @returns when the next deadline is; null: none, or this one could not be processed
 */
export async function expireDeadlines(ctx: Writing): Promise<string | null> {
  const isDue = (at: string | null): boolean => at !== null && at <= ctx.now().toISOString();
  const stored = await readNextDue(ctx);
  if (!isDue(stored)) return stored;
  await write(ctx, async () => {});
  const after = await readNextDue(ctx);
  return isDue(after) ? null : after;
}
