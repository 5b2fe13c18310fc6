import { DomainError } from '../../../shared/errors.ts';
import { instantOf, type ServerSaveClock } from '../../../shared/rules/server-save.ts';
import type { Language } from '../../../shared/schemas/destination.ts';
import type { PushPayload, PushPreferences, PushTestAnswer } from '../../../shared/schemas/push.ts';
import { serverSaveClock } from '../../db/clock/server-save-clock.ts';
import type { Db } from '../../db/database.ts';
import type { Subscriptions } from '../../db/domain-events.ts';
import type { Writer } from '../../db/unit-of-work.ts';
import type { Member } from '../../http/caller.ts';
import { sentencesIn } from '../../http/errors.ts';
import { createTries, type Tries } from '../../http/rate-limits.ts';
import type { Job, OutsideKind, StoreOutcome } from '../../jobs/job-kind.ts';
import { addMissingJob, notificationsPausedAt } from '../../jobs/job-store.ts';
import type { SenderContext, Verdict } from '../outbound/post.ts';
import { type ChangedClaim, type HuntNotice, MAX_NAMED_CLAIMS, type Notice, type NoticeOf, PUSH_JOB } from './notice.ts';
import { preferencesOf } from './preferences.ts';
import { earliestTime } from './schedule.ts';
import {
  afterFailure,
  backoffEnd,
  deleteSubscription,
  findSubscription,
  type StoredSubscription,
  serviceOf,
  storeFailure,
  storeSuccess,
  subscriptionsOf,
} from './subscriptions.ts';
import { type Delivering, deliver } from './web-push.ts';

export interface Recipient {
  language: Language;
  time_zone: string;
  clock: ServerSaveClock;
  now: Date;
}

type Say = ReturnType<typeof sentencesIn>;
type Text = Omit<PushPayload, 'language' | 'kind'>;

const MINUTE_MS = 60_000;
const CLOCK: Intl.DateTimeFormatOptions = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' };
const DAY: Intl.DateTimeFormatOptions = { weekday: 'short', day: 'numeric', month: 'short' };

/** A notice in the recipient's language and time zone. */
export function payloadOf(recipient: Recipient, notice: Notice): PushPayload {
  return { kind: notice.kind, ...textOf(sentencesIn(recipient.language), recipient, notice), language: recipient.language };
}

export function testPayload({ language }: Pick<Recipient, 'language'>, name: string): PushPayload {
  const say = sentencesIn(language);
  const text = { title: say('push.test.title'), body: say('push.test.body', { name }) };
  return { kind: 'test', ...text, tag: 'test', url: '/notifications', language };
}

function textOf(say: Say, recipient: Recipient, notice: Notice): Text {
  switch (notice.kind) {
    case 'hold_offered':
      return {
        title: say('push.hold.title', { spot: notice.respawn_name }),
        body: say('push.hold.body', {
          name: notice.character_name,
          when: when(say, recipient, notice),
          until: time(recipient, notice.until),
        }),
        tag: `hold-${notice.wait_id}`,
        url: `/mine?wait=${notice.wait_id}`,
      };
    case 'claim_changed':
      return changes(say, recipient, notice);
    default:
      return { ...hunt(say, recipient, notice), tag: `hunt-${notice.claim_id}-${notice.part_number}`, url: claimUrl(notice) };
  }
}

function hunt(say: Say, recipient: Recipient, notice: HuntNotice): Pick<Text, 'title' | 'body'> {
  const { character_name: name, respawn_name: spot } = notice;
  // Rounded: a notification that is sent some seconds late still says 15 minutes.
  const count = Math.round((Date.parse(notice.begins_at) - recipient.now.getTime()) / MINUTE_MS);
  const params = { name, spot, count, when: when(say, recipient, notice), until: time(recipient, notice.until) };
  if (notice.kind === 'hunt_begins')
    return { title: say('push.hunt.title', { count: Math.max(1, count) }), body: say('push.hunt.body', params) };
  const body = count > 0 ? say('push.confirm.soon', params) : say('push.confirm.begun', params);
  return { title: say('push.confirm.title', params), body };
}

function changes(say: Say, recipient: Recipient, { character_name: name, count, claims }: NoticeOf<'claim_changed'>): Text {
  const [first] = claims;
  if (first && count === 1) {
    const params = { name, spot: first.respawn_name, when: when(say, recipient, first) };
    const before = first.before && beforeText(say, recipient, first.before, first.date);
    return {
      title: say(`push.changed.${first.change}`),
      body: before === null ? say('push.changed.body', params) : say('push.changed.before', { ...params, before }),
      tag: `claim-${first.claim_id}`,
      url: first.change === 'removed' ? '/mine' : claimUrl(first),
    };
  }
  const named = claims.slice(0, MAX_NAMED_CLAIMS).map((claim) => say('push.hours', stretchOf(claim)));
  const list = new Intl.ListFormat(recipient.language, { type: count > named.length ? 'unit' : 'conjunction' }).format(named);
  const all = count > named.length ? say('push.changed.more', { list, count: count - named.length }) : list;
  return { title: say('push.changed.several', { count }), body: named.length > 0 ? `${name}: ${all}` : name, tag: 'claims', url: '/mine' };
}

