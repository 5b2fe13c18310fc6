import { nameKey } from '../../../shared/rules/names.ts';
import { quietUntil } from '../../../shared/rules/quiet-hours.ts';
import type {
  DomainEvent,
  DomainEventType,
  EventMoved,
  PublicEventOf,
  TransferEnded,
  TransferOffered,
} from '../../../shared/schemas/domain-events.ts';
import type { PushPreferences } from '../../../shared/schemas/push.ts';
import { inBatches, type Reading, type Tx, yieldToEventLoop } from '../../db/database.ts';
import { domainEvents } from '../../db/domain-events.ts';
import type { ChangeRecorder, EventListener } from '../../db/unit-of-work.ts';
import { addJobs, type NewJob, removeJob } from '../../jobs/job-store.ts';
import { directRecipientsOf, hasLinks } from './direct-recipients.ts';
import {
  type ChangedClaim,
  DIRECT_JOB,
  mergeNotices,
  type Notice,
  notice,
  PUSH_JOB,
  preferenceFor,
  subjectOf,
} from './notice.ts';
import { directChoices, preferencesOf } from './preferences.ts';
import { serviceOf, subscriptionsOf } from './subscriptions.ts';

/** Gather changes of a member's claims for this long, in milliseconds: a burst is one notification. */
const GATHER_MS = 3_000;
export interface NoticeFor {
  character_key: string;
  /** null: nothing for a member with these preferences */
  notice: (preferences: PushPreferences) => Notice | null;
}

/** A way to reach members. */
interface Medium {
  job: typeof PUSH_JOB | typeof DIRECT_JOB;
  /** By the characters' keys: where each job goes, by the first part of its key. */
  recipientsOf: (
    tx: Tx,
    character_keys: readonly string[],
  ) => Promise<ReadonlyMap<string, readonly { id: number; receiver: string | null }[]>>;
  choices: (preferences: PushPreferences) => PushPreferences;
}

const MEDIA: readonly Medium[] = [
  {
    job: PUSH_JOB,
    recipientsOf: async (tx, character_keys) =>
      new Map(
        [...(await subscriptionsOf(tx, character_keys))].map(([key, own]) => [
          key,
          own.map((to) => ({ id: to.id, receiver: serviceOf(to) })),
        ]),
      ),
    choices: (preferences) => preferences,
  },
  {
    job: DIRECT_JOB,
    recipientsOf: async (tx, character_keys) =>
      new Map(
        (await directRecipientsOf(tx, character_keys)).map((to) => [
          to.character_key,
          [{ id: to.access_key_id, receiver: null }],
        ]),
      ),
    choices: directChoices,
  },
];

/** Stores jobs that notify members, on each of their browsers and by direct message. Without recipients it costs two queries. */
export async function scheduleNotices(
  ctx: Reading,
  tx: Tx,
  changes: ChangeRecorder,
  notices: readonly NoticeFor[],
): Promise<void> {
  const character_keys = [...new Set(notices.map(({ character_key }) => character_key))];
  for (const medium of MEDIA)
    await scheduleBy(
      medium,
      ctx,
      tx,
      changes,
      notices,
      await medium.recipientsOf(tx, character_keys),
    );
}

async function scheduleBy(
  { job, choices }: Medium,
  ctx: Reading,
  tx: Tx,
  changes: ChangeRecorder,
  notices: readonly NoticeFor[],
  recipients: Awaited<ReturnType<Medium['recipientsOf']>>,
): Promise<void> {
  if (recipients.size === 0) return;
  const preferences = await preferencesOf(ctx.env, tx, [...recipients.keys()]);
  const jobs = notices.flatMap(({ character_key, notice }) => {
    const own = recipients.get(character_key) ?? [];
    const wanted = choices(preferences(character_key));
    const payload = own.length > 0 ? notice(wanted) : null;
    const at = payload && earliestTime(payload, wanted, ctx.now());
    if (!at) return [];
    const due_at = payload.kind === 'claim_changed' ? new Date(at.getTime() + GATHER_MS) : at;
    return own.map(({ id, receiver }) => ({
      key: `${id} ${subjectOf(payload)}`,
      due_at,
      payload,
      receiver,
    }));
  });
  for (const batch of inBatches(jobs)) {
    const { merged, undone } = await mergeWithPending(tx, job, batch);
    await addJobs({ tx, changes }, job, merged);
    for (const key of undone) await removeJob(tx, job, key);
  }
}

/** Quiet hours delay a notice, but drop an offer, since the hold ends. @returns null: don't send it */
export function earliestTime(notice: Notice, wanted: PushPreferences, now: Date): Date | null {
  if (!wanted[preferenceFor(notice.kind)]) return null;
  const quiet = quietUntil(now, wanted);
  if (quiet && notice.kind === 'hold_offered') return null;
  const at = quiet ?? now;
  return at.toISOString() < notice.until ? at : null;
}

interface NoticeJob extends NewJob<Notice> {
  isBeingSent?: boolean;
}

