import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { fillEmptyDatabase } from '../../board/catalogue/catalogue.ts';
import { isDemo, markDemo } from '../../board/config/setup.ts';
import { timeOf } from '../../db/clock/server-clock.ts';
import { StartError } from '../../db/errors.ts';
import { migrate, refuseOutdated } from '../../db/migrate.ts';
import { openDatabase } from '../../db/open-database.ts';
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
  const { positionals, values } = parseArgs({ allowPositionals: true, options: { 'fill-only': { type: 'boolean', default: false } } });
  const [named] = positionals;
  // npm changes the folder; the user's is in INIT_CWD.
  const folder = named === undefined ? path.join(ROOT, 'data-demo') : path.resolve(process.env.INIT_CWD ?? '.', named);
  return { folder, isStarted: !values['fill-only'] };
}

/** The demo has a database of its own. With the guild's PUBLIC_URL, it would open at that address only. */
const demoVariables = (folder: string): NodeJS.ProcessEnv => ({ PUBLIC_URL: '', ...process.env, DATA_DIR: folder, DATABASE_URL: '' });

/** Fills an empty folder with a lively guild; one that has such a guild stays as it is. */
async function fill(env: Env): Promise<void> {
  const log = createLog('error');
  const database = await openDatabase(env, log);
  let ctx: ToolContext | null = null;
  try {
    // Only a server backs up an older database before it migrates it.
    await refuseOutdated(database.db, database.dialect);
    await migrate(database);
    ctx = createToolContext(database, { env, log, now: await timeOf(database, log), isAlone: true });
    if (await isDemo(ctx.db)) return;
    await fillEmpty(ctx);
  } finally {
    await (ctx ?? database).close();
  }
}

async function fillEmpty(ctx: ToolContext & { env: Env }): Promise<void> {
  const taken = await ctx.db.selectFrom('access_keys').select('id').executeTakeFirst();
  if (taken) throw new StartError(`${ctx.env.DATA_DIR} has a guild already. Name an empty folder: npm run demo -- FOLDER`);
  const first = await fillEmptyDatabase(ctx);
  const admin = await ctx.db.selectFrom('admins').select(['id', 'username', 'role']).orderBy('id').executeTakeFirstOrThrow();
  const by: Admin = { role: 'admin', admin_id: admin.id, username: admin.username, admin_role: admin.role, token_hash: '' };
  const report = await fillDemo(ctx, by, (claims) => {
    if (claims % 100 === 0) say(`\r  ${claims} claims`);
  });
  await ctx.writes.transaction(markDemo);
  const key = await ctx.db.selectFrom('access_keys').select(['character_name', 'key_value']).orderBy('id').executeTakeFirstOrThrow();
  say(`\rThe invented guild is ready in ${ctx.env.DATA_DIR}: ${report.members} members, ${report.claims} claims.\n`);
  say(`  Admin: ${admin.username}${first?.generated_password ? `, password ${first.generated_password} (it won't be shown again)` : ''}\n`);
  say(`  A member's access key: ${key.key_value} (${key.character_name})\n`);
}

/** Runs the server in this terminal. @returns its exit code */
async function serve(folder: string): Promise<number> {
  const server = spawn(process.execPath, [path.join(ROOT, 'server/main.ts')], {
    cwd: ROOT,
    env: demoVariables(folder),
    stdio: 'inherit',
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    // A terminal sends Ctrl+C to the server, too.
    process.on(signal, () => (signal === 'SIGINT' && process.stdin.isTTY ? undefined : server.kill(signal)));
  }
  return new Promise((resolve) => {
    server.on('exit', (code, signal) => resolve(code ?? 128 + constants.signals[signal ?? 'SIGTERM']));
  });
}

async function demo(): Promise<number> {
  const { folder, isStarted } = demoOptions();
  const env = readSettings(demoVariables(folder), settingsFileOf(process.env));
  try {
    if (isStarted) await assertPortFree(env);
    await fill(env);
  } catch (error) {
    const line = startFailure(error, env);
    throw line === null ? error : new StartError(line);
  }
  const isUsual = folder === path.join(ROOT, 'data-demo');
  say(`Start it again with npm run demo${isUsual ? '' : ` -- ${folder}`}. To remove it, stop it and delete ${folder}.\n`);
  return isStarted ? serve(folder) : 0;
}

try {
  process.exitCode = await demo();
} catch (error) {
  process.stderr.write(`The invented guild could not be started: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