function beforeText(say: Say, recipient: Recipient, before: NonNullable<ChangedClaim['before']>, now: string | null): string {
  const { date, respawn_name: spot, hour_start, hour_end } = before;
  if (date === undefined || date === now) return say('push.hours', stretchOf(before));
  return say('push.hoursOn', { spot, when: when(say, recipient, { date, hour_start, hour_end }) });
}

const stretchOf = ({
  respawn_name: spot,
  hour_start: start,
  hour_end: end,
}: Pick<ChangedClaim, 'respawn_name' | 'hour_start' | 'hour_end'>) => ({
  ...{ spot, start, end },
});

/** The board, with the claim in view. */
function claimUrl({ date, claim_id }: { date: string | null; claim_id: number }): string {
  return `/?${new URLSearchParams({ ...(date === null ? {} : { date }), claim: String(claim_id) })}`;
}

interface When {
  date: string | null;
  hour_start: number;
  hour_end: number;
  period?: ChangedClaim['period'];
}

/** In the member's time zone, and in server-save hours. */
function when(say: Say, recipient: Recipient, { date, hour_start: start, hour_end: end, period }: When): string {
  if (date === null) {
    if (!period) return say('push.wholeEvent', { start, end });
    const [first, last] = [day(recipient, period.first), day(recipient, period.last)];
    return say('push.everyDay', { first, last, start, end });
  }
  const [from, until] = [instantOf(date, start, recipient.clock), instantOf(date, end, recipient.clock)];
  const there = formatterFor(recipient.language, recipient.time_zone, DAY).format(from);
  return say('push.when', { date: there, from: time(recipient, from), until: time(recipient, until), start, end });
}

const time = ({ language, time_zone }: Recipient, at: Date | string): string =>
  formatterFor(language, time_zone, CLOCK).format(new Date(at));

/** A server-save date: no time zone may shift it. */
const day = ({ language }: Recipient, date: string): string => formatterFor(language, 'UTC', DAY).format(new Date(`${date}T00:00:00Z`));

/** Creating one is slow. There are some hundred time zones, so the map stays small. */
const formatters = new Map<string, Intl.DateTimeFormat>();

function formatterFor(language: Language, timeZone: string, options: typeof CLOCK | typeof DAY): Intl.DateTimeFormat {
  const key = `${language} ${timeZone} ${options === CLOCK}`;
  const formatter = formatters.get(key) ?? new Intl.DateTimeFormat(language, { ...options, timeZone });
  formatters.set(key, formatter);
  return formatter;
}

/** Notifications on their way to one push service, so that a slow one leaves room for the others. */
export const MAX_PER_SERVICE = 10;

/** Later than any ISO time. */
const NEVER = '9';

type Due = Pick<Job<Notice>, 'key' | 'payload'>;

/** Sends one browser a notice, if it still holds and the member still wants it. */
export const sendPush: OutsideKind<Notice, SenderContext & Delivering> = {
  ...PUSH_JOB,
  runs: 'outside',
  notifies: true,
  max_running: 30,
  max_running_via: MAX_PER_SERVICE,
  timeout_s: 60,
  finishes: true,
  unseen: true,
  run: async (ctx, job, { signal }) => {
    const notice = job.payload;
    const to = await findSubscription(ctx.db, Number.parseInt(job.key, 10));
    if (!to) return undefined;
    if (to.expires_at !== null && to.expires_at <= ctx.now().toISOString()) {
      await deleteSubscription(ctx, to.id);
      return undefined;
    }
    const wanted = (await preferencesOf(ctx.env, ctx.db, [to.character_key]))(to.character_key);
    const at = postponedTo(ctx.now(), to, wanted, notice);
    if (at !== null) return postpone(ctx, to, job, at);
    const current = await refresh(ctx.db, notice);
    if (!current) return undefined;
    const payload = payloadOf({ ...to, ...wanted, clock: serverSaveClock(ctx), now: ctx.now() }, current);
    const ttl_s = Math.ceil((Date.parse(notice.until) - ctx.now().getTime()) / 1_000);
    const is_urgent = notice.kind === 'hold_offered' || notice.kind === 'confirm_now';
    const verdict = await deliver(ctx, to, payload, { ttl_s, is_urgent, signal });
    // This server stops: the next one sends it.
    if (verdict.of !== 'delivered') signal.throwIfAborted();
    return outcomeOf(ctx, to, verdict, job);
  },
};

