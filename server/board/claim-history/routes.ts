import { sql } from 'kysely';
import { z } from 'zod';
import { nameKey } from '../../../shared/rules/names.ts';
import {
  type Ending,
  type EndingsQuery,
  ending,
  endingsQuery,
  myEndingsQuery,
} from '../../../shared/schemas/ending.ts';
import { MAX_PAGE } from '../../../shared/schemas/fields.ts';
import { endedTransfer } from '../../../shared/schemas/transfer.ts';
import { wait } from '../../../shared/schemas/wait.ts';
import {
  type Db,
  inBatches,
  PIECE,
  pageBounds,
  type Reading,
  readByIds,
} from '../../db/database.ts';
import { answerPage } from '../../http/paging.ts';
import { routeFor } from '../../http/router.ts';
import { daysBefore } from '../../jobs/job-kind.ts';
import type { PageOf } from '../claims/claim-records.ts';
import { endedTransfersOf } from '../records/transfers.ts';
import { endedEntriesOf } from '../waitlist/waitlist-store.ts';

const COLUMNS = [
  'id',
  'claim_id',
  'character_name',
  'member_type',
  'respawn_id',
  'respawn_name',
  'event_id',
  'date',
  'hour_start',
  'hour_end',
  'made_at',
  'ended_at',
  'reason',
  'ended_by as by',
  'standing_id',
  'to_name',
  'excused_by',
] as const;

/** The claim history of a character since some moment, the newest first. */
function endingsOf(db: Db, character_key: string, since: string): Promise<Ending[]> {
  return db
    .selectFrom('claim_endings')
    .select(COLUMNS)
    .where('character_key', '=', character_key)
    .where('ended_at', '>=', since)
    .orderBy('ended_at', 'desc')
    .orderBy('id', 'desc')
    .limit(MAX_PAGE)
    .execute();
}

/** A page of the claim history, the newest first. The worker connection finds the ids, as that may read every row. */
function pageOfEndings(ctx: Reading, query: EndingsQuery): PageOf<Ending> {
  return { count: () => countEndings(ctx.longReads, query), pieces: piecesOf(ctx, query) };
}

async function* piecesOf(ctx: Reading, query: EndingsQuery): AsyncGenerator<Ending[], void> {
  const { most, last_id } = pageBounds(query);
  const found = inQuery(ctx.longReads, query)
    .select('id')
    .where('id', '<=', last_id)
    .orderBy('id', 'desc')
    .limit(most);
  const ids = (await found.execute()).map(({ id }) => id);
  for (const some of inBatches(ids, PIECE)) {
    const rows = await readByIds(some, (few) =>
      ctx.db.selectFrom('claim_endings').select(COLUMNS).where('id', 'in', few).execute(),
    );
    yield rows.sort((one, other) => other.id - one.id);
  }
}

async function countEndings(db: Db, query: EndingsQuery): Promise<number> {
  const counted = inQuery(db, query).select(({ fn }) => fn.countAll<number>().as('n'));
  return (await counted.executeTakeFirstOrThrow()).n;
}

/** An expression, so that the planner searches the index of characters instead of the reason's. */
const REASON = sql<string>`reason || ''`;

function inQuery(db: Db, { reason, from, to, character }: EndingsQuery) {
  const all = db.selectFrom('claim_endings');
  const character_key = character === undefined ? undefined : nameKey(character);
  const endings =
    character_key === undefined ? all : all.where('character_key', '=', character_key);
  if (from === undefined && to === undefined) {
    if (reason === undefined) return endings;
    return endings.where(character_key === undefined ? 'reason' : REASON, '=', reason);
  }
  // A subquery, so that a page is read in the order of ids without sorting all rows within the dates.
  let dated = db.selectFrom('claim_endings as dated').select('dated.id');
  if (from !== undefined) dated = dated.where('dated.last_date', '>=', from);
  if (to !== undefined) dated = dated.where('dated.last_date', '<=', to);
  if (character_key !== undefined) dated = dated.where('dated.character_key', '=', character_key);
  if (reason !== undefined)
    dated = dated.where(character_key === undefined ? 'dated.reason' : REASON, '=', reason);
  return endings.where('id', 'in', dated);
}

const route = routeFor<Reading>();

export const endingRoutes = [
  route(
    {
      method: 'get',
      path: '/endings/mine',
      access: 'reader',
      summary:
        "List how the member's claims, waitlist entries and transfers ended, newest first, 500 at most; empty without a character",
      query: myEndingsQuery,
      answer: z.object({
        endings: z.array(ending),
        waits: z.array(wait),
        transfers: z.array(endedTransfer),
      }),
    },
    async ({ ctx, caller, query }) => {
      if (caller.role !== 'member') return { endings: [], waits: [], transfers: [] };
      const since = daysBefore(ctx.now(), query.days);
      const [endings, waits, transfers] = await Promise.all([
        endingsOf(ctx.db, caller.character_key, since),
        endedEntriesOf(ctx.db, caller.character_key, since),
        endedTransfersOf(ctx.db, caller.character_key, since),
      ]);
      return { endings, waits, transfers };
    },
  ),
  route(
    {
      method: 'get',
      path: '/admin/endings',
      access: 'dashboard',
      summary:
        'List ended claims with their reasons, newest first, optionally by character or last date; one row for each part of a claim',
      query: endingsQuery,
      answer: z.array(ending),
    },
    ({ ctx, query, res }) => answerPage(res, query, pageOfEndings(ctx, query)),
  ),
];
