import { describe, expect, it, vi } from 'vitest';
import { killRounds, type Storm } from './rounds.ts';

// Each round starts programs, which on a busy machine takes its time; how long is the long run's affair.
vi.setConfig({ testTimeout: 240_000 });
const short: Pick<Storm, 'say' | 'limit_ms'> = { say: () => {}, limit_ms: 60_000 };

describe('kill -9 under six writers', () => {
  it('of the server on SQLite: nothing acknowledged is lost, nothing is stored twice or by halves, watchers are equal', async () => {
    const { failed } = await killRounds({ engine: 'sqlite', seed: 6, rounds: 3, ...short });
    expect(failed).toEqual([]);
  });

  it('of PostgreSQL under two servers: the same', async () => {
    const { failed } = await killRounds({ engine: 'postgres', seed: 29, rounds: 1, ...short });
    expect(failed).toEqual([]);
  });
});
