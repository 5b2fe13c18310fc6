import type { ExpressionBuilder } from 'kysely';
import { omit } from '../../../shared/omit.ts';
import type { ClaimDates } from '../../../shared/rules/board.ts';
import { claimOnRespawns, splitClaimsOf } from '../../../shared/rules/claim-parts.ts';
import { eventDate } from '../../../shared/rules/event-period.ts';
import { type HourRange, without } from '../../../shared/rules/hours.ts';
import { nameKey } from '../../../shared/rules/names.ts';
import type { PlannedPart } from '../../../shared/rules/submission.ts';
import type {
  CharacterClaims,
  CharacterDates,
  Claim,
  ClaimOnDates,
  ClaimOnRespawn,
  ClaimRow,
} from '../../../shared/schemas/claim.ts';
import type { DatedPageQuery } from '../../../shared/schemas/fields.ts';
import {
  among,
  CLAIM_BATCH_SIZE,
  type Db,
  inBatches,
  PIECE,
  type Reading,
  readByIds,
  type Tx,
  yieldToEventLoop,
} from '../../db/database.ts';
import type { Database, Flag } from '../../db/schema.ts';
import { findRespawnLabels, type RespawnLabel } from '../records/respawns.ts';
import { type ClaimScope, countInScope, idsIn, idsOfPage, inScope } from './claim-scopes.ts';

/** A claim, the dates that it covers, and its event's name. */
export interface DatedClaim extends ClaimDates {
  claim: Claim;
  event_name: string | null;
}

/** A claim before and after a change; null: it was created, or it is gone. */
export interface ClaimChange {
  before: DatedClaim | null;
  after: DatedClaim | null;
  /** A secondary claim that changes because its primary claim does (R5.7). */
  follows?: true;
}

interface PartHours extends HourRange {
  part_number: number;
  respawn_id: number;
}

const partsOf = ({ claim }: DatedClaim): PartHours[] =>
  claimOnRespawns(claim).map(({ split_part_number, respawn_id, hour_start, hour_end }) => {
    return { part_number: split_part_number ?? 1, respawn_id, hour_start, hour_end };
  });

/** Whether a claim went to another character. */
export const isTransferred = (before: DatedClaim, after: DatedClaim): boolean =>
  nameKey(before.claim.character_name) !== nameKey(after.claim.character_name);

/** The hours that a claim no longer covers, by the parts it had; null: it is gone. */
export function hoursLost(before: DatedClaim, after: DatedClaim | null): PartHours[] {
  const isOnSameDates =
    after?.first_date === before.first_date && after.last_date === before.last_date;
  const kept = isOnSameDates ? partsOf(after) : [];
  return partsOf(before).flatMap((part) => {
    const onSameSpot = kept.filter(({ respawn_id }) => respawn_id === part.respawn_id);
    const lost = onSameSpot.reduce<HourRange[]>(
      (ranges, range) => ranges.flatMap((each) => without(each, range)),
      [part],
    );
    return lost.map(({ hour_start, hour_end }) => ({ ...part, hour_start, hour_end }));
  });
}

/** Whether a claim covers other hours than before. */
export const isMoved = (before: DatedClaim, after: DatedClaim): boolean =>
  hoursLost(before, after).length > 0 || hoursLost(after, before).length > 0;

export async function loadClaims(db: Db | Tx, scope: ClaimScope): Promise<Claim[]> {
  return (await loadDatedClaims(db, scope)).map(({ claim }) => claim);
}

/** `loadClaims` for a scope of any size. Yields to the event loop between batches, so call it within a transaction. */
export async function loadClaimsInBatches(tx: Tx, scope: ClaimScope): Promise<Claim[]> {
  return (await loadDatedClaimsInBatches(tx, scope)).map(({ claim }) => claim);
}

export async function loadDatedClaimsInBatches(tx: Tx, scope: ClaimScope): Promise<DatedClaim[]> {
  const ids = await idsIn(tx, scope).orderBy('claims.id').execute();
  const claims: DatedClaim[] = [];
  for (const some of inBatches(ids, CLAIM_BATCH_SIZE)) {
    await yieldToEventLoop();
    claims.push(...(await loadDatedClaims(tx, { type: 'ids', ids: some.map(({ id }) => id) })));
  }
  await yieldToEventLoop();
  return claims;
}

