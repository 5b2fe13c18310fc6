import { nameKey } from '../../../shared/rules/names.ts';
import type { NewsOf } from '../../../shared/schemas/news.ts';
import { breathe } from '../../db/batches.ts';
import type { Tx } from '../../db/open.ts';
import type { NewsListener } from '../outbox/outbox.ts';
import { domainEvents, type EventMoved, type Told } from '../outbox/told.ts';
import type { ChangedClaim, Notice } from './notice.ts';
import { storeNotices, type ToldOf } from './store.ts';

/** How long a member wants to know of a change that could not be told, in milliseconds. */
const TOLD_WITHIN_MS = 86_400_000;

/** What members are told of; the last of it nobody else hears, so it says whether any of them does. */
const HEARD = [
  'claim.updated',
  'claim.deleted',
  'claim.restored',
  'claim.added',
  'claim.removed',
  'hold.offered',
  'event.moved',
] as const satisfies Told['type'][];

/** Members are told in their browsers what becomes of their own claims, and what is held for them. */
export const membersHear: NewsListener = {
  heard: async (tx) => ((await tx.selectFrom('push_subscriptions').select('id').limit(1).executeTakeFirst()) ? HEARD : []),
  hear: async (ctx, tx, changes, news) => {
    if (!changes.collect(domainEvents).hears('event.moved')) return;
    const until = new Date(ctx.now().getTime() + TOLD_WITHIN_MS).toISOString();
    const told = await Promise.all(news.map((one) => (one.type === 'event.moved' ? ofMoved(tx, one, until) : noticeOf(one, until))));
    const all = told.flat();
    await breathe();
    if (all.length > 0) await storeNotices(ctx, tx, changes, all);
  },
};

const CLAIM_ACTIONS = { 'claim.restored': 'restored', 'claim.added': 'added', 'claim.removed': 'removed' } as const;

function noticeOf(told: Exclude<Told, EventMoved>, until: string): ToldOf[] {
  switch (told.type) {
    case 'hold.offered':
      return offered(told);
    case 'claim.updated': {
      const { before, ...data } = told.data;
      return data.by === null ? [] : [changed(data, { deed: 'moved', before, period: null }, until)];
    }
    case 'claim.deleted':
      return told.data.by === null ? [] : [changed(told.data, { deed: 'removed', before: null, period: null }, until)];
    case 'claim.restored':
    case 'claim.added':
    case 'claim.removed':
      return [changed(told.data, { deed: CLAIM_ACTIONS[told.type], before: null, period: null }, until)];
    default:
      return [];
  }
}

function offered({ data }: NewsOf<'hold.offered'>): ToldOf[] {
  const { character_name, respawn_name, date, hour_start, hour_end, held_until, wait_id } = data;
  if (held_until === null) return [];
  const notice: Notice = { kind: 'hold_offered', character_name, until: held_until, wait_id, respawn_name, date, hour_start, hour_end };
  return [{ character_key: nameKey(character_name), notice: () => notice }];
}

type Claimed = Pick<ChangedClaim, 'respawn_name' | 'date' | 'hour_start' | 'hour_end'> & { id: number; character_name: string };

function changed(claim: Claimed, how: Pick<ChangedClaim, 'deed' | 'before' | 'period'>, until: string): ToldOf {
  const { id: claim_id, character_name, respawn_name, date, hour_start, hour_end } = claim;
  const claims = [{ claim_id, respawn_name, date, hour_start, hour_end, ...how }];
  const notice: Notice = { kind: 'claim_changed', character_name, until, count: 1, claims };
  return { character_key: nameKey(character_name), notice: () => notice };
}

/** The claims of all dates of an event, of those alone who are told anything. */
async function ofMoved(tx: Tx, { data: { event_id, first, last } }: EventMoved, until: string): Promise<ToldOf[]> {
  const rows = await tx
    .selectFrom('claims')
    .innerJoin('claim_parts', 'claim_parts.claim_id', 'claims.id')
    .innerJoin('respawns', 'respawns.id', 'claim_parts.respawn_id')
    .select(['claims.id', 'claims.character_name', 'claims.date', 'hour_start', 'hour_end', 'respawns.name as respawn_name'])
    .where('claims.event_id', '=', event_id)
    .where('part_number', '=', 1)
    .where('is_secondary_claim', '=', 0)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('push_subscriptions')
          .select('push_subscriptions.id')
          .whereRef('push_subscriptions.character_key', '=', 'claims.character_key'),
      ),
    )
    .orderBy('claims.id')
    .execute();
  return rows.map((row) => changed(row, { deed: 'eventMoved', before: null, period: { first, last } }, until));
}
