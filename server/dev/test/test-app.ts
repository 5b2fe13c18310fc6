import type { Agent } from 'node:http';
import type TestAgent from 'supertest/lib/agent.js';
import { afterAll, beforeAll, beforeEach, inject, onTestFinished } from 'vitest';
import type { Context } from '../../context.ts';
import type { Dialect } from '../../db/database.ts';
import { filledDatabase, freshDatabase, type TestDatabase } from './databases.ts';
import { SHOWN_WHEN_FILLED } from './shown-when-filled.ts';
import {
  signInUsualAdmin,
  startUsualServer,
  type UsualServerOptions,
  usual,
} from './usual-server.ts';

export const ADMIN_PASSWORD = usual.password;
/** 10:00 Pacific time on Saturday 21 November 2026: SS+9 of that date. */
export const NOW = usual.now;
export const TODAY = '2026-11-21';

export interface TestApp {
  ctx: Context;
  url: string;
  /** Real HTTP to the real server. */
  api: TestAgent;
  kept: Agent;
  /** The header of a signed-in admin. */
  admin: { Authorization: string };
  /** Sets the server's clock. */
  setNow: (iso: string) => void;
  settings: TestDatabase['settings'];
  /** How many connections the server holds. */
  connections: () => number;
  /** Runs the jobs due by its clock. Jobs outside of it may continue. */
  runDue: () => Promise<void>;
  /** Stores that the server is there, by its clock. */
  beat: () => Promise<void>;
}

export interface TestAppOptions extends UsualServerOptions {
  /** A database that another server already runs on: two servers share one board. */
  on?: TestDatabase;
}

async function openTestApp(
  dialect: Dialect,
  { on, ...options }: TestAppOptions,
): Promise<{ app: TestApp; close: () => Promise<void> }> {
  // Filling a database and hashing its admin's password takes longer than most tests: theirs is a copy.
  const copied = !on && !SHOWN_WHEN_FILLED.some((name) => name in (options.env ?? {}));
  const database = on ?? (await (copied ? filledDatabase(dialect) : freshDatabase(dialect)));
  const { ctx, server, url, api, kept, setNow, close } = await startUsualServer(
    database.settings,
    options,
  );
  const token = copied ? inject('templates').token[dialect] : await signInUsualAdmin(api);
  const app: TestApp = {
    ctx,
    url,
    api,
    kept,
    admin: { Authorization: `Bearer ${token}` },
    setNow,
    settings: database.settings,
    connections: server.connections,
    runDue: server.runDue,
    beat: server.beat,
  };
  return {
    app,
    close: async () => {
      await close();
      if (!on) await database.drop();
    },
  };
}

/** A real server on a fresh database and a fixed clock; gone when the test has finished. */
export async function createTestApp(
  dialect: Dialect,
  options: TestAppOptions = {},
): Promise<TestApp> {
  const { app, close } = await openTestApp(dialect, options);
  onTestFinished(close);
  return app;
}

/**
 * One server for all tests of a `describe`, for tests that do not disturb each other: each claims spots and
 * uses its own characters' names. Its clock is set back before every test.
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
