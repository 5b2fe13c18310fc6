import BetterSqlite from 'better-sqlite3';
import { DomainError, type ErrorCode } from '../../shared/errors.ts';

/** Retry-After of callers that could not be served, in seconds. */
export const RETRY_AFTER_S = 2;

/** The database does not answer or closed the connection, so the outcome of the last statement is unknown. `cause` says why. */
export class DatabaseAway extends Error {
  override readonly name = 'DatabaseAway';
  constructor(cause: unknown) {
    super('the database does not answer', { cause });
  }
}

/** All connections of a pool are in use, for longer than a request may wait. */
export class PoolBusy extends Error {
  override readonly name = 'PoolBusy';
}

/** SQLSTATE codes: connection failed, too many connections, shutdown, standby, disk failed. */
const POSTGRES_UNAVAILABLE = /^(08|53300|53400|57P|25006|25P03|58)/;
/** Cancelled statement, out of memory, serialization failure, deadlock. */
const POSTGRES_SLOW = /^(57014|53200|40001|40P01)$/;
/** lock_timeout passed: another write is under way. */
const POSTGRES_LOCKED = '55P03';
const POSTGRES_FULL = '53100';

/** Whether the connection of this error must not be used again. */
export function endsConnection(error: unknown): boolean {
  // Without a code the error is not the server's: a time limit, a reset, a closed socket.
  const code = postgresCode(error);
  return code === null || POSTGRES_UNAVAILABLE.test(code);
}

/** Whether the outcome of the last statement is unknown after this error. */
export function isSilence(error: unknown): boolean {
  return error instanceof DatabaseAway || sqliteCode(error).startsWith('SQLITE_IOERR');
}

/** Whether the error is the database's own or its silence: its transaction may be unusable. */
export const isOfDatabase = (error: unknown): boolean =>
  error instanceof DatabaseAway || postgresCode(error) !== null || sqliteCode(error) !== '';

/** The SQLSTATE of an error of PostgreSQL; null for any other error. Recognized by its shape, because the driver is not always loaded. */
function postgresCode(error: unknown): string | null {
  return error instanceof Error && 'severity' in error && 'code' in error
    ? String(error.code)
    : null;
}

/** Whether a file is damaged or not a database. */
export const isDamage = (error: unknown): boolean =>
  /^SQLITE_(CORRUPT|NOTADB)/.test(sqliteCode(error));

/** Whether another connection to the file holds the lock. */
export const isBusy = (error: unknown): boolean => sqliteCode(error).startsWith('SQLITE_BUSY');

/** The operator's sentence about such a file. */
export const damageOf = (file: string): string =>
  `The database file ${file} is damaged or not a database. Restore it from a backup, or move it away.`;

export function sqliteCode(error: unknown): string {
  return error instanceof BetterSqlite.SqliteError ? error.code : '';
}

/** The refusal to answer with after an error of the database; null for any other error. */
export function refusalOfDatabase(error: unknown): DomainError | null {
  const code = codeOf(error);
  return code && new DomainError(code, { seconds: RETRY_AFTER_S });
}

function codeOf(error: unknown): ErrorCode | null {
  if (error instanceof DatabaseAway) return 'server.databaseAway';
  if (error instanceof PoolBusy) return 'server.busy';
  const state = postgresCode(error);
  if (state !== null) {
    if (state === POSTGRES_FULL) return 'server.storageFull';
    if (state === POSTGRES_LOCKED) return 'server.busy';
    return POSTGRES_UNAVAILABLE.test(state) || POSTGRES_SLOW.test(state)
      ? 'server.databaseAway'
      : null;
  }
  const code = sqliteCode(error);
  if (code === 'SQLITE_FULL') return 'server.storageFull';
  if (code.startsWith('SQLITE_READONLY')) return 'server.storageReadOnly';
  if (isBusy(error)) return 'server.busy';
  if (isDamage(error)) return 'server.storageDamaged';
  return /^SQLITE_(IOERR|CANTOPEN)/.test(code) ? 'server.storageLost' : null;
}

/** An error whose message tells the operator enough; shown without a stack trace. */
export class StartError extends Error {
  override readonly name = 'StartError';
}
