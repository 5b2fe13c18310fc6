import { z } from 'zod';
import { nameKey } from '../../../shared/rules/names.ts';
import { delivery, destination } from '../../../shared/schemas/destination.ts';
import { flag, id, timestamp } from '../../../shared/schemas/fields.ts';
import type { RecordUndo, Restoring } from '../../activity/undo.ts';
import { deletedRecord } from '../../activity/undo-store.ts';
import { inBatches, type Tx } from '../../db/database.ts';
import { updateSubscribedTypes } from '../../db/domain-events.ts';
import { addJob } from '../../jobs/job-store.ts';
import { assertMayAdd, channelRecord, SEND_JOB, type StoredChannel, sendJob } from './channel.ts';
import { countPending } from './events.ts';

/* The undo of a deleted channel. */

const { kind, language, switched_off } = destination.shape;

const deletedChannel = deletedRecord(
  'destination',
  z.object({
    id,
    name: z.string(),
    kind,
    url: z.string(),
    secret: z.string().nullable(),
    old_secret: z.string().nullable(),
    old_secret_until: timestamp.nullable(),
    events: z.string(),
    subscribed_after: z.string(),
    language,
    is_enabled: flag,
    switched_off,
    last_event_id: z.number().int(),
    last_delivery_at: timestamp.nullable(),
    last_error: z.string().nullable(),
    created_at: timestamp,
    /** Its last attempts, oldest first. */
    attempts: z.array(delivery.omit({ id: true })),
  }),
);
type DeletedChannel = z.infer<typeof deletedChannel>;

/** A channel that is about to be deleted, with its address and its secret. */
export async function keptChannel(tx: Tx, row: StoredChannel): Promise<DeletedChannel> {
  const attempts = await tx
    .selectFrom('deliveries')
    .selectAll()
    .where('channel_id', '=', row.id)
    .orderBy('id')
    .execute();
  return deletedChannel.parse({ kind: 'destination', deleted: { ...row, attempts } });
}

/** Restores channels. They are sent the events that were pending, as far as these are still stored. */
export const channelUndo: RecordUndo<DeletedChannel> = {
  kinds: ['destination'],
  record: deletedChannel,
  restore: async (write, records) => {
    for (const { deleted } of records) await restoreChannel(write, deleted);
    return async () => {
      if (records.length > 0) await updateSubscribedTypes(write.ctx, write.tx);
    };
  },
};

/** @throws DomainError destination.tooMany, destination.exists */
async function restoreChannel(
  unit: Restoring,
  { attempts, ...columns }: DeletedChannel['deleted'],
): Promise<void> {
  const { tx, changes, at } = unit;
  await assertMayAdd(tx, columns.name);
  const row = { ...columns, name_key: nameKey(columns.name) };
  const channel = await tx
    .insertInto('channels')
    .values(row)
    .returningAll()
    .executeTakeFirstOrThrow();
  for (const some of inBatches(attempts)) {
    const rows = some.map((each) => ({ ...each, channel_id: channel.id }));
    await tx.insertInto('deliveries').values(rows).execute();
  }
  if (channel.is_enabled && (await countPending(tx, channel)) > 0)
    await addJob(unit, SEND_JOB, sendJob(channel.id, at));
  changes.put({ kind: 'destination', record: channelRecord(channel) });
}
