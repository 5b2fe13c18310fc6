import { afterEach, expect, test, vi } from 'vitest';
import { readCookies, removeCookie, writeCookie } from './cookies.ts';

const PROFILE = JSON.stringify({ characterName: "Ko'ra Ål", accessKey: 'K-1%', isVerified: true });
/** As earlier versions wrote it, with js-cookie. */
const STORED =
  "{%22characterName%22:%22Ko'ra%20%C3%85l%22%2C%22accessKey%22:%22K-1%25%22%2C%22isVerified%22:true}";

afterEach(() => {
  vi.restoreAllMocks();
  for (const name of readCookies().keys()) removeCookie(name);
});

test.each([
  ['http:', ''],
  ['https:', '; secure'],
])('over %s a cookie is written as earlier versions did', (protocol, secure) => {
  vi.spyOn(location, 'protocol', 'get').mockReturnValue(protocol);
  vi.spyOn(Date, 'now').mockReturnValue(Date.parse('2026-11-21T12:00:00Z'));
  const write = vi.spyOn(document, 'cookie', 'set').mockReturnValue();
  writeCookie('access_key_ko_ra', PROFILE, 365);
  removeCookie('access_key_ko_ra');
  expect(write.mock.calls.flat()).toEqual([
    `access_key_ko_ra=${STORED}; path=/; expires=Sun, 21 Nov 2027 12:00:00 GMT; sameSite=strict${secure}`,
    `access_key_ko_ra=; path=/; expires=Fri, 20 Nov 2026 12:00:00 GMT; sameSite=strict${secure}`,
  ]);
});

test('what any version or another program stored is read, the first of a name', () => {
  vi.spyOn(document, 'cookie', 'get').mockReturnValue(
    `a=${STORED}; b="quoted%20=1"; c=100%; d=%E0%A4%A; a=farther; e=`,
  );
  expect([...readCookies()]).toEqual([
    ['a', PROFILE],
    ['b', 'quoted =1'],
    ['c', '100%'],
    ['d', '%E0%A4%A'],
    ['e', ''],
  ]);
});

test('a removed cookie is gone, and others stay', () => {
  writeCookie('a', '1', 1);
  writeCookie('b', '2', 1);
  removeCookie('a');
  expect([...readCookies()]).toEqual([['b', '2']]);
});
