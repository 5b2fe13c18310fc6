import supertest from 'supertest';
import { expect, it } from 'vitest';
import { fillEmptyDatabase } from '../../board/catalogue/catalogue.ts';
import { createContext } from '../../context.ts';
import { filledDatabase } from '../../dev/test/databases.ts';
import { readEnv } from '../../env.ts';
import { createLog } from '../../ops/log.ts';
import { serve } from '../../server.ts';
import { createCalendar } from './calendars.ts';

it('the address of a calendar is in no log and in no metric, when all is well, when it is wrong, and when reading it fails', async () => {
  const lines: string[] = [];
  const log = createLog('debug', { write: (line: string) => lines.push(line) });
  const database = await filledDatabase('sqlite');
  const env = readEnv({
    ...database.settings,
    PORT: '0',
    HOST: '127.0.0.1',
    LOG_LEVEL: 'debug',
    ADMIN_PASSWORD: 'hunting-at-night',
  });
  const ctx = await createContext({ env, log, build: () => null });
  await fillEmptyDatabase(ctx);
  const server = await serve(ctx);
  const url = `http://127.0.0.1:${server.port}`;
  const key = {
    character_name: 'Ann',
    character_key: 'ann',
    key_value: 'KEY-1',
    member_type: 'member',
    created_at: '2026-11-21T18:00:00.000Z',
  };
  await ctx.writes.transaction((tx) =>
    tx
      .insertInto('access_keys')
      .values({ ...key, created_by_username: null })
      .execute(),
  );
  const token = await createCalendar(ctx, 'KEY-1', 'en');
  const right = `/calendar/${token}.ics`;
  const wrong = `/calendar/${token.slice(1)}x.ics`;
  const ask = (path: string) =>
    supertest(url)
      .get(path)
      .set('X-Forwarded-For', '192.0.2.1')
      .set('Referer', url + path);
  await ask(right).expect(200);
  await ask(wrong).expect(404);
  await ctx.writes.transaction((tx) =>
    tx.updateTable('calendars').set({ shown_events: 'no JSON' }).execute(),
  );
  await ask(right).expect(500);
  const { text } = await supertest(url).get('/metrics');
  await server.stop();
  await ctx.close();
  await database.drop();
  const entries = lines.join('\n') + text;
  expect(entries).toContain('request failed');
  expect(text).toContain('route="/calendar/:token.ics"');
  expect(entries).not.toContain(token);
  expect(entries).not.toContain(token.slice(1));
});
