import { createServer } from 'node:net';
import path from 'node:path';
import {
  damageOf,
  isBusy,
  isDamage,
  refusalOfDatabase,
  StartError,
  sqliteCode,
} from '../db/errors.ts';
import { DATABASE_FILE } from '../db/sqlite.ts';
import type { Env } from '../env.ts';

/**
 * Looks whether the port can be listened on, before anything is stored that is shown only once.
 * @throws Error of Node if it cannot
 */
export async function assertPortFree({ PORT, HOST }: Pick<Env, 'PORT' | 'HOST'>): Promise<void> {
  const probe = createServer();
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  probe.once('error', reject);
  probe.listen({ port: PORT, host: HOST, exclusive: true }, resolve);
  await promise;
  await new Promise((closed) => probe.close(closed));
}

/** Errors of Node for a HOST that this machine does not have. */
const NO_SUCH_HOST: ReadonlySet<unknown> = new Set([
  'EADDRNOTAVAIL',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EAI_FAIL',
  'EINVAL',
  'EAFNOSUPPORT',
]);

/** The operator's line about why the program cannot start; null for an error of the program itself. */
export function startFailure(
  error: unknown,
  { PORT, HOST, DATA_DIR }: Pick<Env, 'PORT' | 'HOST' | 'DATA_DIR'>,
): string | null {
  if (error instanceof StartError) return error.message;
  const file = path.resolve(DATA_DIR, DATABASE_FILE);
  if (isDamage(error)) return damageOf(file);
  if (isBusy(error))
    return `The database file ${file} is locked by another program. Close that one and start again.`;
  if (sqliteCode(error) !== '' && refusalOfDatabase(error) && error instanceof Error)
    return `The database file ${file} cannot be used: ${error.message}. Check that its disk is not full and that this user may write to DATA_DIR.`;
  const { code, syscall } = nodeError(error);
  if (syscall !== 'listen' && syscall !== 'getaddrinfo') return fileFailure(error, code);
  if (code === 'EADDRINUSE')
    return `PORT ${PORT} is in use by another program. Stop it, or set PORT to another one.`;
  if (code === 'EACCES')
    return `PORT ${PORT} may not be used by this user. Set PORT to one above 1023.`;
  return NO_SUCH_HOST.has(code)
    ? `HOST ${HOST} is no address of this machine. Leave it out, or set it to 127.0.0.1.`
    : null;
}

function nodeError(error: unknown): { code: unknown; syscall: unknown } {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  const syscall = error instanceof Error && 'syscall' in error ? error.syscall : null;
  return { code, syscall };
}

const FILE_FAILURES: ReadonlySet<unknown> = new Set([
  'EACCES',
  'EPERM',
  'EROFS',
  'ENOSPC',
  'EDQUOT',
  'EIO',
  'EMFILE',
]);

const fileFailure = (error: unknown, code: unknown): string | null =>
  error instanceof Error && FILE_FAILURES.has(code)
    ? `${error.message}. Check that the disk is not full and that this user may write to DATA_DIR.`
    : null;
