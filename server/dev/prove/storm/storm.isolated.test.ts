import { expect, it } from 'vitest';
import { killRounds } from './rounds.ts';

const title =
  'kill -9 of the server on SQLite under six writers: nothing acknowledged is lost, nothing is stored twice or by halves';

it(title, { timeout: 240_000 }, async () => {
  // A seed whose round starts the server twice only: before it is killed, and after.
  const { failed } = await killRounds({
    engine: 'sqlite',
    seed: 9,
    rounds: 1,
    commands: 12,
    say: () => {},
    limit_ms: 60_000,
  });
  expect(failed).toEqual([]);
});
