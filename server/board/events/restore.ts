import { z } from 'zod';
import { DomainError } from '../../../shared/errors.ts';
import { nameKey } from '../../../shared/rules/names.ts';
import { eventType } from '../../../shared/schemas/event.ts';
import { id, timestamp } from '../../../shared/schemas/fields.ts';
import type { ClaimUndo, Restoring } from '../../activity/undo.ts';
import type { Tx } from '../../db/open.ts';
import { deadlineChanges } from '../../jobs/deadlines.ts';
import { readGuildNow, showClaims } from '../claims/board-view.ts';
import { notifyClaimants, tellBulk, tellCreated } from '../claims/claim-events.ts';
import { claimsCame, putMoved } from '../claims/claims-changed.ts';
import { occupiedRows, rowsOfEvent } from '../claims/occupancy.ts';
import { restoreClaims } from '../claims/restore.ts';
import { isJudgedNow } from '../claims/store-claims.ts';
import { type StoredClaim, storedClaim } from '../claims/stored-claim.ts';
import { findEvent, putEvent } from '../records/events.ts';
import { affectedWaitlists } from '../waitlist/affected-waitlists.ts';

/** A deleted event's row. */
export const storedEvent = z.object({
  id,
  name: z.string(),
  name_key: z.string(),
  type: eventType,
  start_time: z.string(),
  end_time: z.string(),
  single_claim_template: z.string().nullable(),
  created_at: timestamp,
});
type StoredEvent = z.infer<typeof storedEvent>;

/** The row of an event before it is deleted, for its undo. */
export function rowOfEvent(tx: Tx, id: number): Promise<StoredEvent> {
  return tx
    .selectFrom('events')
    .select(['id', 'name', 'name_key', 'type', 'start_time', 'end_time', 'single_claim_template', 'created_at'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
}

/** Restores claims, and the event that was deleted with them. */
export const claimUndo: ClaimUndo<StoredEvent, StoredClaim> = {
  event: storedEvent,
  claim: storedClaim,
  countRows: (event, claims) => (event ? rowsOfEvent({ ...event, claim_count: claims }) : occupiedRows(claims)),
  restoreEvent,
  restoreClaims: async ({ ctx, tx, changes, admin }, { event, claims, count: expected }) => {
    const isBulk = expected > 1;
    const guild = await readGuildNow(ctx, tx);
    const { count, few, ...tally } = await restoreClaims(tx, claims, isJudgedNow(ctx, guild), async (some) => {
      if (!isBulk) await tellCreated(tx, changes, some, admin.username);
      await notifyClaimants(tx, changes, 'claim.restored', some);
    });
    const work = { action: 'claims_restored', event: event && { id: event.id, name: event.name }, respawn: null } as const;
    if (isBulk) tellBulk(changes, work, admin.username, { created: count });
    if (guild.confirm_enabled) changes.collect(deadlineChanges).moved = true;
    const moved = await claimsCame(tx, tally);
    // Characters leave the waitlists of dates on which they have a claim again.
    if (few) for (const { claim } of few) changes.collect(affectedWaitlists).character(nameKey(claim.character_name));
    else changes.collect(affectedWaitlists).all();
    if (event ? count > 0 : !few) changes.reset();
    else if (event) await showEvent({ tx, changes }, event.id);
    else {
      showClaims(changes, few ?? [], await readGuildNow(ctx, tx));
      putMoved(changes, moved);
    }
    return count;
  },
};

/**
 * Restores a deleted event, inactive: admins decide which event runs.
 * @throws DomainError event.nameExists if another event has its name now
 */
async function restoreEvent(tx: Tx, event: StoredEvent): Promise<void> {
  // Computed again: the rule for comparing names may have changed since.
  const name_key = nameKey(event.name);
  const other = await tx.selectFrom('events').select('name').where('name_key', '=', name_key).executeTakeFirst();
  if (other) throw new DomainError('event.nameExists', { name: other.name });
  await tx
    .insertInto('events')
    .values({ ...event, name_key })
    .execute();
}

async function showEvent({ tx, changes }: Pick<Restoring, 'tx' | 'changes'>, event_id: number): Promise<void> {
  const event = await findEvent(tx, event_id);
  if (event) putEvent(changes, event);
}
