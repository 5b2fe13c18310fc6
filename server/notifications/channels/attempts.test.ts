import { describe, expect, it } from 'vitest';
import { type Answer, judgeAnswer } from '../outbound/post.ts';
import { nextAttempt } from './send.ts';

const NOW = new Date('2026-11-21T18:00:00.000Z');
const answer = (status: number, headers: Record<string, string> = {}, body = ''): Answer => ({
  ok: true,
  status,
  headers,
  body,
});
const of = (given: Answer, kind: 'webhook' | 'discord' = 'webhook') =>
  judgeAnswer(kind, given, NOW);

describe('an answer', () => {
  it.each([200, 201, 202, 204, 299])('of %i means that the message arrived', (status) => {
    expect(of(answer(status))).toEqual({ type: 'delivered' });
    expect(of(answer(status), 'discord')).toEqual({ type: 'delivered' });
  });

  it.each([101, 301, 302, 307, 400, 403, 408, 409, 413, 429, 500, 502, 503, 504])(
    'of %i means that it is tried again',
    (status) => {
      for (const kind of ['webhook', 'discord'] as const) {
        expect(of(answer(status), kind)).toEqual({
          type: 'again',
          error: `HTTP ${status}`,
          after_s: null,
        });
      }
    },
  );

  it('that reports a missing receiver ends it: 410 and 404, and on Discord 401', () => {
    for (const status of [404, 410]) {
      expect(of(answer(status))).toEqual({
        type: 'off',
        error: `HTTP ${status}`,
        switched_off: 'gone',
      });
      expect(of(answer(status), 'discord')).toEqual({
        type: 'off',
        error: `HTTP ${status}`,
        switched_off: 'gone',
      });
    }
    expect(of(answer(401), 'discord')).toEqual({
      type: 'off',
      error: 'HTTP 401',
      switched_off: 'refused',
    });
    expect(of(answer(401))).toMatchObject({ type: 'again' });
  });

  it.each([220_001, 220_003, 50_083])(
    'by which Discord refuses a channel (%i) says so in its words, and is tried again',
    (code) => {
      const refused = answer(
        400,
        {},
        JSON.stringify({ message: 'Webhooks posted to forum channels\n must have a thread', code }),
      );
      const error = `Discord ${code}: Webhooks posted to forum channels must have a thread`;
      expect(of(refused, 'discord')).toEqual({ type: 'again', error, after_s: null });
    },
  );

  it.each([50_035, 50_006, 40_001])(
    'by which Discord refuses a message (%i) leaves it out',
    (code) => {
      const refused = answer(
        400,
        {},
        JSON.stringify({ message: 'Invalid Form Body', code, errors: { embeds: {} } }),
      );
      expect(of(refused, 'discord')).toEqual({
        type: 'never',
        error: `Discord ${code}: Invalid Form Body`,
      });
      expect(of(refused)).toMatchObject({ type: 'again', error: 'HTTP 400' });
      for (const body of [
        '<html>',
        '{"code":"x"}',
        '{"message":"x"}',
        '{"message":"x","code":50035',
      ])
        expect(of(answer(400, {}, body), 'discord')).toMatchObject({
          type: 'again',
          error: 'HTTP 400',
        });
    },
  );

  it('that never came because the message is too large leaves it out', () => {
    expect(of({ ok: false, error: 'tooLarge' })).toEqual({ type: 'never', error: 'tooLarge' });
  });

  it('that never came says why, and is tried again', () => {
    for (const error of ['timeout', 'reset', 'private', 'tls'] as const) {
      expect(of({ ok: false, error })).toEqual({ type: 'again', error, after_s: null });
    }
  });

  it.each([
    ['0', 0],
    ['7', 7],
    [' 7 ', 7],
    ['0.3', 1],
    ['3600', 3_600],
    ['99999999999', 3_600],
    ['Sat, 21 Nov 2026 18:01:30 GMT', 90],
    ['Sat, 21 Nov 2026 17:00:00 GMT', 0],
    ['Fri, 31 Dec 9999 23:59:59 GMT', 3_600],
    ['soon', null],
    ['', null],
    ['Infinity', null],
  ])('that asks to wait (Retry-After: %s) is obeyed up to an hour', (retryAfter, after_s) => {
    expect(of(answer(429, { 'retry-after': retryAfter }))).toMatchObject({
      type: 'again',
      after_s,
    });
    expect(of(answer(503, { 'retry-after': retryAfter }), 'discord')).toMatchObject({
      type: 'again',
      after_s,
    });
  });

  it('follows Discord’s retry time in the body too', () => {
    const limited = JSON.stringify({
      message: 'You are being rate limited.',
      retry_after: 64.57,
      global: false,
    });
    expect(of(answer(429, {}, limited), 'discord')).toMatchObject({ after_s: 65 });
    expect(of(answer(429, { 'retry-after': '3' }, limited), 'discord')).toMatchObject({
      after_s: 3,
    });
    for (const body of [
      '{"retry_after":"x"}',
      '{"retry_after":-1}',
      '<html>',
      '{"retry_after":1e99',
    ]) {
      expect(of(answer(429, {}, body), 'discord')).toMatchObject({ after_s: null });
    }
  });
});

const SCHEDULE = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400];

/** The pauses after so many failures of one message, each of which its receiver may have something to say of. */
function pausesOf(failures: number, asks: (n: number) => number | null): (number | null)[] {
  let rescheduled_attempts = 0;
  return Array.from({ length: failures }, (_, n) => {
    const next = nextAttempt({ attempts: n + 1, rescheduled_attempts }, asks(n));
    rescheduled_attempts = next.rescheduled_attempts;
    return next.seconds;
  });
}

describe('a message that failed', () => {
  it('is tried again after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h, and then given up', () => {
    expect(pausesOf(10, () => null)).toEqual([...SCHEDULE, null]);
  });

  it('follows its receiver’s retry time three times, then the schedule, which that never shortens', () => {
    expect(pausesOf(14, () => 0)).toEqual([0, 0, 0, ...SCHEDULE, null, null]);
    expect(pausesOf(13, () => 3_600).slice(0, 8)).toEqual([
      3_600, 3_600, 3_600, 3_600, 3_600, 3_600, 7_200, 18_000,
    ]);
    // At every position of such a request.
    expect(pausesOf(13, (n) => (n % 2 ? 1 : null))).toEqual([
      5,
      1,
      300,
      1,
      1_800,
      1,
      ...SCHEDULE.slice(3),
      null,
    ]);
  });
});