/** Preferences and the back-off may have changed since the notice was stored. @returns null: send it now */
function postponedTo(now: Date, to: StoredSubscription, wanted: PushPreferences, notice: Notice): string | null {
  const at = earliestTime(notice, wanted, now)?.toISOString();
  if (at === undefined) return NEVER;
  const backoff = backoffEnd(to, now);
  const latest = backoff !== null && backoff > at ? backoff : at;
  return latest > now.toISOString() ? latest : null;
}

/** The notice as of now: the claim may have moved to another spot. @returns null: it no longer holds */
async function refresh(db: Db, notice: Notice): Promise<Notice | null> {
  if (notice.kind === 'claim_changed') return notice;
  if (notice.kind === 'hold_offered') {
    const entry = await db.selectFrom('waits').select('status').where('id', '=', notice.wait_id).executeTakeFirst();
    return entry?.status === 'offered' ? notice : null;
  }
  const part = await db
    .selectFrom('claim_parts')
    .innerJoin('respawns', 'respawns.id', 'claim_parts.respawn_id')
    .select(['hour_start', 'hour_end', 'to_confirm', 'respawns.name as respawn_name'])
    .where('claim_id', '=', notice.claim_id)
    .where('part_number', '=', notice.part_number)
    .executeTakeFirst();
  if (part?.hour_start !== notice.hour_start || (notice.kind === 'confirm_now' && part.to_confirm !== 1)) return null;
  return { ...notice, hour_end: part.hour_end, respawn_name: part.respawn_name };
}

/** Adds the job again in the transaction that ends it, unless a newer one has its key by then. */
function postpone(
  { metrics }: Pick<SenderContext, 'metrics'>,
  to: StoredSubscription,
  { key, payload }: Due,
  at: string,
): StoreOutcome | undefined {
  if (at >= payload.until) {
    if (at !== NEVER) metrics.deliveries.inc({ kind: 'push', outcome: 'given_up' });
    return undefined;
  }
  const again = { key, due_at: new Date(at), payload, via: serviceOf(to) };
  return (tx, changes) => addMissingJob(tx, changes, PUSH_JOB, again);
}

async function outcomeOf(ctx: SenderContext, to: StoredSubscription, verdict: Verdict, job: Due): Promise<StoreOutcome | undefined> {
  const count = (outcome: 'delivered' | 'failed' | 'switched_off') => ctx.metrics.deliveries.inc({ kind: 'push', outcome });
  if (verdict.of === 'delivered') {
    count('delivered');
    return to.failures > 0 ? (tx) => storeSuccess(tx, to.id) : undefined;
  }
  const failure = verdict.of === 'off' ? null : afterFailure(to, verdict, ctx.now());
  if (!failure) {
    count('switched_off');
    await deleteSubscription(ctx, to.id);
    return undefined;
  }
  count('failed');
  const again = postpone(ctx, to, job, failure.backoff_until);
  return async (tx, changes) => {
    await storeFailure(tx, to.id, failure);
    await again?.(tx, changes);
  };
}

/** Test notifications that a character may send in 5 minutes. */
export const MAX_TESTS = 5;
const TEST_WINDOW_MS = 5 * 60_000;
/** Characters whose tests are counted. */
const MAX_TESTERS = 10_000;
const TEST_TTL_S = 60;

export const countPushTests = (): Tries => createTries({ window_ms: TEST_WINDOW_MS, most: MAX_TESTERS });

export type TestSending = Delivering & Pick<Writer, 'writes'> & Subscriptions & { db: Db; pushTests: Tries };

/**
 * Sends a test at once, regardless of preferences, to one of the member's browsers or to all.
 * @throws DomainError push.notFound without a browser, notifications.paused, request.tooManyTries
 */
export async function sendTest(
  ctx: TestSending,
  { character_key, character_name }: Member,
  endpoint: string | null,
): Promise<PushTestAnswer> {
  const all = (await subscriptionsOf(ctx.db, [character_key])).get(character_key) ?? [];
  const targets = endpoint === null ? all : all.filter((each) => each.endpoint === endpoint);
  if (targets.length === 0) throw new DomainError('push.notFound');
  if (await notificationsPausedAt(ctx.db)) throw new DomainError('notifications.paused');
  const { tries, seconds } = ctx.pushTests.count(character_key);
  if (tries > MAX_TESTS) throw new DomainError('request.tooManyTries', { seconds });
  const verdicts = await Promise.all(
    targets.map(async (to) => {
      const verdict = await deliver(ctx, to, testPayload(to, character_name), { ttl_s: TEST_TTL_S, is_urgent: true });
      if (verdict.of === 'off') await deleteSubscription(ctx, to.id);
      // Ends the back-off.
      if (verdict.of === 'delivered' && to.failures > 0) await ctx.writes.transaction((tx) => storeSuccess(tx, to.id));
      return verdict.of;
    }),
  );
  const sent = verdicts.filter((of) => of === 'delivered').length;
  return { sent, failed: verdicts.length - sent };
}
