import type { ExpressionBuilder, ExpressionWrapper, SqlBool } from 'kysely';
import { addDays } from '../../../shared/rules/server-save.ts';
import type { DatedPageQuery } from '../../../shared/schemas/fields.ts';
import type { ClaimsTable } from '../../db/claim-tables.ts';
import type { Db, Tx } from '../../db/open.ts';
import type { Database, EventsTable } from '../../db/schema.ts';

type Tables = { claims: ClaimsTable; events: { [K in keyof EventsTable]: EventsTable[K] | null } };
export type Where = ExpressionBuilder<Tables & Database, 'claims' | 'events'>;

/** Server-save dates, both ends included. */
export type Dates = Pick<DatedPageQuery, 'from' | 'to'>;

/** The first moment that is after a date, as an event's start and end are written. */
const after = (date: string): string => addDays(date, 1);

/** For claims that were found by something else: whether one of their dates lies within these. */
export function liesWithin(where: Where, { from, to }: Dates) {
  const isWhole = where('claims.date', 'is', null);
  const all: ExpressionWrapper<Tables & Database, 'claims' | 'events', SqlBool>[] = [];
  if (from !== undefined)
    all.push(where.or([where('claims.date', '>=', from), where.and([isWhole, where('events.end_time', '>=', from)])]));
  if (to !== undefined)
    all.push(where.or([where('claims.date', '<=', to), where.and([isWhole, where('events.start_time', '<', after(to))])]));
  return where.and(all);
}

/**
 * The ids of all claims that have one of their dates within these. Those with a date of their own come from the index
 * of dates, those that last as long as their event from that event: one condition for both would read every claim
 * there ever was.
 */
export function idsOnDates(db: Db | Tx, { from, to }: Dates) {
  let dated = db.selectFrom('claims as dated').select('dated.id').where('dated.date', 'is not', null);
  let whole = db
    .selectFrom('events as period')
    .innerJoin('claims as whole', 'whole.event_id', 'period.id')
    .select('whole.id')
    .where('whole.date', 'is', null);
  if (from !== undefined) {
    dated = dated.where('dated.date', '>=', from);
    whole = whole.where('period.end_time', '>=', from);
  }
  if (to !== undefined) {
    dated = dated.where('dated.date', '<=', to);
    whole = whole.where('period.start_time', '<', after(to));
  }
  return dated.unionAll(whole);
}
