import path from 'node:path';
import type { Logger } from 'pino';
import { type FirstAdmin, fillEmptyDatabase } from './board/catalogue/catalogue.ts';
import { createContext } from './context.ts';
import { damageOf, isDamage, StartError } from './db/errors.ts';
import { changedByNewer } from './db/migrate.ts';
import { DATABASE_FILE } from './db/sqlite.ts';
import { type Env, readEnv } from './env.ts';
import { watchLastResort } from './ops/last-resort.ts';
import { createLog } from './ops/log.ts';
import { serve } from './server.ts';

/** How long stopping may take before the process is ended, in milliseconds. */
const STOP_WITHIN_MS = 30_000;

/** Prints one line for the operator and ends the program. */
function giveUp(message: string): never {
  process.stderr.write(`Claimboard cannot start: ${message}\n`);
  process.exit(1);
}

function settings(): ReturnType<typeof readEnv> {
  try {
    return readEnv(process.env);
  } catch (error) {
    return giveUp(error instanceof Error ? error.message : String(error));
  }
}

function inOneLine(error: unknown, { PORT: port, DATA_DIR }: Env): string | null {
  if (error instanceof StartError) return error.message;
  if (isDamage(error)) return damageOf(path.resolve(DATA_DIR, DATABASE_FILE));
  const code = error instanceof Error && 'code' in error ? error.code : null;
  if (code === 'EADDRINUSE') return `PORT ${port} is in use by another program. Stop it, or set PORT to another one.`;
  if (code === 'EACCES') return `PORT ${port} may not be used by this user. Set PORT to one above 1023.`;
  return null;
}

/** Before anything can fail: the password is not stored and could not be shown again. */
function announce({ username, generated_password }: FirstAdmin): void {
  const password = generated_password ? `${generated_password}  (it won't be shown again)` : 'the ADMIN_PASSWORD you set';
  process.stdout.write(`\n  Admin account created. Sign in at /admin/login\n  Username: ${username}\n  Password: ${password}\n\n`);
}

/** The addresses that an operator needs first. Programs that start a server read the first line. */
function readyText(port: number, { PUBLIC_URL }: Env): string {
  const local = `http://localhost:${port}`;
  const url = PUBLIC_URL ?? local;
  return [
    `Claimboard is ready at ${local}`,
    `  Board:             ${url}/`,
    `  Members verify at: ${url}/verify`,
    `  Admins sign in at: ${url}/admin/login`,
    '',
  ].join('\n');
}

async function start(log: Logger): Promise<void> {
  const env = settings();
  log.level = env.LOG_LEVEL;
  try {
    const ctx = await createContext({ env, log });
    const admin = await fillEmptyDatabase(ctx);
    if (admin) announce(admin);
    const server = await serve(ctx);
    const stopCheck = ctx.fileMonitor.checkIntegrity();
    let stopping = false;
    const stop = async (status = 0): Promise<void> => {
      if (stopping) return;
      stopping = true;
      setTimeout(() => process.exit(1), STOP_WITHIN_MS).unref();
      try {
        stopCheck();
        await server.stop();
        await ctx.close();
        process.exit(status);
      } catch (error) {
        log.error({ err: error }, 'the server did not stop cleanly');
        process.exit(1);
      }
    };
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => void stop());
    void server.outdated.then((migration) => {
      process.stderr.write(`Claimboard stops: ${changedByNewer(migration)} Start the newer version here, too.\n`);
      void stop(1);
    });
    watchLastResort(process, ctx, () => void stop(1));
    process.stdout.write(readyText(server.port, env));
  } catch (error) {
    const line = inOneLine(error, env);
    if (line) giveUp(line);
    throw error;
  }
}

await start(createLog());
