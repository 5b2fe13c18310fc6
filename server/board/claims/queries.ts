import type { ExpressionBuilder } from 'kysely';
import type { ClaimDates } from '../../../shared/rules/board.ts';
import { claimOnRespawns } from '../../../shared/rules/claim-parts.ts';
import { eventDate, MAX_EVENT_DAYS } from '../../../shared/rules/event-period.ts';
import { nameKey } from '../../../shared/rules/names.ts';
import { addDays } from '../../../shared/rules/server-save.ts';
import type { CharacterClaims, CharacterDates, Claim, ClaimOnRespawn, ClaimRow } from '../../../shared/schemas/claim.ts';
import type { DatedPageQuery } from '../../../shared/schemas/fields.ts';
import type { Respawn } from '../../../shared/schemas/respawn.ts';
import { among, breathe, byIds, inBatches } from '../../db/batches.ts';
import type { Db, Tx } from '../../db/open.ts';
import { rowsOfPage } from '../../db/page.ts';
import type { Database } from '../../db/schema.ts';
import type { Writing } from '../../jobs/writing.ts';
import { findPlaces, type Place } from '../respawns/queries.ts';
import { readGuildNow } from './guild-now.ts';
import { type Dates, idsOnDates, liesWithin, type Where } from './on-dates.ts';
import { heldUntil } from './record-of.ts';

/** Which claims to load. */
export type ClaimScope =
  | { of: 'all' }
  | { of: 'ids'; ids: readonly number[] }
  | { of: 'event'; event_id: number }
  /** An event's claims on dates before the first or after the last of these, but for what is only held. */
  | { of: 'event-outside'; event_id: number; first: string; last: string }
  | { of: 'dates-from'; date: string }
  /** Whatever stands on a respawn; with an event, of that one only, or of all but that one. */
  | { of: 'respawn'; respawn_id: number; event_id?: number; except_event?: number | undefined }
  /** Whatever stands on respawns, given with how many claims each has, or had. */
  | { of: 'respawns'; respawns: readonly Pick<Respawn, 'id' | 'total_claims'>[] }
  /** Claims that cover one of these dates, but for an event's. */
  | { of: 'dates-elsewhere'; event_id: number; from: string; to: string }
  /** Whatever occupies, or waits on, a respawn on a date, in any event. */
  | { of: 'respawn-day'; respawn_id: number; date: string };

/** The claims that the board shows, as `isOnBoard` tells them. */
export async function boardScope(ctx: Pick<Writing, 'env' | 'now'>, db: Db | Tx): Promise<ClaimScope> {
  const { active_event, today } = await readGuildNow(ctx, db);
  return active_event ? { of: 'event', event_id: active_event.id } : { of: 'dates-from', date: today };
}

const standingOn = (where: Where, respawn_id: number) =>
  where.selectFrom('claim_parts as here').select('here.claim_id').where('here.respawn_id', '=', respawn_id);

/** Of a spot's claims those that may cover a date: over then or later, yet no later than the longest event that began on it. */
const overWithinAnEvent = (here: ReturnType<typeof standingOn>, date: string) =>
  here.where('here.last_date', '>=', date).where('here.last_date', '<', addDays(date, MAX_EVENT_DAYS));

function inScope(db: Db | Tx, where: Where, scope: ClaimScope) {
  switch (scope.of) {
    case 'all':
      return where.lit(true);
    case 'ids':
      return where('claims.id', 'in', scope.ids);
    case 'event':
      return where('claims.event_id', '=', scope.event_id);
    case 'event-outside':
      return where.and([
        where('claims.event_id', '=', scope.event_id),
        where.or([where('claims.date', '<', scope.first), where('claims.date', '>', scope.last)]),
        where('claims.held_until', 'is', null),
      ]);
    case 'dates-from':
      return where('claims.id', 'in', idsOnDates(db, { from: scope.date }));
    case 'dates-elsewhere':
      return where.and([
        where('claims.id', 'in', idsOnDates(db, { from: scope.from, to: scope.to })),
        where.or([where('claims.event_id', 'is', null), where('claims.event_id', '!=', scope.event_id)]),
      ]);
    case 'respawn': {
      const there = where('claims.id', 'in', standingOn(where, scope.respawn_id));
      if (scope.event_id !== undefined) return where.and([there, where('claims.event_id', '=', scope.event_id)]);
      if (scope.except_event === undefined) return there;
      return where.and([there, where.or([where('claims.event_id', 'is', null), where('claims.event_id', '!=', scope.except_event)])]);
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
        where('claims.id', 'in', overWithinAnEvent(standingOn(where, scope.respawn_id), scope.date)),
        liesWithin(where, { from: scope.date, to: scope.date }),
      ]);
  }
}

