import { z } from 'zod';
import { nameKey } from '../../../shared/rules/names.ts';
import { id } from '../../../shared/schemas/fields.ts';
import type { RecordUndo, Restoring } from '../../activity/undo.ts';
import type { UndoRecord } from '../../activity/undo-store.ts';
import { countAndNames, logActivity } from '../../auth/activity-log.ts';
import { type Clock, type Tx, writeInBatches } from '../../db/database.ts';
import { deadlineChanges } from '../../jobs/deadlines.ts';
import { affectedWaitlists } from '../affected-waitlists.ts';
import { endTransfersOfWaitlist } from '../end-transfers.ts';
import { activePeriod } from '../records/guild.ts';
import { openedEntries } from './freed-hours.ts';
import { reopen, reopenable } from './reopen-entries.ts';
import type { StoredEntry } from './waitlist-store.ts';

/** Waitlist entries that ended with a spot, an event or a member. */
const endedWith = z.object({ kind: z.literal('waits'), ids: z.array(id) });

/** Open entries that a change is about to end, for its undo. */
export const keptEntries = (entries: readonly Pick<StoredEntry, 'id'>[]): UndoRecord[] => {
  const record: z.infer<typeof endedWith> = { kind: 'waits', ids: entries.map((entry) => entry.id) };
  return record.ids.length > 0 ? [record] : [];
};

/** Reopens waitlist entries at their old places, as far as their members could join again. Their holds were freed. */
export const waitUndo: RecordUndo<z.infer<typeof endedWith>> = {
  kinds: ['waits'],
  record: endedWith,
  // After spots, keys and claims are restored.
  restore: async (write, records) => () =>
    reopenKept(
      write,
      records.flatMap(({ ids }) => ids),
    ),
};

/** Entries of a deleted event: the event is restored inactive, so they reopen if it is activated today (R9.15). */
const reopenOnActivation = ({ now }: Clock, tx: Tx, ids: readonly number[]): Promise<unknown> =>
  writeInBatches(ids, (some) =>
    tx
      .updateTable('waits')
      .set({ ended_at: now().toISOString() })
      .where('id', 'in', some)
      .where('status', '=', 'void')
      .where('ended_with_event', '=', 1)
      .where('event_id', 'in', tx.selectFrom('events').select('events.id'))
      .execute(),
  );

async function reopenKept({ ctx, tx, changes, admin }: Restoring, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  await reopenOnActivation(ctx, tx, ids);
  const entries = await reopenable(ctx, tx, { ids }, await activePeriod(tx));
  const reopened = await reopen(tx, entries);
  if (reopened.length === 0) return;
  for (const record of reopened) {
    changes.put({ kind: 'wait', record });
    changes.collect(affectedWaitlists).hours(record.respawn_id, record.date);
    changes.collect(affectedWaitlists).character(nameKey(record.character_name));
  }
  await endTransfersOfWaitlist({ ctx, tx, changes, actor: admin }, reopened);
  changes.collect(deadlineChanges).moved = true;
  changes.collect(openedEntries).any = true;
  const names = reopened.map(({ character_name }) => character_name);
  await logActivity(changes, admin, 'waits_reopened', countAndNames(names));
}
