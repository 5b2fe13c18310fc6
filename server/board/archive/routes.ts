import { z } from 'zod';
import { existing } from '../../../shared/errors.ts';
import { claimOnRespawns } from '../../../shared/rules/claim-parts.ts';
import { type ArchivedEvent, archivedEvent } from '../../../shared/schemas/archive.ts';
import { type Claim, type ClaimRow, claimRow } from '../../../shared/schemas/claim.ts';
import {
  type DatedPageQuery,
  datedPageQuery,
  idInPath,
  type PageQuery,
  pageQuery,
} from '../../../shared/schemas/fields.ts';
import {
  countRows,
  type Db,
  inBatches,
  PIECE,
  pageBounds,
  type Reading,
  readByIds,
} from '../../db/database.ts';
import { answerPage, tellTotal } from '../../http/paging.ts';
import { routeFor } from '../../http/router.ts';
import { claimRecord, type PageOf, claimRow as toClaimRow } from '../claims/claim-records.ts';
import { findRespawnLabels } from '../records/respawns.ts';

function archivedEvents(db: Db, page: PageQuery): Promise<ArchivedEvent[]> {
  const { most, last_id } = pageBounds(page);
  return db
    .selectFrom('archived_events')
    .selectAll()
    .where('id', '<=', last_id)
    .orderBy('id', 'desc')
    .limit(most)
    .execute();
}

/** @throws DomainError event.notFound */
async function assertArchived(db: Db, event_id: number): Promise<void> {
  const found = db.selectFrom('archived_events').select('id').where('id', '=', event_id);
  existing(await found.executeTakeFirst(), 'event.notFound');
}

type ArchiveScope = Pick<DatedPageQuery, 'from' | 'to'> & { event_id?: number };

function archivedInScope(db: Db, { event_id, from, to }: ArchiveScope) {
  let claims = db.selectFrom('archived_claims');
  if (event_id !== undefined) claims = claims.where('event_id', '=', event_id);
  if (from === undefined && to === undefined) return claims;
  // A subquery, so that a page is read in the order of ids without sorting all claims within the dates.
  let dated = db.selectFrom('archived_claims as dated').select('dated.id');
  if (from !== undefined) dated = dated.where('dated.last_date', '>=', from);
  if (to !== undefined) dated = dated.where('dated.last_date', '<=', to);
  return claims.where('id', 'in', dated);
}

/** A page of a scope's claims; a split one counts once. The worker connection finds the ids. */
function pageOfArchivedClaims(
  ctx: Reading,
  scope: ArchiveScope,
  page: PageQuery,
): PageOf<ClaimRow> {
  return {
    count: () => countArchivedClaims(ctx.longReads, scope),
    pieces: archivedRows(ctx, scope, page),
  };
}

async function* archivedRows(
  ctx: Reading,
  scope: ArchiveScope,
  page: PageQuery,
): AsyncGenerator<ClaimRow[], void> {
  for (const ids of inBatches(await archivedIdsOfPage(ctx.longReads, scope, page), PIECE))
    yield await archivedClaimRows(ctx.db, ids);
}

async function countArchivedClaims(db: Db, scope: ArchiveScope): Promise<number> {
  const counted = archivedInScope(db, scope).select(({ fn }) => fn.countAll<number>().as('n'));
  return (await counted.executeTakeFirstOrThrow()).n;
}

/** The ids of one page of a scope's claims: its newest, the oldest of them first. */
async function archivedIdsOfPage(db: Db, scope: ArchiveScope, page: PageQuery): Promise<number[]> {
  const { most, last_id } = pageBounds(page);
  const ids = await archivedInScope(db, scope)
    .select('id')
    .where('id', '<=', last_id)
    .orderBy('id', 'desc')
    .limit(most)
    .execute();
  return ids.map(({ id }) => id).reverse();
}

/** Archived claims as calls answer claims. A deleted spot keeps its name. */
async function archivedClaimRows(db: Db, ids: readonly number[]): Promise<ClaimRow[]> {
  const claims = await readByIds(ids, (some) =>
    db.selectFrom('archived_claims').selectAll().where('id', 'in', some).orderBy('id').execute(),
  );
  const parts = await readByIds(ids, (some) =>
    db
      .selectFrom('archived_claim_parts')
      .selectAll()
      .where('claim_id', 'in', some)
      .orderBy('part_number')
      .execute(),
  );
  const partsOf = Map.groupBy(parts, (part) => part.claim_id);
  const labels = await findRespawnLabels(db, new Set(parts.map((part) => part.respawn_id)));
  const names = new Map(
    parts.map(({ claim_id, respawn_id, respawn_name }) => [
      `${claim_id} ${respawn_id}`,
      respawn_name,
    ]),
  );
  return claims.flatMap((claim) => {
    const whole: Claim = claimRecord({ ...claim, parts: partsOf.get(claim.id) ?? [] });
    return claimOnRespawns(whole).map((row) => {
      const was = names.get(`${row.id} ${row.respawn_id}`) ?? '';
      return { ...toClaimRow(row, labels.get(row.respawn_id)), respawn_name: was };
    });
  });
}

const route = routeFor<Reading>();

export const archiveRoutes = [
  route(
    {
      method: 'get',
      path: '/admin/archive/events',
      access: 'dashboard',
      summary: 'List archived events, newest first',
      query: pageQuery,
      answer: z.array(archivedEvent),
    },
    async ({ ctx, query, res }) => {
      await tellTotal(res, query, () => countRows(ctx.longReads, 'archived_events'));
      return archivedEvents(ctx.db, query);
    },
  ),
  route(
    {
      method: 'get',
      path: '/admin/archive/events/:id/claims',
      access: 'dashboard',
      summary:
        "List an archived event's claims in order of creation; a page counts a split claim once",
      params: z.object({ id: idInPath }),
      query: pageQuery,
      answer: z.array(claimRow),
    },
    async ({ ctx, params: { id }, query, res }) => {
      await assertArchived(ctx.db, id);
      return answerPage(res, query, pageOfArchivedClaims(ctx, { event_id: id }, query));
    },
  ),
  route(
    {
      method: 'get',
      path: '/admin/archive/claims',
      access: 'dashboard',
      summary:
        'List archived claims of all events and of none by last date; a page counts a split claim once',
      query: datedPageQuery,
      answer: z.array(claimRow),
    },
    ({ ctx, query: { from, to, ...page }, res }) =>
      answerPage(
        res,
        page,
        pageOfArchivedClaims(ctx, { ...(from && { from }), ...(to && { to }) }, page),
      ),
  ),
];
