import { describe, expect, it } from 'vitest';
import type { Recipient } from '../../../shared/notice-words.ts';
import { omit } from '../../../shared/omit.ts';
import { language } from '../../../shared/schemas/destination.ts';
import { pushPayload } from '../../../shared/schemas/push.ts';
import { MAX_PAYLOAD } from '../../jobs/job-store.ts';
import {
  type ChangedClaim,
  MAX_KEPT_CLAIMS,
  mergeNotices,
  type Notice,
  type NoticeOf,
} from './notice.ts';
import { payloadOf, testPayload } from './notice-text.ts';

const NAME = '𝔄'.repeat(60);
const now = new Date('2026-11-21T18:00:00Z');
const until = '2026-11-21T20:10:00.000Z';
const clock = { ss_time_zone: 'America/Los_Angeles', ss_hour: 1 };
const place = { respawn_name: NAME, date: '2026-11-21', hour_start: 11, hour_end: 14 };
const changedClaim = (claim_id: number, fields: Partial<ChangedClaim> = {}): ChangedClaim => ({
  claim_id,
  ...place,
  change: 'moved',
  before: { ...place, hour_start: 1, hour_end: 2 },
  period: null,
  ...fields,
});
const changes = (count: number, claims: ChangedClaim[]): NoticeOf<'claim_changed'> => ({
  kind: 'claim_changed',
  character_name: NAME,
  until,
  count,
  claims,
});
/** One after the other, as they are noted. */
const allOf = (first: NoticeOf<'claim_changed'> | null, ...then: ChangedClaim[]) =>
  then.reduce(
    (all, claim) => (all ? mergeNotices(all, changes(1, [claim])) : changes(1, [claim])),
    first,
  );
const hunt = {
  ...place,
  character_name: NAME,
  until,
  claim_id: 7,
  part_number: 2,
  begins_at: '2026-11-21T20:00:00.000Z',
};
const NOTICES: Record<string, Notice> = {
  offer: { kind: 'hold_offered', ...place, character_name: NAME, until, wait_id: 3, claim_id: 7 },
  hunt: { kind: 'hunt_begins', ...hunt },
  'confirm soon': { kind: 'confirm_now', ...hunt },
  'confirm begun': { kind: 'confirm_now', ...hunt, begins_at: '2026-11-21T17:59:00.000Z' },
  moved: changes(1, [changedClaim(1)]),
  removed: changes(1, [changedClaim(1, { change: 'removed', before: null })]),
  'event moved': changes(1, [
    changedClaim(1, {
      change: 'eventMoved',
      date: null,
      before: null,
      period: { first: '2026-11-21', last: '2026-11-23' },
    }),
  ]),
  'of an event': changes(1, [changedClaim(1, { date: null })]),
  several: changes(3, [changedClaim(1), changedClaim(2), changedClaim(3)]),
  many: changes(17_520, [changedClaim(1), changedClaim(2), changedClaim(3), changedClaim(4)]),
  'only counted': changes(5, []),
  restored: changes(1, [changedClaim(1, { change: 'restored', before: null })]),
};

