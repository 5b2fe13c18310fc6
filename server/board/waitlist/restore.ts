import { nameKey } from '../../../shared/rules/names.ts';
import type { Wait } from '../../../shared/schemas/wait.ts';
import type { RecordUndo, Restoring } from '../../activity/undo.ts';
import { countAndNames, logActivity } from '../../auth/activity-log.ts';
import { writeInBatches } from '../../db/database.ts';
import type { Unit } from '../../db/unit-of-work.ts';
import { deadlineMoved } from '../../jobs/deadlines.ts';
import { beginClaimWrite } from '../claims/claims-changed.ts';
import { endTransfersOfWaitlist } from '../end-transfers.ts';
import { freedHours } from '../freed-hours.ts';
import { type KeptWaits, keptWaits } from '../kept-entries.ts';
import { activePeriod } from '../records/guild.ts';
import { withdrawOffers } from './entries.ts';
import { openedEntries } from './offer-freed-hours.ts';
import { reopen, reopenable } from './reopen-entries.ts';
import { holdsWithin } from './waitlist-store.ts';

/**
 * Reopens waitlist entries at their old positions, as far as their members could join again. Unanswered offers of the hours that were held
 * for them are withdrawn, so that they get these hours first.
 */
export const waitUndo: RecordUndo<KeptWaits> = {
  kinds: ['waits'],
  // An admin who deletes claims ends entries with them. Everything else that ends entries has records that require more.
  capability: 'claims',
  record: keptWaits,
  // After spots, keys and claims are restored.
  restore: async (write, records) => () =>
    reopenKept(
      write,
      [...new Set(records.flatMap(({ ids }) => ids))],
      new Map(records.flatMap(({ held }) => held.map((one) => [one.wait_id, one]))),
    ),
};

/** Entries of a deleted event: the event is restored inactive, so they reopen if it is activated today (R9.15). */
const reopenOnActivation = ({ ctx, tx }: Unit, ids: readonly number[]): Promise<unknown> =>
  writeInBatches(ids, (some) =>
    tx
      .updateTable('waits')
      .set({ ended_at: ctx.now().toISOString() })
      .where('id', 'in', some)
      .where('status', '=', 'void')
      .where('ended_with_event', '=', 1)
      .where('event_id', 'in', tx.selectFrom('events').select('events.id'))
      .execute(),
  );

type Held = ReadonlyMap<number, KeptWaits['held'][number]>;

async function reopenKept(write: Restoring, ids: readonly number[], held: Held): Promise<void> {
  const { tx, changes, admin } = write;
  if (ids.length === 0) return;
  await reopenOnActivation(write, ids);
  const entries = await reopenable(write, { ids }, await activePeriod(tx));
  const reopened = await reopen(tx, entries);
  if (reopened.length === 0) return;
  for (const record of reopened) {
    changes.put({ kind: 'wait', record });
    changes.collect(freedHours).at(record.respawn_id, record.date);
    changes.collect(freedHours).of(nameKey(record.character_name));
  }
  await endTransfersOfWaitlist({ ...write, actor: admin }, reopened);
  deadlineMoved(write);
  changes.collect(openedEntries).any = true;
  await withdrawOffersOf(write, reopened, held);
  const names = reopened.map(({ character_name }) => character_name);
  await logActivity(write, admin, {
    action: 'waits_reopened',
    details: countAndNames(names),
  });
}

/** Withdraws the offers that others got of hours that were held for reopened entries. */
async function withdrawOffersOf(
  write: Restoring,
  reopened: readonly Wait[],
  held: Held,
): Promise<void> {
  const ranges = reopened.flatMap(({ id, respawn_id, date }) => {
    const hours = held.get(id);
    return hours
      ? [{ respawn_id, date, hour_start: hours.hour_start, hour_end: hours.hour_end }]
      : [];
  });
  const holds = new Set<number>();
  for (const range of ranges)
    for (const claim_id of await holdsWithin(write.tx, range)) holds.add(claim_id);
  if (holds.size > 0) await withdrawOffers(await beginClaimWrite(write, write.admin), [...holds]);
}
