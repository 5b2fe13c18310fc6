import { eventDate } from '../../shared/rules/event-period.ts';
import type { ClaimOnDates, ClaimRow } from '../../shared/schemas/claim.ts';
import type { DatedPageQuery } from '../../shared/schemas/fields.ts';
import type { Context } from '../context.ts';
import { byIds } from '../db/batches.ts';
import { type Answer, tellTotal } from '../http/listed.ts';
import { type ClaimScope, claimRows, countIn, pageOfClaims } from './queries.ts';

/** A page of a scope's claims; its header says how many there are within the dates, a split one counted once. */
export async function answerClaims(ctx: Context, res: Answer, scope: ClaimScope, page: DatedPageQuery): Promise<ClaimRow[]> {
  await tellTotal(res, page, () => countIn(ctx.db, scope, page));
  return claimRows(ctx.db, await pageOfClaims(ctx.db, scope, page));
}

/** The same for one respawn, without what the parts of its split claims hold elsewhere, each with the dates that it covers. */
export async function answerClaimsOn(
  ctx: Context,
  res: Answer,
  scope: ClaimScope & { of: 'respawn' },
  page: DatedPageQuery,
): Promise<ClaimOnDates[]> {
  const rows = (await answerClaims(ctx, res, scope, page)).filter((row) => row.respawn_id === scope.respawn_id);
  const ofWholeEvents = rows.flatMap(({ date, event_id }) => (date === null && event_id !== null ? [event_id] : []));
  const events = await byIds([...new Set(ofWholeEvents)], (some) =>
    ctx.db.selectFrom('events').select(['id', 'start_time', 'end_time']).where('id', 'in', some).execute(),
  );
  const periods = new Map(events.map(({ id, ...period }) => [id, period]));
  return rows.flatMap((row) => {
    if (row.date !== null) return [{ ...row, first_date: row.date, last_date: row.date }];
    const period = row.event_id === null ? undefined : periods.get(row.event_id);
    // Deleted meanwhile, and its claims with it.
    return period ? [{ ...row, first_date: eventDate(period.start_time), last_date: eventDate(period.end_time) }] : [];
  });
}
