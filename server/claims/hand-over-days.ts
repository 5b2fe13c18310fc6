import type { SelectQueryBuilder } from 'kysely';
import { type EventPeriod, eventDate } from '../../shared/rules/event-period.ts';
import type { Tx } from '../db/open.ts';
import type { Database } from '../db/schema.ts';

type Ids = SelectQueryBuilder<Database, 'claims', { id: number }>;

/**
 * Whether a character may have two primary claims on one date: of a time in which its name had two spellings, one
 * claim in each. Only the change to today's names left any, and it said so in the log.
 */
export async function mayHaveTwins(tx: Tx): Promise<boolean> {
  const told = tx.selectFrom('activity').select('id').where('action', '=', 'names_merged').where('details', 'like', '%"held_by_claim"%');
  return (await told.limit(1).executeTakeFirst()) !== undefined;
}

/**
 * Before claims give up days: those that another claim of their character stands on, too, become that one's, or
 * nobody would hold them (R4.6).
 * @param keeping dates that these claims go on holding
 */
export async function handOverDays(tx: Tx, ids: Ids, keeping?: EventPeriod): Promise<void> {
  if (!(await mayHaveTwins(tx))) return;
  let twins = tx
    .selectFrom('occupied_days as freed')
    .innerJoin('claims as other', 'other.character_key', 'freed.character_key')
    .leftJoin('events', 'events.id', 'other.event_id')
    .where('freed.claim_id', 'in', ids)
    .where('other.id', 'not in', ids)
    .where('other.is_secondary_claim', '=', 0)
    .where((where) => {
      const day = (time: 'events.start_time' | 'events.end_time') => where.fn<string>('substr', [time, where.lit(1), where.lit(10)]);
      return where.or([
        where('other.date', '=', where.ref('freed.date')),
        where.and([
          where('other.date', 'is', null),
          where(day('events.start_time'), '<=', where.ref('freed.date')),
          where(day('events.end_time'), '>=', where.ref('freed.date')),
        ]),
      ]);
    })
    .groupBy(['freed.character_key', 'freed.date'])
    .select(({ fn }) => ['freed.character_key', 'freed.date', fn.min<number>('other.id').as('claim_id')]);
  if (keeping) {
    const [from, to] = [eventDate(keeping.start_time), eventDate(keeping.end_time)];
    twins = twins.where((where) => where.or([where('freed.date', '<', from), where('freed.date', '>', to)]));
  }
  await tx
    .insertInto('occupied_days')
    .columns(['character_key', 'date', 'claim_id'])
    .expression(twins)
    .onConflict((row) => row.columns(['character_key', 'date']).doUpdateSet(({ ref }) => ({ claim_id: ref('excluded.claim_id') })))
    .execute();
}
