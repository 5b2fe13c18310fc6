import type { Event } from '../../shared/schemas/event.ts';
import type { Tx } from '../db/open.ts';
import type { ChangeRecorder } from '../db/write.ts';
import { findEvent } from './queries.ts';

/** Shows an event as it is now: members know only the active one. */
export function putEvent(changes: ChangeRecorder, record: Event): void {
  changes.put({ kind: 'event', record }, record.is_active ? 'all' : 'admins');
}

/** Shows the count of an event whose claims changed. */
export async function putEventCount(tx: Tx, changes: ChangeRecorder, event_id: number): Promise<void> {
  const event = await findEvent(tx, event_id);
  if (event) putEvent(changes, event);
}
