import { DomainError } from '../../shared/errors.ts';
import { nameKey } from '../../shared/rules/names.ts';
import { type DestinationInput, MAX_DESTINATIONS, type NewDestination } from '../../shared/schemas/destination.ts';
import { recordActivity } from '../activity/record.ts';
import type { Tx } from '../db/open.ts';
import type { Writing } from '../db/write.ts';
import { write } from '../db/write.ts';
import type { Admin } from '../session/callers.ts';
import { newSecret } from './new-secret.ts';
import { destinationRecord, hostOf, type StoredDestination } from './queries.ts';

const toldOf = ({ id, name, kind, url }: StoredDestination) => ({ destination_id: id, name, kind, host: hostOf(url) });

async function assertNameIsFree(tx: Tx, name: string): Promise<void> {
  const other = await tx.selectFrom('destinations').select('name').where('name_key', '=', nameKey(name)).executeTakeFirst();
  if (other) throw new DomainError('destination.exists', { name: other.name });
}

/** The newest news there is: whoever begins to listen hears what comes after it. */
async function newestNews(tx: Tx): Promise<number> {
  const { newest } = await tx
    .selectFrom('news')
    .select(({ fn }) => fn.max<number | null>('id').as('newest'))
    .executeTakeFirstOrThrow();
  return newest ?? 0;
}

/**
 * Makes a destination; its whole address and its secret are told this once.
 * @throws DomainError destination.url, destination.private, destination.notDiscord, destination.tooMany, destination.exists
 */
export function createDestination(ctx: Writing, admin: Admin, input: DestinationInput): Promise<NewDestination> {
  const secret = input.kind === 'webhook' ? newSecret() : null;
  return write(ctx, async (tx, changes) => {
    const { n } = await tx
      .selectFrom('destinations')
      .select(({ fn }) => fn.countAll<number>().as('n'))
      .executeTakeFirstOrThrow();
    if (n >= MAX_DESTINATIONS) throw new DomainError('destination.tooMany', { max: MAX_DESTINATIONS });
    await assertNameIsFree(tx, input.name);
    const { events, ...fields } = input;
    const row = await tx
      .insertInto('destinations')
      .values({
        ...fields,
        name_key: nameKey(input.name),
        events: JSON.stringify(events),
        secret,
        place: await newestNews(tx),
        created_at: ctx.now().toISOString(),
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    await ctx.outbox.noteHeard(tx);
    const record = destinationRecord(row);
    changes.put({ kind: 'destination', record });
    await recordActivity(ctx, tx, changes, admin, 'destination_created', toldOf(row));
    return { ...record, url: row.url, secret };
  });
}
