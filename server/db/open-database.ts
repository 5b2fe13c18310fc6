import type { Logger } from 'pino';
import type { Env } from '../env.ts';
import type { OpenDatabase } from './open.ts';
import { openSqlite } from './sqlite.ts';

/**
 * Opens the database that the settings name, without touching its schema; `beside` a server that may be running,
 * for a moment's work on a database that exists.
 * @throws StartError with one line for the operator: locked, corrupt, not writable, not reachable
 */
export async function openDatabase(
  env: Pick<Env, 'DATA_DIR' | 'DATABASE_URL'>,
  log: Logger,
  { beside = false }: { beside?: boolean } = {},
): Promise<OpenDatabase> {
  if (!env.DATABASE_URL) return openSqlite(env.DATA_DIR, log, beside);
  const { openPostgres } = await import('./postgres.ts');
  return openPostgres(env.DATABASE_URL, log);
}
