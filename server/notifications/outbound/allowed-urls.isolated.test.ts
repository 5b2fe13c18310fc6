import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DomainError } from '../../../shared/errors.ts';
import { assertAllowedUrl, isPrivateAddress } from './allowed-urls.ts';

const WARY = { ALLOW_PRIVATE_DESTINATIONS: '0' } as const;
const AT_HOME = { ALLOW_PRIVATE_DESTINATIONS: '1' } as const;

function refusal(
  url: string,
  kind: 'discord' | 'webhook' | 'push' = 'webhook',
  env: typeof WARY | typeof AT_HOME = WARY,
): string | null {
  try {
    assertAllowedUrl(env, url, kind);
    return null;
  } catch (error) {
    return error instanceof DomainError ? error.code : String(error);
  }
}

describe('the address of a destination', () => {
  it.each([
    'https://example.com',
    'https://example.com:8443/hook?a=b#c',
    'https://8.8.8.8/',
    'https://[2606:4700::1111]/',
    'HTTPS://EXAMPLE.COM',
  ])('%s is one', (url) => expect(refusal(url)).toBeNull());

  it.each([
    'http://example.com',
    'ftp://example.com',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'data:text/plain,x',
    'example.com',
    '/hook',
    'https://',
    'https://exa mple.com',
    'https://[::1',
    'https://256.256.256.256/',
    'https://name@example.com',
    'https://name:word@example.com',
    'https://:word@example.com',
  ])('%s is none', (url) => expect(refusal(url)).toBe('destination.url'));

  it.each([
    '127.0.0.1',
    '2130706433',
    '0x7f.1',
    '0177.0.0.1',
    '127.1',
    '127.0.0.1.',
    '１２７.0.0.1',
    '0',
    '255.255.255.255',
    '224.0.0.1',
    '240.0.0.1',
    '10.1.2.3',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '192.0.0.1',
    '198.18.0.1',
    '203.0.113.5',
    '[::1]',
    '[::]',
    '[::ffff:10.0.0.1]',
    '[::ffff:8.8.8.8]',
    '[::7f00:1]',
    '[64:ff9b::a00:1]',
    '[2002:a00:1::]',
    '[2001:0:1::]',
    '[fe80::1]',
    '[fec0::1]',
    '[fd12::1]',
    '[ff02::1]',
    '[2001:db8::1]',
    '[100::1]',
    '[5f00::1]',
  ])('%s is private', (host) =>
    expect(refusal(`https://${host}:8443/x`)).toBe('destination.private'),
  );

  it.each([
    '11.0.0.1',
    '172.15.0.1',
    '172.32.0.1',
    '192.167.0.1',
    '169.253.0.1',
    '100.63.0.1',
    '100.128.0.1',
    '223.255.255.255',
    '198.20.0.1',
  ])('%s is adjacent to a private network', (host) =>
    expect(refusal(`https://${host}/`)).toBeNull(),
  );

  it('is anything of http on a home network, but never with a name and password in it', () => {
    for (const url of [
      'http://127.0.0.1:3000/x',
      'https://[::1]/',
      'http://nas.local/',
      'https://example.com',
    ]) {
      expect(refusal(url, 'webhook', AT_HOME)).toBeNull();
      expect(refusal(url, 'discord', AT_HOME)).toBeNull();
    }
    expect(refusal('http://name@127.0.0.1/', 'webhook', AT_HOME)).toBe('destination.url');
    expect(refusal('ftp://127.0.0.1/', 'webhook', AT_HOME)).toBe('destination.url');
  });
});

describe('an address in every spelling', () => {
  const octet = fc.oneof(
    fc.nat(255),
    fc.constantFrom(0, 10, 100, 127, 169, 172, 192, 198, 203, 224, 255),
  );
  const v4 = fc.tuple(octet, octet, octet, octet);
  const spelt = (n: number, base: number): string =>
    base === 10 ? String(n) : base === 16 ? `0x${n.toString(16)}` : `0${n.toString(8)}`;
  const base = fc.constantFrom(8, 10, 16);

  it('is refused when it is saved where the connection would refuse it', () => {
    fc.assert(
      fc.property(
        v4,
        fc.tuple(base, base, base, base),
        fc.nat(3),
        fc.constantFrom('', '.'),
        ([a, b, c, d], bases, parts, dot) => {
          // The last of fewer than four numbers fills the remaining bytes.
          const numbers =
            [
              [a * 2 ** 24 + b * 2 ** 16 + c * 256 + d],
              [a, b * 2 ** 16 + c * 256 + d],
              [a, b, c * 256 + d],
              [a, b, c, d],
            ][parts] ?? [];
          const host = numbers.map((n, at) => spelt(n, bases[at] ?? 10)).join('.');
          const refused = refusal(`https://${host}${dot}/`) === 'destination.private';
          if (isPrivateAddress([a, b, c, d].join('.')))
            expect({ host, refused }).toEqual({ host, refused: true });
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it('of IPv6 likewise', () => {
    const group = fc.oneof(
      { weight: 3, arbitrary: fc.constant(0) },
      { weight: 1, arbitrary: fc.nat(0xffff) },
    );
    const first = fc.oneof(
      fc.nat(0xffff),
      fc.constantFrom(
        0,
        0x64,
        0x100,
        0x2001,
        0x2002,
        0x2606,
        0x3fff,
        0xfc00,
        0xfe80,
        0xfec0,
        0xff02,
      ),
    );
    const second = fc.oneof(group, fc.constantFrom(0xff9b, 0xdb8, 0x2, 0x10, 0x20));
    fc.assert(
      fc.property(
        fc.tuple(first, second, group, group, group, fc.constantFrom(0, 0xffff), group, group),
        (groups) => {
          const address = groups.map((each) => each.toString(16)).join(':');
          const refused = refusal(`https://[${address}]/`) === 'destination.private';
          if (isPrivateAddress(address))
            expect({ address, refused }).toEqual({ address, refused: true });
        },
      ),
      { numRuns: 2_000 },
    );
  });
});

describe('the address of a channel on Discord', () => {
  const PATH = '/api/webhooks/123456789012345678/aB-_cD';
  it.each([
    ...['discord.com', 'discordapp.com', 'canary.discord.com', 'ptb.discord.com'].map(
      (host) => `https://${host}${PATH}`,
    ),
    'https://discord.com/api/v10/webhooks/1/x',
    `https://discord.com${PATH}?thread_id=5`,
  ])('%s is one', (url) => expect(refusal(url, 'discord')).toBeNull());

  it.each([
    'https://discord.com/',
    'https://discord.com/api/webhooks/1',
    `https://discord.com${PATH}/slack`,
    `https://discord.com:8443${PATH}`,
    `https://discord.com.example.com${PATH}`,
    `https://evildiscord.com${PATH}`,
    `https://example.com${PATH}`,
    'https://example.com/discord.com/api/webhooks/1/x',
  ])('%s is none', (url) => expect(refusal(url, 'discord')).toBe('destination.notDiscord'));
});
