import { z } from 'zod';
import { DomainError } from '../../shared/errors.ts';
import { archivedEvent } from '../../shared/schemas/archive.ts';
import { type ClaimRow, claimRow } from '../../shared/schemas/claim.ts';
import { datedPageQuery, idInPath, type PageQuery, pageQuery } from '../../shared/schemas/fields.ts';
import type { Context } from '../context.ts';
import { inBatches } from '../db/batches.ts';
import { countRows } from '../db/page.ts';
import { tellTotal } from '../http/listed.ts';
import { type Answering, inPieces, PIECE } from '../http/pieces.ts';
import { type Route, route, type SENT } from '../http/route.ts';
import { type ArchiveScope, archivedClaimRows, archivedEvents, archivedIdsOfPage, countArchivedClaims, isArchived } from './queries.ts';

async function answerArchived(ctx: Context, res: Answering, scope: ArchiveScope, page: PageQuery): Promise<ClaimRow[] | typeof SENT> {
  await tellTotal(res, page, () => countArchivedClaims(ctx.aside, scope));
  return inPieces(res, rowsOfPage(ctx, scope, page));
}

async function* rowsOfPage(ctx: Context, scope: ArchiveScope, page: PageQuery): AsyncGenerator<ClaimRow[], void> {
  for (const ids of inBatches(await archivedIdsOfPage(ctx.aside, scope, page), PIECE)) yield await archivedClaimRows(ctx.db, ids);
}

export const archiveRoutes: Route[] = [
  route(
    {
      method: 'get',
      path: '/admin/archive/events',
      access: 'admin',
      summary: 'Events that were over for long and are archived, those that were made last first',
      query: pageQuery,
      answer: z.array(archivedEvent),
    },
    async ({ ctx, query, res }) => {
      await tellTotal(res, query, () => countRows(ctx.aside, 'archived_events'));
      return archivedEvents(ctx.db, query);
    },
  ),
  route(
    {
      method: 'get',
      path: '/admin/archive/events/:id/claims',
      access: 'admin',
      summary: "An archived event's claims, in the order in which they were made; a page counts a split claim once",
      params: z.object({ id: idInPath }),
      query: pageQuery,
      answer: z.array(claimRow),
    },
    async ({ ctx, params: { id }, query, res }) => {
      if (!(await isArchived(ctx.db, id))) throw new DomainError('event.notFound');
      return answerArchived(ctx, res, { event_id: id }, query);
    },
  ),
  route(
    {
      method: 'get',
      path: '/admin/archive/claims',
      access: 'admin',
      summary: 'Archived claims of all events and of none whose last date lies within some dates; a page counts a split claim once',
      query: datedPageQuery,
      answer: z.array(claimRow),
    },
    ({ ctx, query: { from, to, ...page }, res }) => answerArchived(ctx, res, { ...(from && { from }), ...(to && { to }) }, page),
  ),
];
