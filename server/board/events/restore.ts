import { z } from 'zod';
import { nameKey } from '../../../shared/rules/names.ts';
import { eventType } from '../../../shared/schemas/event.ts';
import { id, timestamp } from '../../../shared/schemas/fields.ts';
import type { ClaimUndo } from '../../activity/undo.ts';
import type { Tx } from '../../db/database.ts';
import { assertNameIsFree } from '../../db/unique-names.ts';
import type { Unit } from '../../db/unit-of-work.ts';
import { beginClaimWrite } from '../claims/claims-changed.ts';
import { occupiedRows, rowsOfEvent } from '../claims/occupancy.ts';
import { restoreClaims, type StoredClaim, storedClaim } from '../claims/restore.ts';
import { findEvent, putEvent } from '../records/guild.ts';
import { withdrawOffers } from '../waitlist/entries.ts';

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
    .select([
      'id',
      'name',
      'name_key',
      'type',
      'start_time',
      'end_time',
      'single_claim_template',
      'created_at',
    ])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
}

/** Restores claims, and the event that was deleted with them. */
export const claimUndo: ClaimUndo<StoredEvent, StoredClaim> = {
  event: storedEvent,
  claim: storedClaim,
  countRows: (event, claims) =>
    event ? rowsOfEvent({ ...event, claim_count: claims }) : occupiedRows(claims),
  restoreEvent,
  restoreClaims: async (write, { event, claims, count: expected }) => {
    const bulk = {
      action: 'claims_restored',
      event: event && { id: event.id, name: event.name },
      respawn: null,
    } as const;
    const unit = await beginClaimWrite(write, write.admin);
    const restored = await restoreClaims(unit, claims, {
      bulk: expected > 1 ? bulk : null,
      withdrawOffers,
    });
    if (event && restored.count > 0) write.changes.reset();
    else if (event) await showEvent(write, event.id);
    return restored;
  },
};

/**
 * Restores a deleted event, inactive: admins decide which event runs.
 * @throws DomainError event.nameExists if another event has its name now
 */
async function restoreEvent(tx: Tx, event: StoredEvent): Promise<void> {
  // Computed again: the rule for comparing names may have changed since.
  const name_key = nameKey(event.name);
  await assertNameIsFree(tx, 'events', { name: event.name });
  await tx
    .insertInto('events')
    .values({ ...event, name_key })
    .execute();
}

async function showEvent({ tx, changes }: Unit, event_id: number): Promise<void> {
  const event = await findEvent(tx, event_id);
  if (event) putEvent(changes, event);
}
