import type { ExpressionBuilder, SelectQueryBuilder } from 'kysely';
import { type EventPeriod, eventDate } from '../../../shared/rules/event-period.ts';
import type { ClaimsTable, OccupiedDaysTable } from '../../db/claim-tables.ts';
import type { Tx } from '../../db/open.ts';
import type { Database } from '../../db/schema.ts';

type Ids = SelectQueryBuilder<Database, 'claims', { id: number }>;
type Where = ExpressionBuilder<Database & { freed: OccupiedDaysTable; other: ClaimsTable }, 'freed' | 'other'>;

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
  // One after the other, since each finds its claims by the index of characters and dates: a character may have thousands.
  for (const standsOn of [onThatDate, inAnEventOnThatDate]) {
    let twins = tx
      .selectFrom('occupied_days as freed')
      .innerJoin('claims as other', 'other.character_key', 'freed.character_key')
      .where('freed.claim_id', 'in', ids)
      .where('other.id', 'not in', ids)
      .where('other.is_secondary_claim', '=', 0)
      .where(standsOn)
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
}

const onThatDate = (where: Where) => where('other.date', '=', where.ref('freed.date'));

function inAnEventOnThatDate(where: Where) {
  const event = where
    .selectFrom('events')
    .select('events.id')
    .whereRef('events.id', '=', 'other.event_id')
    .where((on) => on(on.fn<string>('substr', ['events.start_time', on.lit(1), on.lit(10)]), '<=', on.ref('freed.date')))
    .where((on) => on(on.fn<string>('substr', ['events.end_time', on.lit(1), on.lit(10)]), '>=', on.ref('freed.date')));
  return where.and([where('other.date', 'is', null), where.exists(event)]);
}
