import type { ExpressionBuilder, ExpressionWrapper, SqlBool } from 'kysely';
import { MAX_EVENT_DAYS } from '../../../shared/rules/event-period.ts';
import { nameKey } from '../../../shared/rules/names.ts';
import { addDays } from '../../../shared/rules/server-save.ts';
import type { DatedPageQuery } from '../../../shared/schemas/fields.ts';
import type { Respawn } from '../../../shared/schemas/respawn.ts';
import {
  BATCH_SIZE,
  type Db,
  inBatches,
  pageBounds,
  type Tx,
  yieldToEventLoop,
} from '../../db/database.ts';
import type { ClaimsTable, Database, EventsTable } from '../../db/schema.ts';

/** Which claims a query is about. */
export type ClaimScope =
  | { type: 'all' }
  | { type: 'ids'; ids: readonly number[] }
  | { type: 'event'; event_id: number }
  /** A character's claims, of all events or of all but one. */
  | { type: 'character'; character_name: string; except_event?: number | undefined }
  /** An event's claims outside of these dates, holds excluded. */
  | { type: 'event-outside'; event_id: number; first: string; last: string }
  | { type: 'dates-from'; date: string }
  /** The claims of some characters, given by their keys, that cover this date or a later one. */
  | { type: 'characters-from'; character_keys: readonly string[]; date: string }
  /** The claims on a spot: of all events, of one, or of all but one. */
  | { type: 'respawn'; respawn_id: number; event_id?: number; except_event?: number | undefined }
  /** The claims on spots, given with their claim counts, archived claims included. */
  | { type: 'respawns'; respawns: readonly Pick<Respawn, 'id' | 'total_claims'>[] }
  /** The claims that cover one of these dates, except this event's. */
  | { type: 'dates-elsewhere'; event_id: number; from: string; to: string }
  /** The same without holds. */
  | { type: 'elsewhere'; event_id: number; from: string; to: string }
  /** Of these, only those with one date of their own. */
  | { type: 'dated-elsewhere'; event_id: number; from: string; to: string }
  /** Of these, only those that cover all of the dates and no other. */
  | { type: 'whole-elsewhere'; event_id: number; from: string; to: string }
  | { type: 'except-event'; event_id: number }
  /** The claims on a spot that cover a date, secondary ones included. */
  | { type: 'respawn-day'; respawn_id: number; date: string };

const claimsOnSpot = (where: Where, respawn_id: number) =>
  where
    .selectFrom('claim_parts as here')
    .select('here.claim_id')
    .where('here.respawn_id', '=', respawn_id);

/** The spot's claims that may cover a date, by the index of last dates: an event lasts `MAX_EVENT_DAYS` at most. */
const mayCover = (here: ReturnType<typeof claimsOnSpot>, date: string) =>
  here
    .where('here.last_date', '>=', date)
    .where('here.last_date', '<', addDays(date, MAX_EVENT_DAYS));

export function inScope(db: Db | Tx, where: Where, scope: ClaimScope) {
  switch (scope.type) {
    case 'all':
      return where.lit(true);
    case 'ids':
      return where('claims.id', 'in', scope.ids);
    case 'event':
      return where('claims.event_id', '=', scope.event_id);
    case 'character':
      return scope.except_event === undefined
        ? isOf(where, scope.character_name)
        : where.and([isOf(where, scope.character_name), isElsewhere(where, scope.except_event)]);
    case 'event-outside':
      return where.and([
        where('claims.event_id', '=', scope.event_id),
        where.or([where('claims.date', '<', scope.first), where('claims.date', '>', scope.last)]),
        where('claims.held_until', 'is', null),
      ]);
    case 'dates-from':
      return where('claims.id', 'in', idsOnDates(db, { from: scope.date }));
    case 'characters-from':
      return where('claims.id', 'in', idsOfCharacters(db, scope.character_keys, scope.date));
    case 'except-event':
      return isElsewhere(where, scope.event_id);
    case 'dates-elsewhere':
      return where.and([
        where('claims.id', 'in', idsOnDates(db, { from: scope.from, to: scope.to })),
        isElsewhere(where, scope.event_id),
      ]);
    case 'elsewhere':
      return where.and([
        where('claims.id', 'in', idsOnDates(db, { from: scope.from, to: scope.to })),
        isElsewhere(where, scope.event_id),
        where('claims.held_until', 'is', null),
      ]);
    case 'dated-elsewhere':
      return where.and([
        where('claims.date', '>=', scope.from),
        where('claims.date', '<=', scope.to),
        isElsewhere(where, scope.event_id),
        where('claims.held_until', 'is', null),
      ]);
    case 'whole-elsewhere':
      return where.and([
        where('claims.id', 'in', idsOnDates(db, { from: scope.from, to: scope.to })),
        isElsewhere(where, scope.event_id),
        where('claims.held_until', 'is', null),
        coversExactly(where, scope),
      ]);
    case 'respawn': {
      const there = where('claims.id', 'in', claimsOnSpot(where, scope.respawn_id));
      if (scope.event_id !== undefined)
        return where.and([there, where('claims.event_id', '=', scope.event_id)]);
      if (scope.except_event === undefined) return there;
      return where.and([there, isElsewhere(where, scope.except_event)]);
    }
    case 'respawns':
      return where(
        'claims.id',
        'in',
        where
          .selectFrom('claim_parts as here')
          .select('here.claim_id')
          .where(
            'here.respawn_id',
            'in',
            scope.respawns.map(({ id }) => id),
          ),
      );
    case 'respawn-day':
      return where.and([
        where('claims.id', 'in', mayCover(claimsOnSpot(where, scope.respawn_id), scope.date)),
        liesWithin(where, { from: scope.date, to: scope.date }),
      ]);
  }
}

