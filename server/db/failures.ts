import BetterSqlite from 'better-sqlite3';
import { DomainError, type ErrorCode } from '../../shared/errors.ts';

/** What a caller whom we could not serve is told to wait, in seconds. */
export const RETRY_AFTER_S = 2;

/** The database does not answer, or hung up: nothing is known of what it was asked last. Its cause says how. */
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

/** PostgreSQL's classes and numbers for: the connection failed, too many of them, it goes down, it is a standby, its disk failed. */
const POSTGRES_LEAVES = /^(08|53300|53400|57P|25006|25P03|58)/;
/** It answers, but has not managed the statement in time. */
const POSTGRES_SLOW = /^(57014|53200|40001|40P01)$/;
/** It waited for a lock for longer than lock_timeout: another write is under way. */
const POSTGRES_LOCKED = '55P03';
const POSTGRES_FULL = '53100';

/** Whether an error of the driver means that the connection it came over is of no more use. */
export function endsConnection(error: unknown): boolean {
  // Whatever is not the server's own word: a time limit, a reset, an end.
  const code = postgresCode(error);
  return code === null || POSTGRES_LEAVES.test(code);
}

/** Whether nobody can say, after this error, what became of the last thing the database was told. */
export function isSilence(error: unknown): boolean {
  return error instanceof DatabaseAway || sqliteCode(error).startsWith('SQLITE_IOERR');
}

/** Whether the database said it, or said nothing: then its transaction may be of no more use. */
export const isOfDatabase = (error: unknown): boolean =>
  error instanceof DatabaseAway || postgresCode(error) !== null || sqliteCode(error) !== '';

/** The code of what PostgreSQL itself said; null for any other error. By its shape: its driver is loaded only where it is used. */
function postgresCode(error: unknown): string | null {
  return error instanceof Error && 'severity' in error && 'code' in error ? String(error.code) : null;
}

/** Whether a database file is none, or none any more. */
export const isDamage = (error: unknown): boolean => /^SQLITE_(CORRUPT|NOTADB)/.test(sqliteCode(error));

/** What the operator is told of such a file. */
export const damageOf = (file: string): string =>
  `The database file ${file} is damaged or not a database. Restore it from a backup, or move it away.`;

export function sqliteCode(error: unknown): string {
  return error instanceof BetterSqlite.SqliteError ? error.code : '';
}

/** The refusal that a failure of the database's own is answered with, null for any other error. */
export function refusalOfDatabase(error: unknown): DomainError | null {
  const code = codeOf(error);
  return code && new DomainError(code, { seconds: RETRY_AFTER_S });
}

function codeOf(error: unknown): ErrorCode | null {
  if (error instanceof DatabaseAway) return 'server.databaseAway';
  if (error instanceof PoolBusy) return 'server.busy';
  const said = postgresCode(error);
  if (said !== null) {
    if (said === POSTGRES_FULL) return 'server.storageFull';
    if (said === POSTGRES_LOCKED) return 'server.busy';
    return POSTGRES_LEAVES.test(said) || POSTGRES_SLOW.test(said) ? 'server.databaseAway' : null;
  }
  const code = sqliteCode(error);
  if (code === 'SQLITE_FULL') return 'server.storageFull';
  if (code.startsWith('SQLITE_READONLY')) return 'server.storageReadOnly';
  if (code.startsWith('SQLITE_BUSY')) return 'server.busy';
  if (isDamage(error)) return 'server.storageDamaged';
  return /^SQLITE_(IOERR|CANTOPEN)/.test(code) ? 'server.storageLost' : null;
}

/** An error whose message is all that the operator needs; shown without a stack trace. */
export class StartError extends Error {
  override readonly name = 'StartError';
}
