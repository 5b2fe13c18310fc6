import { pino } from 'pino';
import supertest from 'supertest';
import type TestAgent from 'supertest/lib/agent.js';
import { afterAll, beforeAll, beforeEach, onTestFinished } from 'vitest';
import { type Context, type ContextOptions, createContext } from '../context.ts';
import type { Dialect } from '../db/open.ts';
import { readEnv } from '../env.ts';
import { fillEmptyDatabase } from '../seed/fill-empty-database.ts';
import { type ServeOptions, serve } from '../server.ts';
import { freshDatabase, type TestDatabase } from './databases.ts';

export const ADMIN_PASSWORD = 'hunting-at-night';
/** 10:00 Pacific time on Saturday 21 November 2026: SS+9 of that date. */
export const NOW = '2026-11-21T18:00:00.000Z';
export const TODAY = '2026-11-21';

export interface TestApp {
  ctx: Context;
  url: string;
  /** Real HTTP to the real server. */
  api: TestAgent;
  /** The header of a signed-in admin. */
  admin: { Authorization: string };
  /** Sets the server's clock. */
  setNow: (iso: string) => void;
  settings: TestDatabase['settings'];
  /** How many connections the server holds. */
  connections: () => number;
}

export interface TestAppOptions {
  env?: Record<string, string>;
  /** A database that another server already runs on: two servers share one board. */
  on?: TestDatabase;
  /** Patience that a test need not wait for. */
  serve?: ServeOptions;
  context?: Pick<ContextOptions, 'storage' | 'queue' | 'build'>;
}

async function openTestApp(
  dialect: Dialect,
  { env = {}, on, serve: options, context }: TestAppOptions,
): Promise<{ app: TestApp; close: () => Promise<void> }> {
  const database = on ?? (await freshDatabase(dialect));
  let now = new Date(NOW);
  const log = pino({ level: 'silent' });
  const variables = { ...database.settings, PORT: '0', HOST: '127.0.0.1', ADMIN_PASSWORD, ...env };
  // Whether the client is built is not what a test is about.
  const ctx = await createContext({ env: readEnv(variables), log, now: () => now, build: () => null, ...context });
  await fillEmptyDatabase(ctx);
  const server = await serve(ctx, options);
  const url = `http://127.0.0.1:${server.port}`;
  const api = supertest.agent(`${url}/api`);
  if (env.PUBLIC_URL) api.set('Host', new URL(env.PUBLIC_URL).host);
  const login = await api.post('/login').send({ username: 'admin', password: ADMIN_PASSWORD });
  const app: TestApp = {
    ctx,
    url,
    api,
    admin: { Authorization: `Bearer ${login.body.data.token}` },
    setNow: (iso) => {
      now = new Date(iso);
    },
    settings: database.settings,
    connections: server.connections,
  };
  const close = async (): Promise<void> => {
    await server.stop();
    await ctx.close();
    if (!on) await database.drop();
  };
  return { app, close };
}

/** A real server on a fresh database and a fixed clock; gone when the test has finished. */
export async function createTestApp(dialect: Dialect, options: TestAppOptions = {}): Promise<TestApp> {
  const { app, close } = await openTestApp(dialect, options);
  onTestFinished(close);
  return app;
}

/**
 * One server for all tests of a `describe`, for tests that do not disturb each other: each claims spots and
 * names characters of its own. Its clock is set back before every test.
 */
export function createSuiteApp(dialect: Dialect, options: TestAppOptions = {}): TestApp {
  const shared = {} as TestApp;
  let close = async (): Promise<void> => {};
  beforeAll(async () => {
    const opened = await openTestApp(dialect, options);
    Object.assign(shared, opened.app);
    close = opened.close;
  });
  beforeEach(() => shared.setNow(NOW));
  afterAll(() => close());
  return shared;
}
