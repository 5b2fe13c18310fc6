import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { readCookies, removeCookie, writeCookie } from '../lib/cookies.ts';
import {
  forgetVerification,
  type PendingVerification,
  pendingOf,
  pendingVerifications,
  rememberVerification,
} from './pending-verifications.ts';

const pending = (characterName: string): PendingVerification => ({
  characterName,
  code: 'CLAIM-7KQ2M9XA',
  expiresAt: '2026-11-22T12:00:00.000Z',
  verification_token: 'T',
});

beforeEach(() => {
  for (const name of readCookies().keys()) removeCookie(name);
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** The attributes with which the cookie was written. */
function written(): string[] {
  const set = vi.spyOn(document, 'cookie', 'set');
  rememberVerification(pending("Cass' O'Brien"));
  const [first = '', ...attributes] = set.mock.calls[0]?.[0].split('; ') ?? [];
  return [decodeURIComponent(first), ...attributes];
}

describe('the cookie of a pending verification (section 9)', () => {
  test('is named as the key’s is, holds code, expiry, name and token, and lives ten days, strictly on this site', () => {
    vi.useFakeTimers({ now: new Date('2026-11-21T12:00:00Z') });
    expect(written()).toEqual([
      `verification_cass__o_brien=${JSON.stringify(pending("Cass' O'Brien"))}`,
      'path=/',
      'expires=Tue, 01 Dec 2026 12:00:00 GMT',
      'sameSite=strict',
    ]);
  });

  test('is secure on https', () => {
    vi.stubGlobal('location', { protocol: 'https:' });
    expect(written()).toContain('secure');
  });
});

describe('the pending verifications', () => {
  test('are read by name, one a character, and found in any case', () => {
    for (const name of ['Sable Quinn', 'Old Bram', 'old bram']) rememberVerification(pending(name));
    expect(pendingVerifications().map((each) => each.characterName)).toEqual([
      'old bram',
      'Sable Quinn',
    ]);
    expect(pendingOf(pendingVerifications(), ' OLD  bram')?.characterName).toBe('old bram');
    forgetVerification(pending('Old Bram'));
    expect(pendingVerifications().map((each) => each.characterName)).toEqual(['Sable Quinn']);
  });

  test('are the same list until they change', () => {
    rememberVerification(pending('Old Bram'));
    const before = pendingVerifications();
    expect(pendingVerifications()).toBe(before);
    rememberVerification({ ...pending('Old Bram'), code: 'CLAIM-NEWERONE' });
    expect(pendingVerifications()).not.toBe(before);
  });

  test('leave out broken ones, and keep test-mode codes', () => {
    writeCookie('verification_a', 'no json', 1);
    writeCookie('verification_b', JSON.stringify({ ...pending('B'), expiresAt: 'someday' }), 1);
    writeCookie(
      'verification_c',
      JSON.stringify({
        characterName: 'C',
        code: 'TEST-22222222',
        expiresAt: '2026-11-22T12:00:00Z',
      }),
      1,
    );
    writeCookie('access_key_d', JSON.stringify(pending('D')), 1);
    expect(pendingVerifications()).toEqual([
      {
        characterName: 'C',
        code: 'TEST-22222222',
        expiresAt: '2026-11-22T12:00:00Z',
        verification_token: null,
      },
    ]);
  });
});
