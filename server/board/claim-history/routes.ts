import { z } from 'zod';
import { ending, endingsQuery, myEndingsQuery } from '../../../shared/schemas/ending.ts';
import { wait } from '../../../shared/schemas/wait.ts';
import type { Clock, LongReader } from '../../db/database.ts';
import { answerPage } from '../../http/paging.ts';
import { routeFor } from '../../http/router.ts';
import { daysBefore } from '../../jobs/job-kind.ts';
import { endedEntriesOf } from '../waitlist/waitlist-store.ts';
import { endingsOf, pageOfEndings } from './queries.ts';

const route = routeFor<LongReader & Clock>();

export const endingRoutes = [
  route(
    {
      method: 'get',
      path: '/endings/mine',
      access: 'reader',
      summary: "What became of a member's claims and waits, the newest first, 500 at most; of whoever has no character nothing",
      query: myEndingsQuery,
      answer: z.object({ endings: z.array(ending), waits: z.array(wait) }),
    },
    async ({ ctx, caller, query }) => {
      if (caller.role !== 'member') return { endings: [], waits: [] };
      const since = daysBefore(ctx.now(), query.days);
      const [endings, waits] = await Promise.all([
        endingsOf(ctx.db, caller.character_key, since),
        endedEntriesOf(ctx.db, caller.character_key, since),
      ]);
      return { endings, waits };
    },
  ),
  route(
    {
      method: 'get',
      path: '/admin/endings',
      access: 'dashboard',
      summary:
        'Why claims ended, the newest first, of all or of those whose last date lies within some dates; a row for each part of a claim',
      query: endingsQuery,
      answer: z.array(ending),
    },
    ({ ctx, query, res }) => answerPage(res, query, pageOfEndings(ctx, query)),
  ),
];
