import { sql } from 'kysely';
import { nameKey } from '../../../shared/rules/names.ts';
import type {
  DomainEvent,
  DomainEventType,
  EventMoved,
  PublicEventOf,
  TransferEnded,
  TransferOffered,
} from '../../../shared/schemas/domain-events.ts';
import { yieldToEventLoop } from '../../db/database.ts';
import { domainEvents } from '../../db/domain-events.ts';
import type { EventListener, Unit } from '../../db/unit-of-work.ts';
import { characterKeys, type NoticeContext } from './medium.ts';
import { type ChangedClaim, type Notice, place } from './notice.ts';
import { type NoticeFor, scheduleNotices } from './schedule.ts';

/** A changed claim is worth a notification for a day. */
const CHANGE_EXPIRES_MS = 86_400_000;

/** No other listener subscribes to `event.moved`, so it tells whether any member is to be notified. */
const SUBSCRIBED_TYPES = [
  'claim.updated',
  'claim.deleted',
  'claim.restored',
  'claim.added',
  'claim.removed',
  'hold.withdrawn',
  'claim.transferred',
  'transfer.offered',
  'transfer.ended',
  'hold.offered',
  'event.moved',
] as const satisfies DomainEventType[];

/** Notifies members of what admins did to their claims, and of hours that are held for them. */
export const noticeListener: EventListener<NoticeContext> = {
  subscribedTypes: async ({ media }, tx) => {
    if (media.length === 0) return [];
    const { rows } = await sql`${characterKeys(media)} limit 1`.execute(tx);
    return rows.length > 0 ? SUBSCRIBED_TYPES : [];
  },
  handle: async (unit, events) => {
    // The database may still have subscribers of media that were left out.
    if (unit.ctx.media.length === 0) return;
    if (!unit.changes.collect(domainEvents).hasSubscriber('event.moved')) return;
    const until = new Date(unit.at.getTime() + CHANGE_EXPIRES_MS).toISOString();
    const notices = await Promise.all(
      events.map((event) =>
        event.type === 'event.moved' ? noticesOfMoved(unit, event, until) : noticesOf(event, until),
      ),
    );
    const all = notices.flat();
    await yieldToEventLoop();
    if (all.length > 0) await scheduleNotices(unit, all);
  },
};

const CLAIM_ACTIONS = {
  'claim.restored': 'restored',
  'claim.added': 'added',
  'claim.removed': 'removed',
  'hold.withdrawn': 'withdrawn',
} as const;

function noticesOf(event: Exclude<DomainEvent, EventMoved>, until: string): NoticeFor[] {
  switch (event.type) {
    case 'hold.offered':
      return holdOffered(event);
    case 'claim.updated': {
      const { before, ...data } = event.data;
      return data.by === null
        ? []
        : [claimChanged(data, { change: 'moved', before, period: null }, until)];
    }
    case 'claim.deleted':
      return event.data.by === null
        ? []
        : [claimChanged(event.data, { change: 'removed', before: null, period: null }, until)];
    case 'claim.transferred':
      return event.data.by === null ? [] : reassigned(event, until);
    case 'transfer.offered':
      return [transferOffered(event)];
    case 'transfer.ended':
      return transferEnded(event, until);
    case 'claim.restored':
    case 'claim.added':
    case 'claim.removed':
    case 'hold.withdrawn':
      return [
        claimChanged(
          event.data,
          { change: CLAIM_ACTIONS[event.type], before: null, period: null },
          until,
        ),
      ];
    default:
      return [];
  }
}

function holdOffered({ data }: PublicEventOf<'hold.offered'>): NoticeFor[] {
  const {
    id: claim_id,
    character_name,
    respawn_name,
    date,
    hour_start,
    hour_end,
    held_until: until,
    wait_id,
  } = data;
  if (until === null) return [];
  const notice: Notice = {
    kind: 'hold_offered',
    character_name,
    until,
    wait_id,
    claim_id,
    respawn_name,
    date,
    hour_start,
    hour_end,
  };
  return [{ character_key: nameKey(character_name), notice: () => notice }];
}

/** An admin moved a claim: its former character lost it, and the new one has it. */
function reassigned({ data }: PublicEventOf<'claim.transferred'>, until: string): NoticeFor[] {
  const unchanged = { before: null, period: null };
  return [
    claimChanged(
      { ...data, ...data.before, character_name: data.from },
      { change: 'removed', ...unchanged },
      until,
    ),
    claimChanged(data, { change: 'added', ...unchanged }, until),
  ];
}

function transferOffered({
  data: { id: transfer_id, from, to, offered, wanted, expires_at },
}: TransferOffered): NoticeFor {
  const notice: Notice = {
    kind: 'transfer_offered',
    character_name: to,
    until: expires_at,
    transfer_id,
    from,
    ...place.parse(offered),
    wanted,
  };
  return { character_key: nameKey(to), notice: () => notice };
}

/** For both characters, except the one who ended it. */
function transferEnded(
  { data: { id: transfer_id, from, to, offered, outcome, by } }: TransferEnded,
  until: string,
): NoticeFor[] {
  const actor =
    outcome === 'accepted' || outcome === 'refused'
      ? to
      : outcome === 'withdrawn' && by === from
        ? from
        : null;
  const by_admin = outcome === 'withdrawn' && actor === null;
  return [from, to].flatMap((character_name) => {
    if (character_name === actor) return [];
    const other = character_name === from ? to : from;
    const notice: Notice = {
      kind: 'transfer_ended',
      character_name,
      until,
      transfer_id,
      other,
      outcome,
      by_admin,
      ...place.parse(offered),
    };
    return { character_key: nameKey(character_name), notice: () => notice };
  });
}

type Claimed = Pick<ChangedClaim, 'respawn_name' | 'date' | 'hour_start' | 'hour_end'> & {
  id: number;
  character_name: string;
};

function claimChanged(
  claim: Claimed,
  how: Pick<ChangedClaim, 'change' | 'before' | 'period'>,
  until: string,
): NoticeFor {
  const { id: claim_id, character_name, respawn_name, date, hour_start, hour_end } = claim;
  const claims = [{ claim_id, respawn_name, date, hour_start, hour_end, ...how }];
  const notice: Notice = { kind: 'claim_changed', character_name, until, count: 1, claims };
  return { character_key: nameKey(character_name), notice: () => notice };
}

/** One for each claim without a date, if its character can be notified. */
async function noticesOfMoved(
  { ctx, tx }: Unit<NoticeContext>,
  { data: { event_id, first, last } }: EventMoved,
  until: string,
): Promise<NoticeFor[]> {
  const rows = await tx
    .selectFrom('claims')
    .innerJoin('claim_parts', 'claim_parts.claim_id', 'claims.id')
    .innerJoin('respawns', 'respawns.id', 'claim_parts.respawn_id')
    .select([
      'claims.id',
      'claims.character_name',
      'claims.date',
      'hour_start',
      'hour_end',
      'respawns.name as respawn_name',
    ])
    .where('claims.event_id', '=', event_id)
    .where('part_number', '=', 1)
    .where('is_secondary_claim', '=', 0)
    .where(sql<boolean>`claims.character_key in (${characterKeys(ctx.media)})`)
    .orderBy('claims.id')
    .execute();
  return rows.map((row) =>
    claimChanged(row, { change: 'eventMoved', before: null, period: { first, last } }, until),
  );
}