/** The ids of a scope's claims, as a subquery: however many they are, no statement names each. */
export const idsIn = (db: Db | Tx, scope: ClaimScope) =>
  db
    .selectFrom('claims')
    .leftJoin('events', 'events.id', 'claims.event_id')
    .select('claims.id')
    .where((where) => inScope(db, where, scope));

export async function countIn(db: Db | Tx, scope: ClaimScope, dates: Dates = {}): Promise<number> {
  const counted = idsWithin(db, scope, dates)
    .clearSelect()
    .select(({ fn }) => fn.countAll<number>().as('n'));
  return (await counted.executeTakeFirstOrThrow()).n;
}

/** Those that lie, with at least one of their dates, within these. */
function idsWithin(db: Db | Tx, scope: ClaimScope, dates: Dates) {
  const ids = idsIn(db, scope);
  if (dates.from === undefined && dates.to === undefined) return ids;
  return ids.where((where) => (scope.of === 'all' ? where('claims.id', 'in', idsOnDates(db, dates)) : liesWithin(where, dates)));
}

/** A claim, the dates that it covers, and its event's name. */
export interface DatedClaim extends ClaimDates {
  claim: Claim;
  event_name: string | null;
}

/** The claims of a scope, each whole, in the order in which they were made. */
export async function loadClaims(db: Db | Tx, scope: ClaimScope): Promise<Claim[]> {
  return (await loadDatedClaims(db, scope)).map(({ claim }) => claim);
}

/** Claims that are read and made in one turn of the event loop: some milliseconds. */
const CLAIMS_A_TURN = 250;

/** The same for a scope of any size, with turns of the event loop in between, and so within a transaction only. */
export async function loadClaimsInTurns(tx: Tx, scope: ClaimScope): Promise<Claim[]> {
  return (await loadDatedClaimsInTurns(tx, scope)).map(({ claim }) => claim);
}

export async function loadDatedClaimsInTurns(tx: Tx, scope: ClaimScope): Promise<DatedClaim[]> {
  const ids = await idsIn(tx, scope).orderBy('claims.id').execute();
  const claims: DatedClaim[] = [];
  for (const some of inBatches(ids, CLAIMS_A_TURN)) {
    await breathe();
    claims.push(...(await loadDatedClaims(tx, { of: 'ids', ids: some.map(({ id }) => id) })));
  }
  await breathe();
  return claims;
}

export async function loadDatedClaims(db: Db | Tx, scope: ClaimScope): Promise<DatedClaim[]> {
  if (scope.of !== 'ids')
    return wholeClaims(
      await partRows(db)
        .where((where) => inScope(db, where, scope))
        .execute(),
    );
  const ids = [...scope.ids].sort((a, b) => a - b);
  return wholeClaims(
    await byIds(ids, (some) => partRows(db).where('claims.id', 'in', some).where(among('claim_parts.claim_id', some)).execute()),
  );
}

/** The ids of one page of a scope's claims: its newest, in the order in which they were made. */
export async function idsOfPage(db: Db | Tx, scope: ClaimScope, page: DatedPageQuery): Promise<number[]> {
  const { most, last_id } = rowsOfPage(page);
  const ids = await idsWithin(db, scope, page).where('claims.id', '<=', last_id).orderBy('claims.id', 'desc').limit(most).execute();
  return ids.map(({ id }) => id).reverse();
}

const partRows = (db: Db | Tx) =>
  db
    .selectFrom('claims')
    .innerJoin('claim_parts', 'claim_parts.claim_id', 'claims.id')
    .leftJoin('events', 'events.id', 'claims.event_id')
    .selectAll('claims')
    .select(['part_number', 'respawn_id', 'hour_start', 'hour_end', 'last_date', 'to_confirm'])
    .select(['events.name as event_name', 'events.start_time as event_start'])
    .orderBy('claims.id')
    .orderBy('part_number');
