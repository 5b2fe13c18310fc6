import {
  dayAndDeadlineText,
  deadlineText,
  heldHoursText,
  nameText,
  type Recipient,
  whenText,
} from '../../../shared/notice-words.ts';
import type { PushPayload } from '../../../shared/schemas/push.ts';
import { sentencesIn } from '../../http/errors.ts';
import {
  type ChangedClaim,
  type HuntNotice,
  MAX_NAMED_CLAIMS,
  type Notice,
  type NoticeOf,
} from './notice.ts';

type Say = ReturnType<typeof sentencesIn>;
type Text = Omit<PushPayload, 'language' | 'kind'>;

const MINUTE_MS = 60_000;

/** A notice in the recipient's language and time zone, for push and direct messages. */
export function payloadOf(recipient: Recipient, notice: Notice): PushPayload {
  return {
    kind: notice.kind,
    ...noticeText(sentencesIn(recipient.language), recipient, notice),
    language: recipient.language,
  };
}

export function testPayload({ language }: Pick<Recipient, 'language'>, name: string): PushPayload {
  const say = sentencesIn(language);
  const text = { title: say('push.test.title'), body: say('push.test.body', { name }) };
  return { kind: 'test', ...text, tag: 'test', url: '/notifications', language };
}

function noticeText(say: Say, recipient: Recipient, notice: Notice): Text {
  switch (notice.kind) {
    case 'hold_offered':
      return {
        ...heldHoursText(say, recipient, notice),
        tag: `hold-${notice.wait_id}`,
        url: `/mine?wait=${notice.wait_id}`,
      };
    case 'transfer_offered':
    case 'transfer_ended':
      return {
        ...transfer(say, recipient, notice),
        tag: `transfer-${notice.transfer_id}`,
        url: '/mine',
      };
    case 'claim_changed':
      return changes(say, recipient, notice);
    default:
      return {
        ...hunt(say, recipient, notice),
        tag: `hunt-${notice.claim_id}-${notice.part_number}`,
        url: claimUrl(notice),
      };
  }
}

function transfer(
  say: Say,
  recipient: Recipient,
  notice: NoticeOf<'transfer_offered' | 'transfer_ended'>,
): Pick<Text, 'title' | 'body'> {
  const name = nameText(recipient, notice.character_name);
  const spot = nameText(recipient, notice.respawn_name);
  const params = {
    name,
    spot,
    when: whenText(say, recipient, notice),
    until: dayAndDeadlineText(recipient, notice.until),
  };
  if (notice.kind === 'transfer_ended') {
    const how = notice.by_admin ? 'withdrawnByAdmin' : notice.outcome;
    return {
      title: say(`push.transfer.${how}`, { other: nameText(recipient, notice.other) }),
      body: say('push.transfer.body', params),
    };
  }
  const { wanted } = notice;
  const other = nameText(recipient, notice.from);
  const title = say('push.transfer.offered', { other, spot });
  if (!wanted) return { title, body: say('push.transfer.offeredBody', params) };
  const inReturn = say('push.hoursOn', {
    spot: nameText(recipient, wanted.respawn_name),
    when: whenText(say, recipient, wanted),
  });
  return { title, body: say('push.transfer.swapBody', { ...params, other, wanted: inReturn }) };
}

function hunt(say: Say, recipient: Recipient, notice: HuntNotice): Pick<Text, 'title' | 'body'> {
  const name = nameText(recipient, notice.character_name);
  const spot = nameText(recipient, notice.respawn_name);
  // Rounded: a notification that is sent some seconds late still says 15 minutes.
  const count = Math.round((Date.parse(notice.begins_at) - recipient.now.getTime()) / MINUTE_MS);
  const params = {
    name,
    spot,
    count,
    when: whenText(say, recipient, notice),
    until: deadlineText(recipient, notice.until),
  };
  if (notice.kind === 'hunt_begins')
    return {
      title: say('push.hunt.title', { count: Math.max(1, count) }),
      body: say('push.hunt.body', params),
    };
  const body = count > 0 ? say('push.confirm.soon', params) : say('push.confirm.begun', params);
  return { title: say('push.confirm.title', params), body };
}

function changes(
  say: Say,
  recipient: Recipient,
  { character_name, count, claims }: NoticeOf<'claim_changed'>,
): Text {
  const name = nameText(recipient, character_name);
  const [first] = claims;
  if (first && count === 1) {
    const params = {
      name,
      spot: nameText(recipient, first.respawn_name),
      when: whenText(say, recipient, first),
    };
    const before = beforeText(say, recipient, first);
    return {
      title: say(`push.changed.${first.change}`),
      body:
        before === null
          ? say(
              first.change === 'withdrawn' ? 'push.changed.withdrawnBody' : 'push.changed.body',
              params,
            )
          : say('push.changed.before', { ...params, before }),
      tag: `claim-${first.claim_id}`,
      url: first.change === 'removed' || first.change === 'withdrawn' ? '/mine' : claimUrl(first),
    };
  }
  const named = claims
    .slice(0, MAX_NAMED_CLAIMS)
    .map((claim) => say('push.hours', stretchOf(recipient, claim)));
  const list = new Intl.ListFormat(recipient.language, {
    type: count > named.length ? 'unit' : 'conjunction',
  }).format(named);
  const all =
    count > named.length ? say('push.changed.more', { list, count: count - named.length }) : list;
  return {
    title: say('push.changed.several', { count }),
    body: named.length > 0 ? `${name}: ${all}` : name,
    tag: 'claims',
    url: '/mine',
  };
}

function beforeText(
  say: Say,
  recipient: Recipient,
  { before, date: now }: ChangedClaim,
): string | null {
  if (!before) return null;
  const { date, hour_start, hour_end } = before;
  if (date === now) return say('push.hours', stretchOf(recipient, before));
  return say('push.hoursOn', {
    spot: nameText(recipient, before.respawn_name),
    when: whenText(say, recipient, { date, hour_start, hour_end }),
  });
}

const stretchOf = (
  recipient: Recipient,
  {
    respawn_name,
    hour_start: start,
    hour_end: end,
  }: Pick<ChangedClaim, 'respawn_name' | 'hour_start' | 'hour_end'>,
) => ({ spot: nameText(recipient, respawn_name), start, end });

/** The board, with the claim in view. */
function claimUrl({ date, claim_id }: { date: string | null; claim_id: number }): string {
  return `/?${new URLSearchParams({ ...(date === null ? {} : { date }), claim: String(claim_id) })}`;
}
