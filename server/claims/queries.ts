import type { ExpressionBuilder } from 'kysely';
import { claimOnRespawns } from '../../shared/rules/claim-parts.ts';
import { nameKey } from '../../shared/rules/names.ts';
import type { CharacterClaims, Claim, ClaimOnRespawn, ClaimRow } from '../../shared/schemas/claim.ts';
import type { Respawn } from '../../shared/schemas/respawn.ts';
import { serverSaveToday } from '../config/clock.ts';
import type { Context } from '../context.ts';
import type { Db, Tx } from '../db/open.ts';
import type { ClaimPartsTable, ClaimsTable, Database, EventsTable } from '../db/schema.ts';
import { activePeriod } from '../events/queries.ts';
import { findRespawns } from '../respawns/queries.ts';

/** Which claims to load. */
export type ClaimScope =
  | { of: 'all' }
  | { of: 'ids'; ids: readonly number[] }
  | { of: 'event'; event_id: number }
  | { of: 'dates-from'; date: string }
  | { of: 'respawn'; respawn_id: number }
  /** Whatever occupies, or waits on, a respawn on a date, in any event. */
  | { of: 'respawn-day'; respawn_id: number; date: string };

/** The board shows the active event's claims; without one, today's and later ones. */
export async function boardScope(ctx: Pick<Context, 'env' | 'now'>, db: Db | Tx): Promise<ClaimScope> {
  const event = await activePeriod(db);
  return event ? { of: 'event', event_id: event.id } : { of: 'dates-from', date: serverSaveToday(ctx) };
}

type Tables = { claims: ClaimsTable; claim_parts: ClaimPartsTable; events: { [K in keyof EventsTable]: EventsTable[K] | null } };
type Where = ExpressionBuilder<Tables & Database, 'claims' | 'claim_parts' | 'events'>;

const standingOn = (where: Where, respawn_id: number) =>
  where.selectFrom('claim_parts as here').select('here.claim_id').where('here.respawn_id', '=', respawn_id);

function inScope(where: Where, scope: ClaimScope) {
  const lastDate = where.fn<string>('substr', ['events.end_time', where.lit(1), where.lit(10)]);
  const firstDate = where.fn<string>('substr', ['events.start_time', where.lit(1), where.lit(10)]);
  switch (scope.of) {
    case 'all':
      return where.lit(true);
    case 'ids':
      return where('claims.id', 'in', scope.ids);
    case 'event':
      return where('claims.event_id', '=', scope.event_id);
    case 'dates-from':
      return where.or([
        where('claims.date', '>=', scope.date),
        where.and([where('claims.date', 'is', null), where(lastDate, '>=', scope.date)]),
      ]);
    case 'respawn':
      return where('claims.id', 'in', standingOn(where, scope.respawn_id));
    case 'respawn-day': {
      const wholeEvent = where.and([
        where('claims.date', 'is', null),
        where(firstDate, '<=', scope.date),
        where(lastDate, '>=', scope.date),
      ]);
      return where.and([
        where('claims.id', 'in', standingOn(where, scope.respawn_id)),
        where.or([where('claims.date', '=', scope.date), wholeEvent]),
      ]);
    }
  }
}

/** The claims of a scope, each whole, in the order in which they were made. */
export async function loadClaims(db: Db | Tx, scope: ClaimScope): Promise<Claim[]> {
  if (scope.of === 'ids' && scope.ids.length === 0) return [];
  const rows = await db
    .selectFrom('claims')
    .innerJoin('claim_parts', 'claim_parts.claim_id', 'claims.id')
    .leftJoin('events', 'events.id', 'claims.event_id')
    .selectAll('claims')
    .select(['part_number', 'respawn_id', 'hour_start', 'hour_end'])
    .where((where) => inScope(where, scope))
    .orderBy('claims.id')
    .orderBy('part_number')
    .execute();
  const claims: Claim[] = [];
  for (const row of rows) {
    const { character_key: _, primary_claim_id: __, part_number, ...claim } = row;
    const part = { part_number, respawn_id: row.respawn_id, hour_start: row.hour_start, duration: row.hour_end - row.hour_start };
    if (part_number === 1) claims.push({ ...claim, split_parts: row.is_split_claim ? [part] : [] });
    else claims.at(-1)?.split_parts.push(part);
  }
  return claims;
}

/** Which of these claims the board shows: changes of the others are nobody's business there. */
export async function idsOnBoard(ctx: Pick<Context, 'env' | 'now'>, tx: Tx, ids: readonly number[]): Promise<Set<number>> {
  if (ids.length === 0) return new Set();
  const scope = await boardScope(ctx, tx);
  const rows = await tx
    .selectFrom('claims')
    .innerJoin('claim_parts', 'claim_parts.claim_id', 'claims.id')
    .leftJoin('events', 'events.id', 'claims.event_id')
    .select('claims.id')
    .where((where) => where.and([where('claims.id', 'in', ids), inScope(where, scope)]))
    .execute();
  return new Set(rows.map((row) => row.id));
}

/** A claim's row with the names of the respawn it stands on. */
export function claimRow(claim: ClaimOnRespawn, respawn: Respawn | undefined): ClaimRow {
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
  const ids = [...new Set(rows.map((row) => row.respawn_id))];
  const respawns = new Map((await findRespawns(db, { ids })).map((respawn) => [respawn.id, respawn]));
  return rows.map((row) => claimRow(row, respawns.get(row.respawn_id)));
}

/** The claims that a character already has on a date: they block another one (R4.6). */
export async function characterClaims(db: Db | Tx, character_name: string, date: string): Promise<CharacterClaims> {
  const claimsForDate = await db
    .selectFrom('occupied_days')
    .innerJoin('claim_parts', 'claim_parts.claim_id', 'occupied_days.claim_id')
    .innerJoin('respawns', 'respawns.id', 'claim_parts.respawn_id')
    .select(['respawns.name as respawn_name', 'hour_start', 'hour_end'])
    .where('character_key', '=', nameKey(character_name))
    .where('date', '=', date)
    .orderBy('hour_start')
    .execute();
  return { hasClaimsForDate: claimsForDate.length > 0, claimsForDate };
}
