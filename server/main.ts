import type { Logger } from 'pino';
import { type FirstAdmin, fillEmptyDatabase } from './board/catalogue/catalogue.ts';
import { createContext } from './context.ts';
import { changedByNewer } from './db/migrate.ts';
import { type Env, mistypedSettings, readSettings, settingsFileOf } from './env.ts';
import { watchLastResort } from './ops/last-resort.ts';
import { createLog } from './ops/log.ts';
import { readyText } from './ops/ready-text.ts';
import { assertPortFree, startFailure } from './ops/start-failure.ts';
import { serve } from './server.ts';

/** How long stopping may take before the process is ended, in milliseconds. */
const STOP_WITHIN_MS = 30_000;

/** Prints one line for the operator and ends the program. */
function giveUp(message: string): never {
  process.stderr.write(`Claimboard cannot start: ${message}\n`);
  process.exit(1);
}

function settings(): Env {
  try {
    for (const { name, meant } of mistypedSettings(process.env)) {
      process.stderr.write(
        `Claimboard: ${name} is no setting and is ignored. Did you mean ${meant}?\n`,
      );
    }
    return readSettings(process.env, settingsFileOf(process.env));
  } catch (error) {
    return giveUp(error instanceof Error ? error.message : String(error));
  }
}

/** Before anything can fail: the password is not stored and could not be shown again. */
function announce({ username, generated_password }: FirstAdmin): void {
  const password = generated_password
    ? `${generated_password}  (it won't be shown again)`
    : 'the ADMIN_PASSWORD you set';
  process.stdout.write(
    `\n  Admin account created. Sign in at /admin/login\n  Username: ${username}\n  Password: ${password}\n\n`,
  );
}

async function start(log: Logger): Promise<void> {
  const env = settings();
  log.level = env.LOG_LEVEL;
  try {
    await assertPortFree(env);
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
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const)
      process.on(signal, () => void stop());
    void server.outdated.then((migration) => {
      process.stderr.write(
        `Claimboard stops: ${changedByNewer(migration)} Start the newer version here, too.\n`,
      );
      void stop(1);
    });
    watchLastResort(process, ctx, () => void stop(1));
    process.stdout.write(readyText(server.port, env));
  } catch (error) {
    const line = startFailure(error, env);
    if (line) giveUp(line);
    throw error;
  }
}

await start(createLog());
