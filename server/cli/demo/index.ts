import { spawn } from 'node:child_process';
import { existsSync, renameSync, rmSync } from 'node:fs';
import { constants } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { fillEmptyDatabase } from '../../board/catalogue/catalogue.ts';
import { isDemo, markDemo } from '../../board/config/setup.ts';
import { timeOf } from '../../db/clock/server-clock.ts';
import { makeFolder } from '../../db/database-file.ts';
import { StartError } from '../../db/errors.ts';
import { doneMigrations, migrate, refuseOutdated } from '../../db/migrate.ts';
import { openDatabase } from '../../db/open-database.ts';
import { DATABASE_FILE, lockFolder } from '../../db/sqlite.ts';
import { type Env, readSettings, settingsFileOf } from '../../env.ts';
import type { Admin } from '../../http/caller.ts';
import { createLog } from '../../ops/log.ts';
import { assertPortFree, startFailure } from '../../ops/start-failure.ts';
import { createToolContext, type ToolContext } from '../../tool-context.ts';
import { fillDemo } from './fill-demo.ts';

const ROOT = path.resolve(import.meta.dirname, '../../..');
const say = (line: string): boolean => process.stdout.write(line);

interface DemoOptions {
  folder: string;
  /** Whether a server is started on it. */
  isStarted: boolean;
}

function demoOptions(): DemoOptions {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { 'fill-only': { type: 'boolean', default: false } },
  });
  const [named] = positionals;
  // npm changes the folder; the user's is in INIT_CWD.
  const folder =
    named === undefined
      ? path.join(ROOT, 'data-demo')
      : path.resolve(process.env.INIT_CWD ?? '.', named);
  return { folder, isStarted: !values['fill-only'] };
}

/** The demo has a database of its own. With the guild's PUBLIC_URL, it would open at that address only. */
const demoVariables = (folder: string): NodeJS.ProcessEnv => ({
  PUBLIC_URL: '',
  ...process.env,
  DATA_DIR: folder,
  DATABASE_URL: '',
});

/** A mark in the demo's folder until it is filled; nothing else is ever stored there. */
const UNFINISHED = 'unfinished-demo';

/** Fills a folder with a lively guild; one that has such a guild stays as it is. */
async function fillFolder(env: Env): Promise<void> {
  const folder = env.DATA_DIR;
  if (existsSync(path.join(folder, DATABASE_FILE))) return refuseGuild(env);
  const unfinished = path.join(folder, UNFINISHED);
  if (existsSync(unfinished)) {
    // Another one may be filling it now.
    lockFolder(unfinished).close();
    rmSync(unfinished, { recursive: true });
  }
  makeFolder(folder);
  const report = await fillEmpty({ ...env, DATA_DIR: unfinished });
  // A closed database is this file alone.
  renameSync(path.join(unfinished, DATABASE_FILE), path.join(folder, DATABASE_FILE));
  rmSync(unfinished, { recursive: true });
  say(`\rThe invented guild is ready in ${folder}${report}`);
}

/** @throws StartError unless the database is an invented guild's */
async function refuseGuild(env: Env): Promise<void> {
  const { db, dialect, close } = await openDatabase(env, createLog('error'));
  try {
    await refuseOutdated(db, dialect);
    const hasDemo = (await doneMigrations(db, dialect)).length > 0 && (await isDemo(db));
    if (!hasDemo)
      throw new StartError(
        `${env.DATA_DIR} has a guild already. Name an empty folder: npm run demo -- FOLDER`,
      );
  } finally {
    await close();
  }
}

/** @returns what to print about the guild */
async function fillEmpty(env: Env): Promise<string> {
  const log = createLog('error');
  const database = await openDatabase(env, log);
  let ctx: ToolContext | null = null;
  try {
    await migrate(database);
    ctx = createToolContext(database, {
      env,
      log,
      now: await timeOf(database, log),
      isAlone: true,
    });
    const first = await fillEmptyDatabase({ ...ctx, env });
    const admin = await ctx.db
      .selectFrom('admins')
      .select(['id', 'username', 'role'])
      .orderBy('id')
      .executeTakeFirstOrThrow();
    const by: Admin = {
      role: 'admin',
      admin_id: admin.id,
      username: admin.username,
      admin_role: admin.role,
      token_hash: '',
    };
    const { members, claims } = await fillDemo(ctx, by, (claims) => {
      if (claims % 100 === 0) say(`\r  ${claims} claims`);
    });
    await ctx.writes.transaction(markDemo);
    const key = await ctx.db
      .selectFrom('access_keys')
      .select(['character_name', 'key_value'])
      .orderBy('id')
      .executeTakeFirstOrThrow();
    const password = first?.generated_password
      ? `, password ${first.generated_password} (it won't be shown again)`
      : '';
    return `: ${members} members, ${claims} claims.
  Admin: ${admin.username}${password}
  A member's access key: ${key.key_value} (${key.character_name})
`;
  } finally {
    await (ctx ?? database).close();
  }
}

/** Runs the server in this terminal. @returns its exit code */
async function serveDemo(folder: string): Promise<number> {
  const server = spawn(process.execPath, [path.join(ROOT, 'server/main.ts')], {
    cwd: ROOT,
    env: demoVariables(folder),
    stdio: 'inherit',
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    // A terminal sends Ctrl+C to the server, too.
    process.on(signal, () =>
      signal === 'SIGINT' && process.stdin.isTTY ? undefined : server.kill(signal),
    );
  }
  return new Promise((resolve) => {
    server.on('exit', (code, signal) =>
      resolve(code ?? 128 + constants.signals[signal ?? 'SIGTERM']),
    );
  });
}

async function demo(): Promise<number> {
  const { folder, isStarted } = demoOptions();
  const env = readSettings(demoVariables(folder), settingsFileOf(process.env));
  try {
    if (isStarted) await assertPortFree(env);
    await fillFolder(env);
  } catch (error) {
    const line = startFailure(error, env);
    throw line === null ? error : new StartError(line);
  }
  const isUsual = folder === path.join(ROOT, 'data-demo');
  say(
    `Start it again with npm run demo${isUsual ? '' : ` -- ${folder}`}. To remove it, stop it and delete ${folder}.\n`,
  );
  return isStarted ? serveDemo(folder) : 0;
}

try {
  process.exitCode = await demo();
} catch (error) {
  process.stderr.write(
    `The invented guild could not be started: ${error instanceof Error ? error.message : String(error)}\n`,
  );
  process.exitCode = 1;
}