/** The ids of a scope's claims, as a subquery: their number doesn't matter. */
export const idsIn = (db: Db | Tx, scope: ClaimScope) =>
  db
    .selectFrom('claims')
    .leftJoin('events', 'events.id', 'claims.event_id')
    .select('claims.id')
    .where((where) => inScope(db, where, scope));

export async function countInScope(
  db: Db | Tx,
  scope: ClaimScope,
  dates: Dates = {},
): Promise<number> {
  const counted = idsWithin(db, scope, dates)
    .clearSelect()
    .select(({ fn }) => fn.countAll<number>().as('n'));
  return (await counted.executeTakeFirstOrThrow()).n;
}

/** The scope's claims that cover at least one of these dates. */
function idsWithin(db: Db | Tx, scope: ClaimScope, dates: Dates) {
  const ids = idsIn(db, scope);
  if (dates.from === undefined && dates.to === undefined) return ids;
  return ids.where((where) =>
    scope.type === 'all' || scope.type === 'except-event'
      ? where('claims.id', 'in', idsOnDates(db, dates))
      : liesWithin(where, dates),
  );
}

/** The ids of one page of a scope's claims: its newest, the oldest of them first. */
export async function idsOfPage(
  db: Db | Tx,
  scope: ClaimScope,
  page: DatedPageQuery,
): Promise<number[]> {
  const { most, last_id } = pageBounds(page);
  const ids = await idsWithin(db, scope, page)
    .where('claims.id', '<=', last_id)
    .orderBy('claims.id', 'desc')
    .limit(most)
    .execute();
  return ids.map(({ id }) => id).reverse();
}

type Tables = { claims: ClaimsTable; events: { [K in keyof EventsTable]: EventsTable[K] | null } };
type Where = ExpressionBuilder<Tables & Database, 'claims' | 'events'>;

/** Server-save dates, both ends included. */
type Dates = Pick<DatedPageQuery, 'from' | 'to'>;

const isOf = (where: Where, character_name: string) =>
  where('claims.character_key', '=', nameKey(character_name));

const isElsewhere = (where: Where, event_id: number) =>
  where.or([where('claims.event_id', 'is', null), where('claims.event_id', '!=', event_id)]);

/** Whether a claim covers all of these dates and no other. */
function coversExactly(where: Where, { from, to }: { from: string; to: string }) {
  const dateOf = (time: 'events.start_time' | 'events.end_time') =>
    where.fn<string>('substr', [time, where.lit(1), where.lit(10)]);
  const whole = where.and([
    where('claims.date', 'is', null),
    where(dateOf('events.start_time'), '=', from),
    where(dateOf('events.end_time'), '=', to),
  ]);
  return from === to ? where.or([whole, where('claims.date', '=', from)]) : whole;
}

/** The first moment after a date, in the format of event times. */
const after = (date: string): string => addDays(date, 1);

/** Whether a claim covers one of these dates. Does not use an index: combine it with a condition that does. */
function liesWithin(where: Where, { from, to }: Dates) {
  const isWhole = where('claims.date', 'is', null);
  const all: ExpressionWrapper<Tables & Database, 'claims' | 'events', SqlBool>[] = [];
  if (from !== undefined)
    all.push(
      where.or([
        where('claims.date', '>=', from),
        where.and([isWhole, where('events.end_time', '>=', from)]),
      ]),
    );
  if (to !== undefined)
    all.push(
      where.or([
        where('claims.date', '<=', to),
        where.and([isWhole, where('events.start_time', '<', after(to))]),
      ]),
    );
  return where.and(all);
}

/**
 * The ids of all claims that cover one of these dates: dated ones by the index of dates, whole-event ones by their event. One
 * condition for both would read every claim.
 */
