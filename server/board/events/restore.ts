import { DomainError } from '../../../shared/errors.ts';
import { nameKey } from '../../../shared/rules/names.ts';
import type { StoredEvent } from '../../activity/undo-rows.ts';
import type { Tx } from '../../db/open.ts';

/** The row of an event that is about to be deleted, for the undo of it. */
export function rowOfEvent(tx: Tx, id: number): Promise<StoredEvent> {
  return tx
    .selectFrom('events')
    .select(['id', 'name', 'name_key', 'type', 'start_time', 'end_time', 'single_claim_template', 'created_at'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
}

/**
 * Puts a deleted event back. It is not active, whatever it was: which event runs, an admin says.
 * @throws DomainError event.nameExists when another event has its name by now
 */
export async function restoreEvent(tx: Tx, event: StoredEvent): Promise<void> {
  // Made anew: names may be compared otherwise than when the event was deleted.
  const name_key = nameKey(event.name);
  const other = await tx.selectFrom('events').select('name').where('name_key', '=', name_key).executeTakeFirst();
  if (other) throw new DomainError('event.nameExists', { name: other.name });
  await tx
    .insertInto('events')
    .values({ ...event, name_key })
    .execute();
}
