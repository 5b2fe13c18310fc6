import BetterSqlite from 'better-sqlite3';
import { expect, it } from 'vitest';
import { StartError } from '../db/errors.ts';
import { startFailure } from './start-failure.ts';

const lineOf = (error: unknown): string | null =>
  startFailure(error, { PORT: 80, HOST: '192.0.2.1', DATA_DIR: '/srv/board' });
const ofSqlite = (code: string): Error => new BetterSqlite.SqliteError(`said ${code}`, code);
const ofNode = (code: string, syscall: string): Error =>
  Object.assign(new Error(`said ${code}`), { code, syscall });

it.each([
  [
    'a damaged file',
    ofSqlite('SQLITE_CORRUPT'),
    /^The database file \/srv\/board\/claimboard\.sqlite is damaged .* Restore it from a backup/,
  ],
  ['a locked file', ofSqlite('SQLITE_BUSY'), /is locked by another program\. Close that one/],
  [
    'a full disk',
    ofSqlite('SQLITE_FULL'),
    /cannot be used: said SQLITE_FULL\. Check that its disk is not full/,
  ],
  [
    'a read-only file',
    ofSqlite('SQLITE_READONLY'),
    /cannot be used: said SQLITE_READONLY\. Check .* may write to DATA_DIR\.$/,
  ],
  ['a port in use', ofNode('EADDRINUSE', 'listen'), /^PORT 80 is in use by another program/],
  [
    'a port of the system',
    ofNode('EACCES', 'listen'),
    /^PORT 80 may not be used by this user\. Set PORT to one above 1023\.$/,
  ],
  [
    'an address of another machine',
    ofNode('EADDRNOTAVAIL', 'listen'),
    /^HOST 192\.0\.2\.1 is no address of this machine/,
  ],
  [
    'a name that is none',
    ofNode('ENOTFOUND', 'getaddrinfo'),
    /^HOST 192\.0\.2\.1 is no address of this machine/,
  ],
  [
    'a folder without room',
    ofNode('ENOSPC', 'mkdir'),
    /^said ENOSPC\. Check that the disk is not full/,
  ],
  ['its own line', new StartError('One line.'), /^One line\.$/],
])('%s is one line', (_, error, line) => {
  expect(lineOf(error)).toMatch(line);
  expect(lineOf(error)).not.toContain('\n');
});

it('an error of the program itself keeps its stack', () => {
  expect(
    [new TypeError('x is not a function'), ofSqlite('SQLITE_ERROR'), ofNode('EPIPE', 'listen')].map(
      lineOf,
    ),
  ).toEqual([null, null, null]);
});
