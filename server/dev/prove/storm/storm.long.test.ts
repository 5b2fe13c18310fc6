import { describe, expect, it, vi } from 'vitest';
import { faultRounds } from './fault-rounds.ts';
import {
  CLOCK_AHEAD,
  COPIED_FILE,
  DISK_FULL,
  LISTEN_CUT,
  LOCKED,
  OLDER_FILE,
  onFreezableFiles,
  onPostgres,
  onSmallDisk,
  onSqlite,
  READ_ONLY,
  STOPPED,
  withClocks,
} from './faults.ts';
import { killRounds, type Storm } from './rounds.ts';

// Each round starts programs, which on a busy machine takes its time; how long is the long run's affair.
vi.setConfig({ testTimeout: 240_000 });
const short: Pick<Storm, 'say' | 'limit_ms' | 'commands'> = {
  say: () => {},
  limit_ms: 60_000,
  commands: 12,
};

describe('kill -9 under six writers', () => {
  it('of the server on SQLite: nothing acknowledged is lost, nothing is stored twice or by halves, watchers are equal', async () => {
    const { failed } = await killRounds({ engine: 'sqlite', seed: 10, rounds: 3, ...short });
    expect(failed).toEqual([]);
  });

  it('of PostgreSQL under two servers: the same', async () => {
    const { failed } = await killRounds({ engine: 'postgres', seed: 23, rounds: 1, ...short });
    expect(failed).toEqual([]);
  });
});

describe('six writers and the watchers of their boards are served again, with all that was acknowledged, after', () => {
  it.each([
    // Not tried where this user may not mount a disk or freeze a file; the long run says so.
    ['a full disk', onSmallDisk(DISK_FULL)],
    ['a read-only file', onFreezableFiles(READ_ONLY)],
    [
      'a locked file, and starts with a copied and an older one, which are refused',
      onSqlite(LOCKED, COPIED_FILE, OLDER_FILE),
    ],
    ['a clock that is a day ahead, of one of two servers', withClocks(CLOCK_AHEAD)],
    [
      'a cut LISTEN and a PostgreSQL that stood still, with two servers',
      onPostgres(LISTEN_CUT, STOPPED),
    ],
  ])('%s', async (_, group) => {
    const tried = await faultRounds(group, { seed: 7, rounds: 1, ...short });
    expect(tried.flatMap(({ failed }) => failed)).toEqual([]);
  });
});
