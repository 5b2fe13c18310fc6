import { describe, expect, it, vi } from 'vitest';
import { freshDatabase } from '../../test/databases.ts';
import { runServer } from '../../test/run-server.ts';
import { isLong, sized } from '../../test/scope.ts';
import { ADMIN_PASSWORD } from '../storm/place.ts';
import { checkHistories } from './histories.ts';

// Programs race here, which on a busy machine takes its time.
vi.setConfig({ testTimeout: 240_000 });

const HISTORIES = sized(3, 12);

const onSqlite = { engine: 'sqlite' as const, servers: 1 };
const onPostgres = [
  { engine: 'postgres' as const, servers: 1 },
  { engine: 'postgres' as const, servers: 2 },
];

describe.each(isLong ? [onSqlite, ...onPostgres] : [onSqlite])(
  'racing calls on $engine with $servers server(s)',
  ({ engine, servers }) => {
    it('R7.1: are answered as if one came after another, each at a moment between question and answer', async () => {
      const { settings, drop } = await freshDatabase(engine);
      const running = Array.from({ length: servers }, () =>
        runServer({
          DATA_DIR: settings.DATA_DIR,
          DATABASE_URL: settings.DATABASE_URL ?? '',
          ADMIN_PASSWORD,
        }),
      );
      const urls = await Promise.all(running.map((server) => server.ready));
      const { failed } = await checkHistories({
        engine,
        urls,
        seed: 20261121,
        histories: HISTORIES,
        say: () => {},
      });
      expect(failed).toEqual([]);
      for (const server of running) server.child.kill('SIGKILL');
      await Promise.all(running.map((server) => server.ended));
      await drop();
    });
  },
);
