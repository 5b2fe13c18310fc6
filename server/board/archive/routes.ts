import { z } from 'zod';
import { DomainError } from '../../../shared/errors.ts';
import { archivedEvent } from '../../../shared/schemas/archive.ts';
import { claimRow } from '../../../shared/schemas/claim.ts';
import { datedPageQuery, idInPath, pageQuery } from '../../../shared/schemas/fields.ts';
import { type Clock, countRows, type LongReader } from '../../db/database.ts';
import { answerPage, tellTotal } from '../../http/paging.ts';
import { routeFor } from '../../http/router.ts';
import { archivedEvents, isArchived, pageOfArchivedClaims } from './queries.ts';

const route = routeFor<LongReader & Clock>();

export const archiveRoutes = [
  route(
    {
      method: 'get',
      path: '/admin/archive/events',
      access: 'dashboard',
      summary: 'Events that were over for long and are archived, those that were made last first',
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
      summary: "An archived event's claims, in the order in which they were made; a page counts a split claim once",
      params: z.object({ id: idInPath }),
      query: pageQuery,
      answer: z.array(claimRow),
    },
    async ({ ctx, params: { id }, query, res }) => {
      if (!(await isArchived(ctx.db, id))) throw new DomainError('event.notFound');
      return answerPage(res, query, pageOfArchivedClaims(ctx, { event_id: id }, query));
    },
  ),
  route(
    {
      method: 'get',
      path: '/admin/archive/claims',
      access: 'dashboard',
      summary: 'Archived claims of all events and of none whose last date lies within some dates; a page counts a split claim once',
      query: datedPageQuery,
      answer: z.array(claimRow),
    },
    ({ ctx, query: { from, to, ...page }, res }) =>
      answerPage(res, page, pageOfArchivedClaims(ctx, { ...(from && { from }), ...(to && { to }) }, page)),
  ),
];
