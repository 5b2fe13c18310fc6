import type { Logger } from 'pino';
import type { Env } from '../env.ts';
import type { OpenDatabase } from './database.ts';
import { openSqlite } from './sqlite.ts';

/**
 * Opens the database that the settings name, without changing its schema.
 * @param beside opens an existing database for a short task while a server may be running on it
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
