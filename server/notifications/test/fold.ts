import type { Claim } from '../../../shared/schemas/claim.ts';
import { type PublicEvent, publicEvent } from '../../../shared/schemas/domain-events.ts';
import { loadClaims } from '../../board/claims/claim-records.ts';
import type { TestApp } from '../../dev/test/test-app.ts';

/** All stored events in order, each parsed by its schema. */
export async function toldIn({ ctx }: Pick<TestApp, 'ctx'>): Promise<PublicEvent[]> {
  const rows = await ctx.db.selectFrom('outbox').selectAll().orderBy('id').execute();
  return rows.map(({ type, at, body }) =>
    publicEvent.parse({ type, timestamp: at, data: JSON.parse(body) }),
  );
}

/** A claim without its confirmation. */
const huntOf = ({
  id,
  event_id,
  character_name,
  member_type,
  date,
  respawn_id,
  hour_start,
  hour_end,
  ...rest
}: Claim) => {
  const {
    custom_duration,
    voucher_duration,
    is_secondary_claim,
    secondary_priority,
    is_split_claim,
    created_at,
  } = rest;
  const parts = rest.split_parts.map((part) => [
    part.part_number,
    part.respawn_id,
    part.hour_start,
    part.duration,
  ]);
  return {
    id,
    event_id,
    character_name,
    member_type,
    date,
    respawn_id,
    hour_start,
    hour_end,
    custom_duration,
    voucher_duration,
    is_secondary_claim,
    secondary_priority,
    is_split_claim,
    created_at,
    parts,
  };
};
export type Hunt = ReturnType<typeof huntOf>;

/**
 * A receiver's claims after these events, beginning with some or none.
 * @throws Error if a created claim exists, or a changed or deleted one does not; for bulk work, whose claims are not listed
 */
export function foldEvents(
  events: readonly PublicEvent[],
  from: ReadonlyMap<number, Hunt> = new Map(),
): Map<number, Hunt> {
  const hunts = new Map(from);
  for (const { type, data } of events) {
    if (type === 'claims.changed') throw new Error('bulk work');
    if (type !== 'claim.created' && type !== 'claim.updated' && type !== 'claim.deleted') continue;
    if (hunts.has(data.id) === (type === 'claim.created'))
      throw new Error(`${type} of claim ${data.id}`);
    if (data.is_held) throw new Error(`claim ${data.id} is only held`);
    if (type === 'claim.deleted') hunts.delete(data.id);
    else hunts.set(data.id, huntOf(data));
  }
  return hunts;
}

/** The claims that there are. */
export async function huntsIn({ ctx }: Pick<TestApp, 'ctx'>): Promise<Map<number, Hunt>> {
  const claims = await loadClaims(ctx.db, { type: 'all' });
  return new Map(
    claims.filter(({ is_held }) => !is_held).map((claim) => [claim.id, huntOf(claim)]),
  );
}