type PartRow = Awaited<ReturnType<ReturnType<typeof partRows>['execute']>>[number];

/** @param rows a claim's parts one after the other */
function wholeClaims(rows: readonly PartRow[]): DatedClaim[] {
  const claims: DatedClaim[] = [];
  for (const row of rows) {
    const { character_key: _, primary_claim_id: __, part_number, last_date, to_confirm, event_name, event_start, ...claim } = row;
    const first_date = claim.date ?? eventDate(event_start ?? '');
    const part = { part_number, respawn_id: row.respawn_id, hour_start: row.hour_start, duration: row.hour_end - row.hour_start };
    if (part_number === 1) {
      const split_parts = row.is_split_claim ? [part] : [];
      claims.push({ claim: { ...claim, ...heldUntil(claim.held_until), split_parts, to_confirm: [] }, first_date, last_date, event_name });
    } else claims.at(-1)?.claim.split_parts.push(part);
    if (to_confirm) claims.at(-1)?.claim.to_confirm.push(part_number === 2 ? 2 : 1);
  }
  return claims;
}

/** A claim's row with the names of the respawn it stands on. */
export function claimRow(claim: ClaimOnRespawn, respawn: Place | undefined): ClaimRow {
  return {
    ...claim,
    respawn_name: respawn?.name ?? '',
    respawn_image: respawn?.image ?? '',
    respawn_image_url: respawn?.image_url ?? '',
    category_id: respawn?.category_id ?? null,
    category_name: respawn?.category_name ?? null,
  };
}

/** The rows of claims, each with its respawn's names; a split claim has one for each part. */
export async function claimRows(db: Db | Tx, claims: readonly Claim[]): Promise<ClaimRow[]> {
  const rows = claims.flatMap(claimOnRespawns);
  const places = await findPlaces(db, new Set(rows.map((row) => row.respawn_id)));
  return rows.map((row) => claimRow(row, places.get(row.respawn_id)));
}

/** Claims, and holds that are not over: those count as free, though no write has ended them yet (R9.8). */
const isNotOver = (now: Date) => (where: ExpressionBuilder<Database, 'claims'>) =>
  where.or([where('claims.held_until', 'is', null), where('claims.held_until', '>', now.toISOString())]);

/** The claims that a character already has on a date: they block another one (R4.6). */
export async function characterClaims(db: Db | Tx, character_name: string, date: string, now: Date): Promise<CharacterClaims> {
  const claimsForDate = await db
    .selectFrom('occupied_days')
    .innerJoin('claim_parts', 'claim_parts.claim_id', 'occupied_days.claim_id')
    .innerJoin('respawns', 'respawns.id', 'claim_parts.respawn_id')
    .select(['respawns.name as respawn_name', 'hour_start', 'hour_end'])
    .innerJoin('claims', 'claims.id', 'occupied_days.claim_id')
    .where('occupied_days.character_key', '=', nameKey(character_name))
    .where('occupied_days.date', '=', date)
    .where(isNotOver(now))
    .orderBy('hour_start')
    .execute();
  return { hasClaimsForDate: claimsForDate.length > 0, claimsForDate };
}

/** What a character holds on dates from the first to the last, in their order. */
export async function characterDates(
  db: Db | Tx,
  character_name: string,
  { from, to }: { from: string; to: string },
  now: Date,
): Promise<CharacterDates> {
  const held = db
    .selectFrom('occupied_days')
    .innerJoin('claims', 'claims.id', 'occupied_days.claim_id')
    .where(isNotOver(now))
    .select(({ fn }) => [
      'occupied_days.claim_id',
      fn.min('occupied_days.date').as('first_date'),
      fn.max('occupied_days.date').as('last_date'),
    ])
    .where('occupied_days.character_key', '=', nameKey(character_name))
    .where('occupied_days.date', '>=', from)
    .where('occupied_days.date', '<=', to)
    .groupBy('occupied_days.claim_id')
    .as('held');
  return db
    .selectFrom(held)
    .innerJoin('claim_parts', 'claim_parts.claim_id', 'held.claim_id')
    .innerJoin('respawns', 'respawns.id', 'claim_parts.respawn_id')
    .select(['respawns.name as respawn_name', 'hour_start', 'hour_end', 'first_date', 'held.last_date'])
    .orderBy('first_date')
    .orderBy('hour_start')
    .execute();
}
