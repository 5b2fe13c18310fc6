import { inSavepoint, type Tx } from '../../db/database.ts';
import type { Writing } from '../../db/unit-of-work.ts';
import {
  type ChangeRecorder,
  defineCollector,
  type Unit,
  type WriteHook,
} from '../../db/unit-of-work.ts';
import type { BackOff } from '../../jobs/back-off.ts';
import {
  type DeadlineSource,
  type Deadlines,
  deadlineChanges,
  isDeadlineDue,
} from '../../jobs/deadlines.ts';
import { affectedWaitlists } from '../affected-waitlists.ts';
import { offerToWaitlists } from './make-offers.ts';

/** @param isIncluded whether to look at the waitlist of a spot and date (`waitlistOf`); asked about each that the write affected */
type OfferHours = (
  ctx: Writing,
  tx: Tx,
  changes: ChangeRecorder,
  isIncluded: (waitlist: string) => boolean,
) => Promise<void>;

export interface FreedHours {
  /** Offers the hours that the write freed so far. A failure doesn't fail the write. */
  offer: (ctx: Writing, tx: Tx, changes: ChangeRecorder) => Promise<void>;
  /** Looks at the waitlists again whose offers failed. */
  retries: DeadlineSource;
}

export interface FreedHoursOptions {
  backOff: BackOff;
  isInCharge: () => boolean;
  /** Tests replace it. */
  offerHours?: OfferHours;
}

/** Notes that a write reopened entries, which the clock's count from before it does not include. */
export const openedEntries = defineCollector<{ any: boolean }>(
  () => ({ any: false }),
  (opened) => {
    const { any } = opened;
    return () => {
      opened.any = any;
    };
  },
);

/** After deadlines expired, so that members on the waitlist go before the caller, and again after the write's own work. */
export function offerFreedHours(
  ctx: Writing & { deadlines: Deadlines; freedHours: FreedHours },
): WriteHook {
  const offer = async ({ tx, clock, changes }: Unit): Promise<void> => {
    const hasOpen = clock.open_waits > 0 || changes.collect(openedEntries).any;
    if (changes.collect(affectedWaitlists).any && hasOpen)
      await ctx.freedHours.offer(ctx, tx, changes);
  };
  return {
    before: async (write) => {
      // A deadline came and nothing expired: another server's back-off from a waitlist ended. Only servers in charge make offers.
      const isRetry =
        ctx.deadlines.isInCharge() &&
        isDeadlineDue(write) &&
        !write.changes.collect(deadlineChanges).expired;
      if (isRetry) write.changes.collect(affectedWaitlists).all();
      await offer(write);
    },
    after: offer,
  };
}

/** Rolls back a trial that succeeded. */
class TrialSucceeded extends Error {}

/** The name under which offering backs off as a whole. */
const WAITLISTS = 'waitlists';
const nameOf = (waitlist: string): string => `waitlist ${waitlist}`;

/** If offering fails, only the waitlists that make it fail back off; the others get their offers. */
export function createFreedHours({
  backOff,
  isInCharge,
  offerHours = offerToWaitlists,
}: FreedHoursOptions): FreedHours {
  /** Names of waitlists to look at again, or `WAITLISTS` for all. */
  const failed = new Set<string>();
  const isBackedOff = (waitlist: string, now: Date): boolean =>
    backOff.endsAt(nameOf(waitlist), now) !== null;

  /** If it fails, nothing of it remains. */
  const tryOffer = async (
    ctx: Writing,
    tx: Tx,
    changes: ChangeRecorder,
    isIncluded: (waitlist: string) => boolean,
  ) => {
    const discard = changes.mark();
    const done = await inSavepoint(tx, () => offerHours(ctx, tx, changes, isIncluded));
    if ('error' in done) discard();
    return done;
  };

  /** The waitlists that fail alone, found by bisection; nothing of the trials remains. */
  const findFailing = async (
    ctx: Writing,
    tx: Tx,
    changes: ChangeRecorder,
    waitlists: readonly string[],
  ): Promise<{ waitlist: string; error: unknown }[]> => {
    if (waitlists.length === 0) return [];
    const tried = new Set(waitlists);
    const discard = changes.mark();
    const done = await inSavepoint(tx, async () => {
      await offerHours(ctx, tx, changes, (waitlist) => tried.has(waitlist));
      throw new TrialSucceeded();
    });
    discard();
    const error = 'error' in done ? done.error : null;
    if (error instanceof TrialSucceeded) return [];
    const [waitlist = ''] = waitlists;
    if (waitlists.length === 1) return [{ waitlist, error }];
    const half = Math.ceil(waitlists.length / 2);
    const first = await findFailing(ctx, tx, changes, waitlists.slice(0, half));
    return [...first, ...(await findFailing(ctx, tx, changes, waitlists.slice(half)))];
  };

  return {
    retries: {
      name: WAITLISTS,
      earliest: async (_db, now) => {
        const times = [...failed].map((name) => backOff.endsAt(name, now) ?? now.toISOString());
        return times.sort()[0] ?? null;
      },
      expire: async ({ ctx, changes }) => {
        for (const name of failed)
          if (backOff.endsAt(name, ctx.now()) === null) failed.delete(name);
        changes.collect(affectedWaitlists).all();
      },
    },
    offer: async (ctx, tx, changes) => {
      const now = ctx.now();
      if (!isInCharge()) {
        // The servers that are in charge look at all waitlists.
        changes.collect(deadlineChanges).moved = true;
        return;
      }
      if (backOff.endsAt(WAITLISTS, now) !== null)
        return void changes.collect(affectedWaitlists).take();
      const seen = new Set<string>();
      const isIncluded = (waitlist: string): boolean => {
        seen.add(waitlist);
        return !isBackedOff(waitlist, now);
      };
      const first = await tryOffer(ctx, tx, changes, isIncluded);
      if (!('error' in first)) return;
      changes.collect(deadlineChanges).moved = true;
      const failing = await findFailing(ctx, tx, changes, [...seen].filter(isIncluded));
      for (const { waitlist, error } of failing) {
        failed.add(nameOf(waitlist));
        backOff.recordFailure(nameOf(waitlist), now, error);
      }
      const last = failing.length > 0 ? await tryOffer(ctx, tx, changes, isIncluded) : first;
      if (!('error' in last)) return;
      failed.add(WAITLISTS);
      backOff.recordFailure(WAITLISTS, now, last.error);
      changes.collect(affectedWaitlists).take();
    },
  };
}