/** Merges changed claims into pending notices, without delaying these. @returns also the keys of notices that are undone */
async function mergeWithPending(
  tx: Tx,
  { kind }: Medium['job'],
  jobs: readonly NoticeJob[],
): Promise<{ merged: NoticeJob[]; undone: string[] }> {
  const keys = [
    ...new Set(
      jobs.filter(({ payload }) => payload.kind === 'claim_changed').map(({ key }) => key),
    ),
  ];
  const latest = await findPending(tx, kind, keys);
  const before = new Set(latest.keys());
  for (const job of jobs) {
    const merged = mergeJobs(latest.get(job.key), job);
    if (merged) latest.set(job.key, merged);
    else latest.delete(job.key);
  }
  return { merged: [...latest.values()], undone: [...before].filter((key) => !latest.has(key)) };
}

async function findPending(
  tx: Tx,
  kind: string,
  keys: readonly string[],
): Promise<Map<string, NoticeJob>> {
  if (keys.length === 0) return new Map();
  const pending = await tx
    .selectFrom('jobs')
    .select(['key', 'due_at', 'payload', 'leased_until', 'receiver'])
    .where('kind', '=', kind)
    .where('key', 'in', keys)
    .where('given_up_at', 'is', null)
    .execute();
  return new Map(
    pending.flatMap(({ key, due_at, payload, leased_until, receiver }): [string, NoticeJob][] => {
      // A newer version's notice must not fail the admin's change.
      const known = notice.safeParse(JSON.parse(payload));
      return known.success
        ? [
            [
              key,
              {
                key,
                due_at: new Date(due_at),
                payload: known.data,
                receiver,
                isBeingSent: leased_until !== null,
              },
            ],
          ]
        : [];
    }),
  );
}

/** @returns null: everything was undone */
function mergeJobs(earlier: NoticeJob | undefined, later: NoticeJob): NoticeJob | null {
  if (earlier?.payload.kind !== 'claim_changed' || later.payload.kind !== 'claim_changed')
    return later;
  const payload = mergeNotices(earlier.payload, later.payload, earlier.isBeingSent);
  return (
    payload && {
      ...earlier,
      payload,
      due_at: new Date(Math.min(earlier.due_at.getTime(), later.due_at.getTime())),
    }
  );
}

/** A changed claim is worth a notification for a day. */
const CHANGE_EXPIRES_MS = 86_400_000;

/** No other listener subscribes to the last one, so it tells whether any member is to be notified. */
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
export const pushListener: EventListener = {
  subscribedTypes: async (tx) => {
    const browser = await tx
      .selectFrom('push_subscriptions')
      .select('id')
      .limit(1)
      .executeTakeFirst();
    return browser || (await hasLinks(tx)) ? SUBSCRIBED_TYPES : [];
  },
  handle: async ({ ctx, tx, changes }, events) => {
    if (!changes.collect(domainEvents).hasSubscriber('event.moved')) return;
    const until = new Date(ctx.now().getTime() + CHANGE_EXPIRES_MS).toISOString();
    const notices = await Promise.all(
      events.map((event) =>
        event.type === 'event.moved' ? noticesOfMoved(tx, event, until) : noticesOf(event, until),
      ),
    );
    const all = notices.flat();
    await yieldToEventLoop();
    if (all.length > 0) await scheduleNotices(ctx, tx, changes, all);
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
      { ...data, character_name: data.from },
      { change: 'removed', ...unchanged },
      until,
    ),
    claimChanged(data, { change: 'added', ...unchanged }, until),
  ];
}

function transferOffered({
  data: { id: transfer_id, from, to, offered, wanted, expires_at },
}: TransferOffered): NoticeFor {
  const { respawn_id: _, ...place } = offered;
  const notice: Notice = {
    kind: 'transfer_offered',
    character_name: to,
    until: expires_at,
    transfer_id,
    from,
    ...place,
    wanted,
  };
  return { character_key: nameKey(to), notice: () => notice };
}

/** For both characters, except the one who ended it. */
function transferEnded(
  { data: { id: transfer_id, from, to, offered, outcome, by } }: TransferEnded,
  until: string,
): NoticeFor[] {
  const { respawn_id: _, ...place } = offered;
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
      ...place,
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

/** One for each claim without a date, if its character has a subscribed browser or is linked to Discord. */
async function noticesOfMoved(
  tx: Tx,
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
    .where(({ or, exists, selectFrom }) =>
      or([
        exists(
          selectFrom('push_subscriptions')
            .select('push_subscriptions.id')
            .whereRef('push_subscriptions.character_key', '=', 'claims.character_key'),
        ),
        exists(
          selectFrom('access_keys')
            .select('access_keys.id')
            .whereRef('access_keys.character_key', '=', 'claims.character_key')
            .where('discord_user_id', 'is not', null),
        ),
      ]),
    )
    .orderBy('claims.id')
    .execute();
  return rows.map((row) =>
    claimChanged(row, { change: 'eventMoved', before: null, period: { first, last } }, until),
  );
}