describe.each(language.options)('a notice in %s', (language) => {
  const recipient: Recipient = { language, time_zone: 'Asia/Kathmandu', clock, now };

  it.each(Object.entries(NOTICES))(
    '%s: is complete, and small enough, with any names',
    async (_, notice) => {
      const payload = pushPayload.parse(await payloadOf(recipient, notice));
      const text = JSON.stringify(payload);
      expect(Buffer.byteLength(text)).toBeLessThan(3_000);
      expect(text).not.toMatch(/\{\{|push\.|undefined|NaN|Invalid/);
      expect(payload.body).toContain(NAME);
    },
  );

  it('a test: is whole', async () => {
    expect(JSON.stringify(pushPayload.parse(await testPayload(recipient, NAME)))).not.toMatch(
      /\{\{|push\./,
    );
  });
});

describe('a notice', () => {
  it('has the time in the member’s own zone, and the date there', async () => {
    const inKathmandu: Recipient = { language: 'en', time_zone: 'Asia/Kathmandu', clock, now };
    const { body } = await payloadOf(inKathmandu, {
      ...place,
      kind: 'hold_offered',
      character_name: 'Ann',
      until,
      wait_id: 3,
      claim_id: 7,
    });
    expect(body).toBe(
      'Ann: Sun, Nov 22, 01:45 to 04:45 (SS+11 to SS+14). Take or decline it by 01:55.',
    );
  });

  it('of a claim on another date names the date it had, and is dropped once the claim is back', async () => {
    const was = { respawn_name: 'Hydras', date: '2026-11-20', hour_start: 11, hour_end: 14 };
    const moved = changes(1, [changedClaim(1, { respawn_name: 'Hydras', before: was })]);
    const { body } = await payloadOf(
      { language: 'en', time_zone: 'Asia/Kathmandu', clock, now },
      moved,
    );
    expect(body).toContain('Before: Hydras, Sat, Nov 21, 01:45 to 04:45 (SS+11 to SS+14).');
    const hours = omit(was, 'date');
    expect(allOf(moved, changedClaim(1, { ...hours, before: was }))).toMatchObject({
      claims: [{ date: place.date, before: was }],
    });
    expect(
      allOf(moved, changedClaim(1, { ...was, before: { ...was, date: place.date } })),
    ).toBeNull();
  });

  it('of several changes names each claim once, as it is by now, and counts it once', () => {
    const one = changes(2, [changedClaim(1), changedClaim(2)]);
    const three = allOf(one, changedClaim(2, { change: 'removed' }), changedClaim(3));
    expect(three).toMatchObject({
      count: 3,
      claims: [{ claim_id: 1 }, { claim_id: 2, change: 'removed' }, { claim_id: 3 }],
    });
    const many = allOf(three, ...Array.from({ length: 100 }, (_, n) => changedClaim(n + 10)));
    expect([many?.count, many?.claims.length]).toEqual([103, MAX_KEPT_CLAIMS]);
    expect(JSON.stringify(many).length).toBeLessThan(MAX_PAYLOAD);
  });

  it('of several changes contains the final state and the one before the first, without undone ones', () => {
    const was = { ...place, hour_start: 1, hour_end: 2 };
    const other = { ...place, respawn_name: 'Other', hour_start: 5, hour_end: 6 };
    const removed = (id: number) => changedClaim(id, { change: 'removed', before: null });
    const restored = (id: number) => changedClaim(id, { change: 'restored', before: null });
    const moved = changes(1, [changedClaim(1, { ...other, before: was })]);
    expect(allOf(moved, changedClaim(1, { before: other }))).toMatchObject({
      count: 1,
      claims: [{ ...place, before: was }],
    });
    expect(allOf(moved, changedClaim(1, { ...was, before: other }))).toBeNull();
    expect(allOf(moved, { ...removed(1), ...other })).toMatchObject({
      count: 1,
      claims: [{ change: 'removed', ...was }],
    });
    expect(allOf(changes(1, [removed(1)]), restored(1))).toBeNull();
    // Of more than are kept it is known how many there are.
    const all = Array.from({ length: 2 * MAX_KEPT_CLAIMS }, (_, n) => n + 1);
    const cleared = allOf(changes(1, [removed(1)]), ...all.slice(1).map(removed));
    expect(allOf(cleared, ...all.slice(1).map(restored))).toMatchObject({
      count: 1,
      claims: [{ claim_id: 1 }],
    });
    expect(allOf(cleared, ...all.map(restored))).toBeNull();
    // A message in flight cannot be recalled.
    expect(mergeNotices(changes(1, [removed(1)]), changes(1, [restored(1)]), true)).toMatchObject({
      count: 1,
      claims: [{ change: 'restored' }],
    });
  });
});