export async function loadDatedClaims(db: Db | Tx, scope: ClaimScope): Promise<DatedClaim[]> {
  if (scope.type !== 'ids')
    return wholeClaims(
      await partRows(db)
        .where((where) => inScope(db, where, scope))
        .execute(),
    );
  const ids = [...scope.ids].sort((a, b) => a - b);
  return wholeClaims(
    await readByIds(ids, (some) =>
      partRows(db)
        .where('claims.id', 'in', some)
        .where(among('claim_parts.claim_id', some))
        .execute(),
    ),
  );
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

/** @param rows sorted by claim and part */
function wholeClaims(rows: readonly PartRow[]): DatedClaim[] {
  const claims: DatedClaim[] = [];
  for (const row of rows) {
    const { part_number, last_date, to_confirm, event_name, event_start, ...claim } = omit(
      row,
      'character_key',
      'primary_claim_id',
    );
    const first_date = claim.date ?? eventDate(event_start ?? '');
    const part = {
      part_number,
      respawn_id: row.respawn_id,
      hour_start: row.hour_start,
      duration: row.hour_end - row.hour_start,
    };
    if (part_number === 1) {
      const split_parts = row.is_split_claim ? [part] : [];
      claims.push({
        claim: { ...claim, ...heldUntil(claim.held_until), split_parts, to_confirm: [] },
        first_date,
        last_date,
        event_name,
      });
    } else claims.at(-1)?.claim.split_parts.push(part);
    if (to_confirm) claims.at(-1)?.claim.to_confirm.push(part_number === 2 ? 2 : 1);
  }
  return claims;
}

/** A claim's row with the names of its spot. */
export function claimRow(claim: ClaimOnRespawn, respawn: RespawnLabel | undefined): ClaimRow {
  const split_claims = splitClaimsOf(claim);
  return {
    ...claim,
    ...(split_claims && { split_claims }),
    respawn_name: respawn?.name ?? '',
    respawn_image: respawn?.image ?? '',
    respawn_image_url: respawn?.image_url ?? '',
    category_id: respawn?.category_id ?? null,
    category_name: respawn?.category_name ?? null,
  };
}

/** The rows of claims as calls answer them; a split claim has one for each part. */
export async function claimRows(db: Db | Tx, claims: readonly Claim[]): Promise<ClaimRow[]> {
  const rows = claims.flatMap(claimOnRespawns);
  const labels = await findRespawnLabels(db, new Set(rows.map((row) => row.respawn_id)));
  return rows.map((row) => claimRow(row, labels.get(row.respawn_id)));
}

/** Excludes expired holds: they count as free, though no write has deleted them yet (R9.8). */
const isNotOver = (now: Date) => (where: ExpressionBuilder<Database, 'claims'>) =>
  where.or([
    where('claims.held_until', 'is', null),
    where('claims.held_until', '>', now.toISOString()),
  ]);

/** The claims of a character on a date, which prevent another one (R4.6). */
export async function characterClaims(
  { db, now }: Reading,
  { character_name, date }: { character_name: string; date: string },
): Promise<CharacterClaims> {
  const claimsForDate = await db
    .selectFrom('occupied_days')
    .innerJoin('claim_parts', 'claim_parts.claim_id', 'occupied_days.claim_id')
    .innerJoin('respawns', 'respawns.id', 'claim_parts.respawn_id')
    .select(['respawns.name as respawn_name', 'hour_start', 'hour_end'])
    .innerJoin('claims', 'claims.id', 'occupied_days.claim_id')
    .where('occupied_days.character_key', '=', nameKey(character_name))
    .where('occupied_days.date', '=', date)
    .where(isNotOver(now()))
    .orderBy('hour_start')
    .execute();
  return { hasClaimsForDate: claimsForDate.length > 0, claimsForDate };
}

/** The claims of a character within some dates, in the order of their dates. */
export async function characterDates(
  { db, now }: Reading,
  { character_name, from, to }: { character_name: string; from: string; to: string },
): Promise<CharacterDates> {
  const held = db
    .selectFrom('occupied_days')
    .innerJoin('claims', 'claims.id', 'occupied_days.claim_id')
    .where(isNotOver(now()))
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
    .select([
      'respawns.name as respawn_name',
      'hour_start',
      'hour_end',
      'first_date',
      'held.last_date',
    ])
    .orderBy('first_date')
    .orderBy('hour_start')
    .execute();
}

/** A claim's row and its parts, in order. */
interface ClaimAndParts
  extends Omit<
    Claim,
    | 'respawn_id'
    | 'hour_start'
    | 'hour_end'
    | 'split_parts'
    | 'to_confirm'
    | 'is_held'
    | 'held_until'
    | 'standing_id'
  > {
  /** Missing or null: it is no hold. */
  held_until?: string | null;
  /** Missing or null: no standing claim made it. */
  standing_id?: number | null;
  parts: readonly (Pick<PlannedPart, 'part_number' | 'respawn_id' | 'hour_start' | 'hour_end'> & {
    to_confirm?: Flag;
  })[];
}

const toConfirm = (parts: ClaimAndParts['parts']): Claim['to_confirm'] =>
  parts.flatMap(({ part_number, to_confirm }) => (to_confirm ? [part_number === 2 ? 2 : 1] : []));

/** The record of a claim from its rows; the same as `loadClaims` reads. */
export function claimRecord(claim: ClaimAndParts): Claim {
  const [first] = claim.parts;
  if (!first) throw new Error('a claim has a part');
  const splitParts = claim.parts.map(({ part_number, respawn_id, hour_start, hour_end }) => {
    return { part_number, respawn_id, hour_start, duration: hour_end - hour_start };
  });
  return {
    id: claim.id,
    event_id: claim.event_id,
    character_name: claim.character_name,
    member_type: claim.member_type,
    date: claim.date,
    respawn_id: first.respawn_id,
    hour_start: first.hour_start,
    hour_end: first.hour_end,
    custom_duration: claim.custom_duration,
    voucher_duration: claim.voucher_duration,
    is_secondary_claim: claim.is_secondary_claim,
    secondary_priority: claim.secondary_priority,
    is_split_claim: claim.is_split_claim,
    split_parts: claim.is_split_claim ? splitParts : [],
    to_confirm: toConfirm(claim.parts),
    created_at: claim.created_at,
    ...heldUntil(claim.held_until ?? null),
    standing_id: claim.standing_id ?? null,
  };
}

const heldUntil = (held_until: string | null): Pick<Claim, 'is_held' | 'held_until'> => ({
  is_held: held_until === null ? 0 : 1,
  held_until,
});

/** A page of a list, read in pieces. */
export interface PageOf<T> {
  /** How many there are on all pages. */
  count: () => Promise<number>;
  pieces: AsyncIterable<T[]>;
}

/** A page of a scope's claims; a split one counts once. The worker connection finds the ids, as that may read every claim. */
export function pageOfClaims(
  ctx: Reading,
  scope: ClaimScope,
  page: DatedPageQuery,
): PageOf<ClaimRow> {
  return {
    count: () => countInScope(ctx.longReads, scope, page),
    pieces: claimRowsOfPage(ctx, scope, page),
  };
}

/** The same for one spot: only the parts on it, with the dates that they cover. */
export function pageOfClaimsOn(
  ctx: Reading,
  scope: ClaimScope & { type: 'respawn' },
  page: DatedPageQuery,
): PageOf<ClaimOnDates> {
  return {
    count: () => countInScope(ctx.longReads, scope, page),
    pieces: onTheirDates(ctx, scope, claimRowsOfPage(ctx, scope, page)),
  };
}

async function* claimRowsOfPage(
  ctx: Reading,
  scope: ClaimScope,
  page: DatedPageQuery,
): AsyncGenerator<ClaimRow[], void> {
  for (const ids of inBatches(await idsOfPage(ctx.longReads, scope, page), PIECE)) {
    yield await claimRows(ctx.db, await loadClaims(ctx.db, { type: 'ids', ids }));
  }
}

async function* onTheirDates(
  ctx: Reading,
  scope: ClaimScope & { type: 'respawn' },
  pieces: AsyncIterable<ClaimRow[]>,
): AsyncGenerator<ClaimOnDates[], void> {
  for await (const piece of pieces) {
    const rows = piece.filter((row) => row.respawn_id === scope.respawn_id);
    const ofWholeEvents = rows.flatMap(({ date, event_id }) =>
      date === null && event_id !== null ? [event_id] : [],
    );
    const events = await readByIds([...new Set(ofWholeEvents)], (some) =>
      ctx.db
        .selectFrom('events')
        .select(['id', 'start_time', 'end_time'])
        .where('id', 'in', some)
        .execute(),
    );
    const periods = new Map(events.map(({ id, ...period }) => [id, period]));
    yield rows.flatMap((row) => {
      if (row.date !== null) return [{ ...row, first_date: row.date, last_date: row.date }];
      const period = row.event_id === null ? undefined : periods.get(row.event_id);
      // The event was deleted meanwhile, with its claims.
      return period
        ? [
            {
              ...row,
              first_date: eventDate(period.start_time),
              last_date: eventDate(period.end_time),
            },
          ]
        : [];
    });
  }
}
