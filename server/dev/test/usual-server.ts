import { Agent } from 'node:http';
import { pino } from 'pino';
import supertest, { type Test } from 'supertest';
import type TestAgent from 'supertest/lib/agent.js';
import { fillEmptyDatabase } from '../../board/catalogue/catalogue.ts';
import { type Context, type ContextOptions, createContext } from '../../context.ts';
import type { MachineClock, ReadDatabaseTime } from '../../db/clock/server-clock.ts';
import { readEnv } from '../../env.ts';
import { type RunningServer, type ServeOptions, serve } from '../../server.ts';
import type { TestDatabase } from './databases.ts';
import { CHEAP_HASH } from './sign-in.ts';

export const usual = {
  password: 'hunting-at-night',
  /** 10:00 Pacific time on Saturday 21 November 2026: SS+9 of that date. */
  now: '2026-11-21T18:00:00.000Z',
} as const;

/** Longer than any test. */
const NO_LOOK_MS = 1_000_000_000;
/** A connection that is kept ends before the server ends it, which takes five seconds. */
const KEPT_MS = 2_000;

export interface UsualServerOptions {
  env?: Record<string, string>;
  /** Patience that a test need not wait for. */
  serve?: ServeOptions;
  context?: Partial<
    Pick<
      ContextOptions,
      'log' | 'fileMonitor' | 'queue' | 'build' | 'post' | 'passwordCost' | 'features'
    >
  >;
  /** The time at which it starts. */
  now?: string;
  /** Has the server tell the time by these clocks, as in production; `setNow` does nothing then. */
  machine?: MachineClock;
  /** The clock of the database, where `machine` is given. */
  readDatabaseTime?: ReadDatabaseTime;
}

export interface UsualServer {
  ctx: Context;
  server: RunningServer;
  url: string;
  /** Real HTTP to it. */
  api: TestAgent;
  kept: Agent;
  setNow: (iso: string) => void;
  close: () => Promise<void>;
}

/** A real server with the settings that most tests have, at the tests' hour; an empty database is filled. */
export async function startUsualServer(
  settings: TestDatabase['settings'],
  { env = {}, serve: options, context, machine, readDatabaseTime, ...at }: UsualServerOptions = {},
): Promise<UsualServer> {
  let now = new Date(at.now ?? usual.now);
  const log = pino({ level: 'silent' });
  const variables = {
    ...settings,
    PORT: '0',
    HOST: '127.0.0.1',
    ADMIN_PASSWORD: usual.password,
    BACKUP_HOURS: '0',
    ...env,
  };
  // Tests do not depend on a built client.
  const ctx = await createContext({
    env: readEnv(variables),
    log,
    ...(machine
      ? { machine, ...(readDatabaseTime ? { readDatabaseTime } : {}) }
      : { now: () => now }),
    build: () => null,
    passwordCost: CHEAP_HASH,
    ...context,
  });
  await fillEmptyDatabase(ctx);
  // Jobs due by the tests' clock run when a test calls for them, not at any moment.
  // A test that waits for a member's clock does not wait for change sets that the member sees nothing of.
  const live = { emptySetsDelay: 0, ...options?.live };
  const server = await serve(ctx, {
    jobs: { everyMs: NO_LOOK_MS },
    pulseMs: NO_LOOK_MS,
    ...options,
    live,
  });
  // The first looks store what comes again and again and run it: a test that then sets the clock would find it running.
  for (let looks = 0; looks === 0 || (looks < 3 && (await isSomethingDue(ctx))); looks += 1)
    await server.runDue();
  const url = `http://127.0.0.1:${server.port}`;
  // A connection for each request costs both sides more than the request.
  const kept = new Agent({ keepAlive: true, timeout: KEPT_MS });
  const api = supertest.agent(`${url}/api`).use((request: Test) => request.agent(kept));
  // Tests of compression request it: otherwise both sides would compress and decompress everything above a kilobyte.
  api.set('Accept-Encoding', 'identity');
  if (env.PUBLIC_URL) api.set('Host', new URL(env.PUBLIC_URL).host);
  return {
    ctx,
    server,
    url,
    api,
    kept,
    setNow: (iso) => {
      now = new Date(iso);
    },
    close: async () => {
      await server.stop();
      kept.destroy();
      await ctx.close();
    },
  };
}

async function isSomethingDue({ db, now }: Context): Promise<boolean> {
  const due = db
    .selectFrom('jobs')
    .select('id')
    .where('given_up_at', 'is', null)
    .where('due_at', '<=', now().toISOString());
  return (await due.executeTakeFirst()) !== undefined;
}

export async function signInUsualAdmin(api: TestAgent): Promise<string> {
  const { body } = await api.post('/login').send({ username: 'admin', password: usual.password });
  return body.data.token;
}
