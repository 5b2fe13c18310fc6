import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pino } from 'pino';
import { fillEmptyDatabase } from '../../../board/catalogue/catalogue.ts';
import { type Context, createContext } from '../../../context.ts';
import { readEnv } from '../../../env.ts';
import { serve } from '../../../server.ts';

/** The actor that fills a board; it has no session. */
export const BENCH_ADMIN = {
  role: 'admin',
  admin_id: 1,
  username: 'admin',
  admin_role: 'owner',
  token_hash: '',
} as const;

/** Fills a temporary database, serves it, measures it and removes it. */
export async function withServer<Filled, Result>(
  fill: (ctx: Context) => Promise<Filled>,
  measure: (ctx: Context, url: string, filled: Filled) => Promise<Result>,
): Promise<Result> {
  const folder = await mkdtemp(path.join(tmpdir(), 'claimboard-bench-'));
  const env = readEnv({
    DATA_DIR: folder,
    PORT: '0',
    HOST: '127.0.0.1',
    ADMIN_PASSWORD: 'bench-password',
    BACKUP_HOURS: '0',
  });
  const ctx = await createContext({ env, log: pino({ level: 'error' }) });
  try {
    await fillEmptyDatabase(ctx);
    const filled = await fill(ctx);
    const server = await serve(ctx);
    try {
      return await measure(ctx, `http://127.0.0.1:${server.port}`, filled);
    } finally {
      await server.stop();
    }
  } finally {
    await ctx.close();
    await rm(folder, { recursive: true, force: true });
  }
}
