import { expect, test } from 'vitest';
import { isLocalAddress } from './local-address-note.tsx';

test.each([
  'http://localhost:3000/verify',
  'http://board.localhost/',
  'http://127.0.0.1:3000/',
  'http://127.1/',
  'http://[::1]:3000/invite#token',
])('only this computer can open %s', (url) => expect(isLocalAddress(url)).toBe(true));

test.each([
  'https://board.example/',
  'http://192.168.1.20:3000/',
  'http://localhost.example/',
  'https://127.example/',
])('others can open %s', (url) => expect(isLocalAddress(url)).toBe(false));
