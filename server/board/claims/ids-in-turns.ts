import { breathe, IDS_A_STATEMENT, inBatches } from '../../db/batches.ts';
import type { Tx } from '../../db/open.ts';
import { type ClaimScope, idsIn } from './queries.ts';

/** Ids that are looked up at once: a millisecond or two. */
const IDS_A_TURN = 2_000;

/**
 * The ids of a scope's claims, each once, some at a time with turns of the event loop in between, and so within a transaction
 * only. Those that were given out may be deleted meanwhile.
 */
export async function* idsInTurns(tx: Tx, scope: ClaimScope): AsyncGenerator<number[], void> {
  if (scope.of === 'ids') return yield* inBatches(scope.ids, IDS_A_TURN);
  if (scope.of === 'respawn') return yield* onRespawn(tx, scope);
  if (scope.of === 'respawns') return yield* onRespawns(tx, scope);
  for (let last = 0; ; await breathe()) {
    const found = idsIn(tx, scope).where('claims.id', '>', last).orderBy('claims.id').limit(IDS_A_TURN);
    const ids = (await found.execute()).map(({ id }) => id);
    yield ids;
    if (ids.length < IDS_A_TURN) return;
    last = ids.at(-1) ?? last;
  }
}

/** In the order of the index that has a spot's claims, or each look would sort all that are left. */
async function* onRespawn(tx: Tx, { respawn_id, event_id, except_event }: ClaimScope & { of: 'respawn' }): AsyncGenerator<number[], void> {
  for (let last = { date: '', id: 0 }; ; await breathe()) {
    const { date, id } = last;
    const found = await tx
      .selectFrom('claim_parts')
      .select(['last_date', 'claim_id'])
      .distinct()
      .where('respawn_id', '=', respawn_id)
      .where(({ eb, refTuple, tuple }) => eb(refTuple('last_date', 'claim_id'), '>', tuple(date, id)))
      .orderBy('last_date')
      .orderBy('claim_id')
      .limit(IDS_A_TURN)
      .execute();
    const ids = found.map(({ claim_id }) => claim_id);
    yield event_id === undefined && except_event === undefined ? ids : await ofEvent(tx, ids, { event_id, except_event });
    const end = found.at(-1);
    if (!end || found.length < IDS_A_TURN) return;
    last = { date: end.last_date, id: end.claim_id };
  }
}

/** Of spots with few claims several at a look. A split claim may stand on two of them. */
async function* onRespawns(tx: Tx, { respawns }: ClaimScope & { of: 'respawns' }): AsyncGenerator<number[], void> {
  const seen = new Set<number>();
  const unseen = (ids: readonly number[]): number[] => ids.filter((id) => !seen.has(id) && seen.add(id));
  for (const some of looksAt(respawns)) {
    const [only, another] = some;
    if (only === undefined) continue;
    if (another === undefined) {
      for await (const ids of onRespawn(tx, { of: 'respawn', respawn_id: only })) yield unseen(ids);
    } else {
      const found = await tx.selectFrom('claim_parts').select('claim_id').distinct().where('respawn_id', 'in', some).execute();
      yield unseen(found.map(({ claim_id }) => claim_id));
      await breathe();
    }
  }
}

/** Spots, as many at once as have no more claims together than one look is for. */
function* looksAt(respawns: readonly { id: number; total_claims: number }[]): Generator<number[], void> {
  let some: number[] = [];
  let claims = 0;
  for (const { id, total_claims } of respawns) {
    if (some.length > 0 && (claims + total_claims > IDS_A_TURN || some.length === IDS_A_STATEMENT)) {
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

async function ofEvent(tx: Tx, ids: readonly number[], { event_id, except_event }: OfEvent): Promise<number[]> {
  const kept: number[] = [];
  for (const some of inBatches(ids)) {
    const claims = await tx.selectFrom('claims').select(['id', 'event_id']).where('id', 'in', some).execute();
    for (const claim of claims)
      if (event_id === undefined ? claim.event_id !== except_event : claim.event_id === event_id) kept.push(claim.id);
  }
  return kept;
}

/** The ids of a scope's claims in the order in which they were made, where they are no more than this; null for more. */
export async function idsOfFew(tx: Tx, scope: ClaimScope, most: number): Promise<number[] | null> {
  const ids: number[] = [];
  for await (const some of idsInTurns(tx, scope)) {
    ids.push(...some);
    if (ids.length > most) return null;
  }
  return ids.sort((a, b) => a - b);
}