function idsOnDates(db: Db | Tx, { from, to }: Dates) {
  let dated = db
    .selectFrom('claims as dated')
    .select('dated.id')
    .where('dated.date', 'is not', null);
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

/** The ids of characters' claims that cover a date or a later one, each kind by the index of characters and dates. */
function idsOfCharacters(db: Db | Tx, character_keys: readonly string[], date: string) {
  const dated = db
    .selectFrom('claims as dated')
    .select('dated.id')
    .where('dated.character_key', 'in', character_keys)
    .where('dated.date', '>=', date);
  const whole = db
    .selectFrom('claims as whole')
    .innerJoin('events as period', 'period.id', 'whole.event_id')
    .select('whole.id')
    .where('whole.character_key', 'in', character_keys)
    .where('whole.date', 'is', null)
    .where('period.end_time', '>=', date);
  return dated.unionAll(whole);
}

/** Ids looked up by one statement: a millisecond or two. */
const IDS_A_BATCH = 2_000;

/**
 * The ids of a scope's claims, each once. Yields to the event loop between batches, so call it within a transaction. The claims of
 * earlier batches may be deleted meanwhile.
 */
export async function* idsInBatches(tx: Tx, scope: ClaimScope): AsyncGenerator<number[], void> {
  if (scope.type === 'ids') return yield* inBatches(scope.ids, IDS_A_BATCH);
  if (scope.type === 'respawn') return yield* onRespawn(tx, scope);
  if (scope.type === 'respawns') return yield* onRespawns(tx, scope);
  for (let last = 0; ; await yieldToEventLoop()) {
    const found = idsIn(tx, scope)
      .where('claims.id', '>', last)
      .orderBy('claims.id')
      .limit(IDS_A_BATCH);
    const ids = (await found.execute()).map(({ id }) => id);
    yield ids;
    if (ids.length < IDS_A_BATCH) return;
    last = ids.at(-1) ?? last;
  }
}

/** In the order of the index of spots, or each batch would sort all remaining claims. */
async function* onRespawn(
  tx: Tx,
  { respawn_id, event_id, except_event }: ClaimScope & { type: 'respawn' },
): AsyncGenerator<number[], void> {
  for (let last = { date: '', id: 0 }; ; await yieldToEventLoop()) {
    const { date, id } = last;
    const found = await tx
      .selectFrom('claim_parts')
      .select(['last_date', 'claim_id'])
      .distinct()
      .where('respawn_id', '=', respawn_id)
      .where(({ eb, refTuple, tuple }) =>
        eb(refTuple('last_date', 'claim_id'), '>', tuple(date, id)),
      )
      .orderBy('last_date')
      .orderBy('claim_id')
      .limit(IDS_A_BATCH)
      .execute();
    const ids = found.map(({ claim_id }) => claim_id);
    yield event_id === undefined && except_event === undefined
      ? ids
      : await filterByEvent(tx, ids, { event_id, except_event });
    const end = found.at(-1);
    if (!end || found.length < IDS_A_BATCH) return;
    last = { date: end.last_date, id: end.claim_id };
  }
}

/** Spots with few claims share a batch. A split claim may be on two of the spots. */
async function* onRespawns(
  tx: Tx,
  { respawns }: ClaimScope & { type: 'respawns' },
): AsyncGenerator<number[], void> {
  const seen = new Set<number>();
  const unseen = (ids: readonly number[]): number[] =>
    ids.filter((id) => !seen.has(id) && seen.add(id));
  for (const some of groupSpots(respawns)) {
    const [only, another] = some;
    if (only === undefined) continue;
    if (another === undefined) {
      for await (const ids of onRespawn(tx, { type: 'respawn', respawn_id: only }))
        yield unseen(ids);
    } else {
      const found = await tx
        .selectFrom('claim_parts')
        .select('claim_id')
        .distinct()
        .where('respawn_id', 'in', some)
        .execute();
      yield unseen(found.map(({ claim_id }) => claim_id));
      await yieldToEventLoop();
    }
  }
}

/** Groups of spots that together have no more claims than one batch. */
function* groupSpots(
  respawns: readonly { id: number; total_claims: number }[],
): Generator<number[], void> {
  let some: number[] = [];
  let claims = 0;
  for (const { id, total_claims } of respawns) {
    if (some.length > 0 && (claims + total_claims > IDS_A_BATCH || some.length === BATCH_SIZE)) {
      yield some;
      some = [];
      claims = 0;
    }
    some.push(id);
    claims += total_claims;
  }
  yield some;
}

interface OfEvent {
  event_id: number | undefined;
  except_event: number | undefined;
}

async function filterByEvent(
  tx: Tx,
  ids: readonly number[],
  { event_id, except_event }: OfEvent,
): Promise<number[]> {
  const kept: number[] = [];
  for (const some of inBatches(ids)) {
    const claims = await tx
      .selectFrom('claims')
      .select(['id', 'event_id'])
      .where('id', 'in', some)
      .execute();
    for (const claim of claims)
      if (event_id === undefined ? claim.event_id !== except_event : claim.event_id === event_id)
        kept.push(claim.id);
  }
  return kept;
}

/** The ids of a scope's claims in ascending order; null if there are more than `most`. */
export async function idsUpTo(tx: Tx, scope: ClaimScope, most: number): Promise<number[] | null> {
  const ids: number[] = [];
  for await (const some of idsInBatches(tx, scope)) {
    ids.push(...some);
    if (ids.length > most) return null;
  }
  return ids.sort((a, b) => a - b);
}
