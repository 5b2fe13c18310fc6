import { nameKey } from '../../../shared/rules/names.ts';
import type { DomainEvent, DomainEventType, EventMoved, NewsOf } from '../../../shared/schemas/news.ts';
import { type Tx, yieldToEventLoop } from '../../db/database.ts';
import { domainEvents } from '../../db/domain-events.ts';
import type { EventListener } from '../outbox.ts';
import type { ChangedClaim, Notice } from './notice.ts';
import { type NoticeFor, scheduleNotices } from './schedule.ts';

/** A changed claim is worth a notification for a day. */
const CHANGE_EXPIRES_MS = 86_400_000;

/** No other listener subscribes to the last one, so it tells whether any browser is subscribed. */
const SUBSCRIBED_TYPES = [
  'claim.updated',
  'claim.deleted',
  'claim.restored',
  'claim.added',
  'claim.removed',
  'hold.offered',
  'event.moved',
] as const satisfies DomainEventType[];

/** Notifies members of what admins did to their claims, and of hours that are held for them. */
export const pushListener: EventListener = {
  subscribedTypes: async (tx) =>
    (await tx.selectFrom('push_subscriptions').select('id').limit(1).executeTakeFirst()) ? SUBSCRIBED_TYPES : [],
  handle: async (ctx, tx, changes, events) => {
    if (!changes.collect(domainEvents).hasSubscriber('event.moved')) return;
    const until = new Date(ctx.now().getTime() + CHANGE_EXPIRES_MS).toISOString();
    const notices = await Promise.all(
      events.map((event) => (event.type === 'event.moved' ? noticesOfMoved(tx, event, until) : noticesOf(event, until))),
    );
    const all = notices.flat();
    await yieldToEventLoop();
    if (all.length > 0) await scheduleNotices(ctx, tx, changes, all);
  },
};

const CLAIM_ACTIONS = { 'claim.restored': 'restored', 'claim.added': 'added', 'claim.removed': 'removed' } as const;

function noticesOf(event: Exclude<DomainEvent, EventMoved>, until: string): NoticeFor[] {
  switch (event.type) {
    case 'hold.offered':
      return holdOffered(event);
    case 'claim.updated': {
      const { before, ...data } = event.data;
      return data.by === null ? [] : [claimChanged(data, { deed: 'moved', before, period: null }, until)];
    }
    case 'claim.deleted':
      return event.data.by === null ? [] : [claimChanged(event.data, { deed: 'removed', before: null, period: null }, until)];
    case 'claim.restored':
    case 'claim.added':
    case 'claim.removed':
      return [claimChanged(event.data, { deed: CLAIM_ACTIONS[event.type], before: null, period: null }, until)];
    default:
      return [];
  }
}

function holdOffered({ data }: NewsOf<'hold.offered'>): NoticeFor[] {
  const { character_name, respawn_name, date, hour_start, hour_end, held_until, wait_id } = data;
  if (held_until === null) return [];
  const notice: Notice = { kind: 'hold_offered', character_name, until: held_until, wait_id, respawn_name, date, hour_start, hour_end };
  return [{ character_key: nameKey(character_name), notice: () => notice }];
}

type Claimed = Pick<ChangedClaim, 'respawn_name' | 'date' | 'hour_start' | 'hour_end'> & { id: number; character_name: string };

function claimChanged(claim: Claimed, how: Pick<ChangedClaim, 'deed' | 'before' | 'period'>, until: string): NoticeFor {
  const { id: claim_id, character_name, respawn_name, date, hour_start, hour_end } = claim;
  const claims = [{ claim_id, respawn_name, date, hour_start, hour_end, ...how }];
  const notice: Notice = { kind: 'claim_changed', character_name, until, count: 1, claims };
  return { character_key: nameKey(character_name), notice: () => notice };
}

/** One for each claim without a date, if its character has a subscribed browser. */
async function noticesOfMoved(tx: Tx, { data: { event_id, first, last } }: EventMoved, until: string): Promise<NoticeFor[]> {
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
  return rows.map((row) => claimChanged(row, { deed: 'eventMoved', before: null, period: { first, last } }, until));
}
