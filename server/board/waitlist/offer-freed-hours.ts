import { formerMembers } from '../../auth/changed-members.ts';
import { inSavepoint } from '../../db/database.ts';
import { defineMemory } from '../../db/memory.ts';
import {
  type DeadlineSource,
  defineCollector,
  type Unit,
  type WriteHook,
} from '../../db/unit-of-work.ts';
import { deadlineChanges, deadlineMoved, isDeadlineDue } from '../../jobs/deadlines.ts';
import { changedSpots } from '../changed-spots.ts';
import { freedHours } from '../freed-hours.ts';
import { offerToWaitlists } from './make-offers.ts';

/** The name under which offering backs off. */
const WAITLISTS = 'waitlists';

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

/** Whether offers failed, so that all waitlists are to be checked when the back-off ends. */
const failedOffers = defineMemory(() => ({ any: false }));

/**
 * Offers the hours that the write freed so far. A failure doesn't fail the write: nothing of the offers remains, and all waitlists are
 * checked again when the back-off ends.
 */
export async function offerFreedHours(unit: Unit): Promise<void> {
  const { ctx, tx, changes } = unit;
  const now = ctx.now();
  if (!ctx.isInCharge()) {
    // The servers that are in charge look at all waitlists.
    deadlineMoved(unit);
    return;
  }
  if (ctx.backOff.endsAt(WAITLISTS, now) !== null) {
    changes.collect(freedHours).take();
    return;
  }
  const discard = changes.mark();
  const done = await inSavepoint(tx, () => offerToWaitlists(unit));
  if (!('error' in done)) return;
  discard();
  ctx.backOff.recordFailure(WAITLISTS, now, done.error);
  failedOffers(ctx).any = true;
  deadlineMoved(unit);
  changes.collect(freedHours).take();
}

async function offerIfAny(unit: Unit): Promise<void> {
  const { clock, changes } = unit;
  if (clock.open_waits === 0 && !changes.collect(openedEntries).any) return;
  const freed = changes.collect(freedHours);
  for (const character_key of changes.collect(formerMembers).keys()) freed.of(character_key);
  for (const respawn_id of changes.collect(changedSpots).keys()) freed.at(respawn_id, null);
  if (freed.any) await offerFreedHours(unit);
}

/** After deadlines expired, so that members on the waitlist go before the caller, and again after the write's own work. */
export const offerInWrites: WriteHook = {
  before: async (unit) => {
    // A deadline came and nothing expired: another server's back-off ended. Only servers in charge make offers.
    const isRetry =
      unit.ctx.isInCharge() &&
      isDeadlineDue(unit) &&
      !unit.changes.collect(deadlineChanges).expired;
    if (isRetry) unit.changes.collect(freedHours).everywhere();
    await offerIfAny(unit);
  },
  after: offerIfAny,
};

/** Checks all waitlists again after offers failed. */
export const failedOffersRetried: DeadlineSource = {
  name: WAITLISTS,
  earliest: async (ctx, _db, now) =>
    failedOffers(ctx).any ? (ctx.backOff.endsAt(WAITLISTS, now) ?? now.toISOString()) : null,
  expire: async ({ ctx, changes }) => {
    failedOffers(ctx).any = false;
    changes.collect(freedHours).everywhere();
  },
};
