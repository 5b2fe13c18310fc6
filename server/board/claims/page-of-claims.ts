import { eventDate } from '../../../shared/rules/event-period.ts';
import type { ClaimOnDates, ClaimRow } from '../../../shared/schemas/claim.ts';
import type { DatedPageQuery } from '../../../shared/schemas/fields.ts';
import { byIds, inBatches } from '../../db/batches.ts';
import type { ReadingAside } from '../../db/open.ts';
import { PIECE } from '../../db/page.ts';
import { type ClaimScope, claimRows, countIn, idsOfPage, loadClaims } from './queries.ts';

/** A page of a list, read piece by piece. */
export interface PageOf<T> {
  /** How many there are within the dates of the page, before and after it. */
  count: () => Promise<number>;
  pieces: AsyncIterable<T[]>;
}

/**
 * A page of a scope's claims; a split one is counted once. Which they are is found aside: it may take a look at all there
 * ever were.
 */
export function pageOfClaims(ctx: ReadingAside, scope: ClaimScope, page: DatedPageQuery): PageOf<ClaimRow> {
  return { count: () => countIn(ctx.aside, scope, page), pieces: rowsOfPage(ctx, scope, page) };
}

/** The same for one respawn, without what the parts of its split claims hold elsewhere, each with the dates that it covers. */
export function pageOfClaimsOn(ctx: ReadingAside, scope: ClaimScope & { of: 'respawn' }, page: DatedPageQuery): PageOf<ClaimOnDates> {
  return { count: () => countIn(ctx.aside, scope, page), pieces: onTheirDates(ctx, scope, rowsOfPage(ctx, scope, page)) };
}

async function* rowsOfPage(ctx: ReadingAside, scope: ClaimScope, page: DatedPageQuery): AsyncGenerator<ClaimRow[], void> {
  for (const ids of inBatches(await idsOfPage(ctx.aside, scope, page), PIECE)) {
    yield await claimRows(ctx.db, await loadClaims(ctx.db, { of: 'ids', ids }));
  }
}

async function* onTheirDates(
  ctx: ReadingAside,
  scope: ClaimScope & { of: 'respawn' },
  pieces: AsyncIterable<ClaimRow[]>,
): AsyncGenerator<ClaimOnDates[], void> {
  for await (const piece of pieces) {
    const rows = piece.filter((row) => row.respawn_id === scope.respawn_id);
    const ofWholeEvents = rows.flatMap(({ date, event_id }) => (date === null && event_id !== null ? [event_id] : []));
    const events = await byIds([...new Set(ofWholeEvents)], (some) =>
      ctx.db.selectFrom('events').select(['id', 'start_time', 'end_time']).where('id', 'in', some).execute(),
    );
    const periods = new Map(events.map(({ id, ...period }) => [id, period]));
    yield rows.flatMap((row) => {
      if (row.date !== null) return [{ ...row, first_date: row.date, last_date: row.date }];
      const period = row.event_id === null ? undefined : periods.get(row.event_id);
      // Deleted meanwhile, and its claims with it.
      return period ? [{ ...row, first_date: eventDate(period.start_time), last_date: eventDate(period.end_time) }] : [];
    });
  }
}
