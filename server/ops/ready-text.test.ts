import type { NetworkInterfaceInfo } from 'node:os';
import { expect, it } from 'vitest';
import { readyText } from './ready-text.ts';

const address = (family: 'IPv4' | 'IPv6', of: string, internal = false): NetworkInterfaceInfo => {
  const shared = { address: of, netmask: '', mac: '', internal, cidr: null };
  return family === 'IPv4' ? { ...shared, family } : { ...shared, family, scopeid: 0 };
};

const INTERFACES = {
  lo: [address('IPv4', '127.0.0.1', true), address('IPv6', '::1', true)],
  eth0: [address('IPv4', '192.168.1.20'), address('IPv6', 'fe80::1')],
  wlan0: [address('IPv4', '10.0.0.7')],
};

const text = (
  env: Parameters<typeof readyText>[1],
  interfaces: Parameters<typeof readyText>[2] = INTERFACES,
): string => readyText(3000, env, interfaces);
const others = (printed: string): string | undefined => /Other machines: +(.*)/.exec(printed)?.[1];

it('the addresses of the pages, and those that other machines can open, are printed at the start', () => {
  expect(text({ HOST: '0.0.0.0' })).toBe(
    `Claimboard is ready at http://localhost:3000
  Board:             http://localhost:3000/
  Members verify at: http://localhost:3000/verify
  Admins sign in at: http://localhost:3000/admin/login
  Other machines:    http://192.168.1.20:3000/  http://10.0.0.7:3000/
`,
  );
  expect(text({ HOST: '::' })).toBe(text({ HOST: '0.0.0.0' }));
});

it('PUBLIC_URL is the address of all pages, for other machines, too', () => {
  const printed = text({ HOST: '127.0.0.1', PUBLIC_URL: 'https://board.example' });
  expect(printed).toMatch(/^Claimboard is ready at http:\/\/localhost:3000\n/);
  expect(printed).toContain('Members verify at: https://board.example/verify\n');
  expect(printed).toContain('Admins sign in at: https://board.example/admin/login\n');
  expect(others(printed)).toBe('https://board.example/');
});

it.each(['127.0.0.1', '127.0.1.1', 'localhost', '::1'])(
  'with HOST=%s no other machine can open it',
  (HOST) => {
    expect(text({ HOST })).toMatch(/^Claimboard is ready at http:\/\/localhost:3000\n/);
    expect(others(text({ HOST }))).toBe('none (HOST is an address of this machine alone)');
  },
);

it('a HOST of the network is the only address, and that of other machines', () => {
  expect(text({ HOST: '192.168.1.20' })).toMatch(
    /^Claimboard is ready at http:\/\/192\.168\.1\.20:3000\n {2}Board: +http:\/\/192\.168\.1\.20:3000\/\n/,
  );
  expect(others(text({ HOST: '192.168.1.20' }))).toBe('http://192.168.1.20:3000/');
  expect(others(text({ HOST: 'fd00::7' }))).toBe('http://[fd00::7]:3000/');
});

it('a machine without a network says so', () => {
  expect(others(text({ HOST: '0.0.0.0' }, { lo: INTERFACES.lo }))).toBe(
    'none (this machine has no network address)',
  );
});
