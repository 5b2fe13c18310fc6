import { eventDate } from '../../../shared/rules/event-period.ts';
import type { ActivationAnswer, EventFacts } from '../../../shared/schemas/event.ts';
import { serverSaveToday } from '../../db/clock/server-save-clock.ts';
import {
  CLAIM_BATCH_SIZE,
  type Db,
  inBatches,
  type Reading,
  type Tx,
  yieldToEventLoop,
} from '../../db/database.ts';
import { type ClaimChange, loadDatedClaims } from '../claims/claim-records.ts';
import { type ClaimScope, countInScope, idsInBatches } from '../claims/claim-scopes.ts';
import { type ClaimWrite, manyClaimsChanged } from '../claims/claims-changed.ts';

/** The claims from today on, without holds, that lie within an event's dates and are of another event or of none. */
interface Outside {
  all: ClaimScope;
  /**
   * Those that fit into it (R3.13): they would cover the same dates and hours. A single_claim event has claims for all its dates,
   * another one only claims with a date.
   */
  fitting: ClaimScope;
}

/** @returns null: the event is over */
function outsideOf(
  { id: event_id, type, start_time, end_time }: EventFacts,
  today: string,
): Outside | null {
  const first = eventDate(start_time);
  const to = eventDate(end_time);
  if (to < today) return null;
  const from = first > today ? first : today;
  return {
    all: { type: 'elsewhere', event_id, from, to },
    fitting:
      type === 'single_claim'
        ? { type: 'whole-elsewhere', event_id, from: first, to }
        : { type: 'dated-elsewhere', event_id, from, to },
  };
}

/** How many upcoming claims of other events, or of none, lie within an event's dates, and how many of them fit into it. */
export async function countOutside(
  ctx: Reading,
  db: Db,
  event: EventFacts,
): Promise<ActivationAnswer> {
  const outside = outsideOf(event, serverSaveToday(ctx));
  if (!outside) return { outside: 0, fitting: 0 };
  return {
    outside: await countInScope(db, outside.all),
    fitting: await countInScope(db, outside.fitting),
  };
}

/** Makes the fitting claims the event's (R3.13). Their hours, spots and holders stay. @returns how many there were */
export async function takeClaims(unit: ClaimWrite, event: EventFacts): Promise<number> {
  const outside = outsideOf(event, serverSaveToday(unit.ctx));
  if (!outside) return 0;
  const ids: number[] = [];
  // All of them first: a taken claim is no longer in the scope.
  for await (const some of idsInBatches(unit.tx, outside.fitting)) ids.push(...some);
  return manyClaimsChanged(unit, takenInBatches(unit.tx, ids, event), {
    cause: 'taken_into_event',
  });
}

async function* takenInBatches(
  tx: Tx,
  ids: readonly number[],
  event: EventFacts,
): AsyncGenerator<ClaimChange[], void> {
  const isWhole = event.type === 'single_claim';
  for (const some of inBatches(ids, CLAIM_BATCH_SIZE)) {
    const before = await loadDatedClaims(tx, { type: 'ids', ids: some });
    await tx
      .updateTable('claims')
      .set({ event_id: event.id, ...(isWhole ? { date: null } : {}) })
      .where('id', 'in', some)
      .execute();
    // R9.24: claims of whole events are not confirmed.
    if (isWhole)
      await tx
        .updateTable('claim_parts')
        .set({ to_confirm: 0 })
        .where('claim_id', 'in', some)
        .execute();
    const after = new Map(
      (await loadDatedClaims(tx, { type: 'ids', ids: some })).map((dated) => [
        dated.claim.id,
        dated,
      ]),
    );
    yield before.map((dated) => ({ before: dated, after: after.get(dated.claim.id) ?? null }));
    await yieldToEventLoop();
  }
}
