import { randomInt } from 'node:crypto';
import {
  closeSync,
  fsyncSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import path from 'node:path';
import type BetterSqlite from 'better-sqlite3';
import { StartError } from './errors.ts';

/*
 * SQLite does not notice when a database file and a write-ahead log of different moments lie side by
 * side. So the server marks both with `user_version`, 0 after a clean stop. The first frame of a log
 * repeats the random mark of the file that it continues; its second frame sets another mark, which
 * the file gets only when the log is written into it. A file beside them has the marks that the
 * database file may have without a log. https://www.sqlite.org/fileformat2.html has the offsets.
 *
 * A copy that SQLite itself made (`.backup`, `vacuum into`) is complete, but has a mark of the log.
 * SQLite gives such a copy another schema version than its source has, so each mark repeats the
 * schema version: a file whose two differ is such a copy.
 */

/** From this size in bytes on, the log is written into the database file. SQLite's own limit: 1,000 pages. */
const LARGE_LOG = 4_000_000;
/** A mark's remainder by this is that of the schema version. */
const SCHEMA_VERSIONS = 2 ** 15;
const MAX_MARK = 2 ** 31 - 1;

/** The file beside the database with the marks that it may have without a log, one a line. */
const markFile = (file: string): string => `${file}-mark`;

/** Which file of a database is missing, or of another moment than the others. */
export type FileMismatch = 'logForeign' | 'logMissing' | 'fileMissing';

/** SQLite's own checkpoint would let the next write begin a log without a mark. */
export const leaveCheckpoints = (writing: BetterSqlite.Database): unknown =>
  writing.pragma('wal_autocheckpoint = 0');

/** An open database file. */
export interface MarkedFile {
  writing: BetterSqlite.Database;
  /** Writes the log into the file while `writing` has the write lock. */
  checkpoints: BetterSqlite.Database;
  file: string;
}

/**
 * Writes the log into the database file, empties it, and begins the next one with a new mark. Readers that need the log, and other
 * writers, postpone it.
 * @param isClosing whether the database is being closed: the file is then everything, and has no mark
 * @returns whether it was done
 */
export function checkpoint({ writing, checkpoints, file }: MarkedFile, isClosing = false): boolean {
  if (!writing.open || writing.inTransaction) return false;
  const mark = (to: number): unknown => writing.pragma(`user_version = ${to}`);
  try {
    // The checkpoint syncs the log before it writes to the database file, and nothing of the rest is worth a sync.
    writing.pragma('synchronous = NORMAL');
    const last = Number(writing.pragma('user_version', { simple: true }));
    // After a complete checkpoint the next write begins a new log, which must name the state that it continues.
    writing.exec('begin immediate');
    // All other pages first: the file must not have the new mark before it is complete.
    if (!isComplete(checkpoints, 'passive')) return false;
    mark(last);
    writing.exec('commit');
    const schema = Number(writing.pragma('schema_version', { simple: true }));
    const next = isClosing ? 0 : randomMark(schema);
    const written = randomMark(schema);
    // Whatever interrupts the next steps, the file has one of these marks once the log is written into it.
    if (!isClosing) storeMarks(file, [last, next, written]);
    mark(next);
    const isDone = isComplete(writing, 'truncate');
    if (isClosing) {
      if (isDone) rmSync(markFile(file), { force: true });
      return isDone;
    }
    // Even if it was not done: when the last reader goes, the next write begins a new log.
    mark(next);
    mark(written);
    storeMarks(file, [written]);
    return isDone;
  } catch {
    // Locked by another program, a full or read-only disk: the log goes on, and the next try may succeed.
    return false;
  } finally {
    syncEachCommit(writing);
  }
}

const randomMark = (schema: number): number =>
  randomInt(1, Math.floor(MAX_MARK / SCHEMA_VERSIONS)) * SCHEMA_VERSIONS +
  (schema % SCHEMA_VERSIONS);

/** Never throws: a failure here must not make the commit before the checkpoint look failed. */
function syncEachCommit(writing: BetterSqlite.Database): void {
  try {
    if (writing.inTransaction) writing.exec('rollback');
    writing.pragma('synchronous = FULL');
  } catch {
    // The file is gone: no later commit succeeds.
  }
}

/** Replaces the file of marks as a whole, and durably. @throws Error of the file system */
function storeMarks(file: string, marks: readonly number[]): void {
  const part = `${markFile(file)}.part`;
  const handle = openSync(part, 'w', 0o600);
  try {
    writeSync(handle, `${marks.join('\n')}\n`);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
  renameSync(part, markFile(file));
}

/** Writes as much as readers and other writers allow. @returns whether that was everything */
function isComplete(writing: BetterSqlite.Database, mode: 'passive' | 'truncate'): boolean {
  const run = writing.prepare<[], { busy: number; log: number; checkpointed: number }>(
    `pragma wal_checkpoint(${mode})`,
  );
  const result = run.get();
  return result?.busy === 0 && result.log === result.checkpointed;
}

/** Whether a log has so many frames that a checkpoint is worth its time. */
export const hasLargeLog = (file: string): boolean => sizeOf(logOf(file)) > LARGE_LOG;

/** Whether anything was written since the last checkpoint. */
export function hasWritten(file: string): boolean {
  const size = sizeOf(logOf(file));
  // A new log begins with two frames of its own.
  return size > LOG_HEADER && size > LOG_HEADER + 2 * (FRAME_HEADER + pageSizeOf(logOf(file)));
}

const logOf = (file: string): string => `${file}-wal`;
const sizeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0;

const MAGIC = 'SQLite format 3\0';
const LOG_HEADER = 32;
const FRAME_HEADER = 24;
const PAGE_SIZE_AT = 8;
const SALTS = { at: 16, length: 8 };
/** Offset of a frame's copy of the log's salts. A frame with others is of an earlier log. */
const FRAME_SALTS_AT = 8;
/** Offsets in page 1 of the schema version and of `user_version`. */
const SCHEMA_AT = 40;
const MARK_AT = 60;
const HEADER = MARK_AT + 4;

/** Counters of page 1 that change with the file. */
interface Moment {
  mark: number;
  schema: number;
}

const momentOf = (page: Buffer): Moment => ({
  mark: page.readUInt32BE(MARK_AT),
  schema: page.readUInt32BE(SCHEMA_AT),
});
const isSameMoment = (one: Moment, other: Moment): boolean =>
  one.mark === other.mark && one.schema === other.schema;
const isMadeBySqlite = ({ mark, schema }: Moment): boolean =>
  mark % SCHEMA_VERSIONS !== schema % SCHEMA_VERSIONS;

const pageSizeOf = (log: string): number => readAt(log, PAGE_SIZE_AT, 4).readUInt32BE();

function readAt(file: string, position: number, length: number): Buffer {
  const handle = openSync(file, 'r');
  try {
    return readFrom(handle, position, length);
  } finally {
    closeSync(handle);
  }
}

/** Bytes beyond the end of the file are 0. */
function readFrom(handle: number, position: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  readSync(handle, bytes, 0, length, position);
  return bytes;
}

/** The moments in a log, the first of which it began with; none if another program began it. */
function momentsInLog(log: string): Moment[] {
  const handle = openSync(log, 'r');
  try {
    const header = readFrom(handle, 0, LOG_HEADER);
    const pageSize = header.readUInt32BE(PAGE_SIZE_AT);
    const salts = header.subarray(SALTS.at, SALTS.at + SALTS.length);
    if (pageSize === 0) return [];
    const size = sizeOf(log);
    const moments: Moment[] = [];
    for (let at = LOG_HEADER; at + FRAME_HEADER + pageSize <= size; at += FRAME_HEADER + pageSize) {
      const frame = readFrom(handle, at, FRAME_HEADER + HEADER);
      const isCurrent = frame.subarray(FRAME_SALTS_AT, FRAME_SALTS_AT + SALTS.length).equals(salts);
      if (!isCurrent) break;
      if (frame.readUInt32BE(0) === 1) moments.push(momentOf(frame.subarray(FRAME_HEADER)));
      else if (at === LOG_HEADER) return [];
    }
    return moments[0]?.mark === 0 ? [] : moments;
  } finally {
    closeSync(handle);
  }
}

/** Reads the files without SQLite, which would already write to them. @returns null: they belong together */
export function findMismatch(file: string): FileMismatch | null {
  // A running server may do a checkpoint between two reads.
  for (let tries = 0; tries < 5; tries += 1) {
    const found = compare(file);
    if (found.mismatch === null || readMoment(file)?.mark === found.mark) return found.mismatch;
  }
  return null;
}

function compare(file: string): { mark: number | undefined; mismatch: FileMismatch | null } {
  const moment = readMoment(file);
  const mark = moment?.mark;
  const log = logOf(file);
  const hasLog = sizeOf(log) > LOG_HEADER;
  if (moment === null) return { mark, mismatch: hasLog ? 'fileMissing' : null };
  if (hasLog) {
    const moments = momentsInLog(log);
    return {
      mark,
      mismatch:
        moments.length === 0 || moments.some((each) => isSameMoment(each, moment))
          ? null
          : 'logForeign',
    };
  }
  // Another program may have written the log into the file, and deleted it: then the file has the log's mark.
  const isComplete =
    moment.mark === 0 || isMadeBySqlite(moment) || storedMarks(file).includes(String(mark));
  return { mark, mismatch: isComplete ? null : 'logMissing' };
}

/** null if the file is missing or empty; mark 0 if it is no database, which SQLite reports. */
function readMoment(file: string): Moment | null {
  if (sizeOf(file) === 0) return null;
  const header = readAt(file, 0, HEADER);
  return header.toString('latin1', 0, MAGIC.length) === MAGIC
    ? momentOf(header)
    : { mark: 0, schema: 0 };
}

function storedMarks(file: string): string[] {
  try {
    return readFileSync(markFile(file), 'utf8').split('\n');
  } catch {
    return [];
  }
}

const WHY: Readonly<Record<FileMismatch, (file: string) => string>> = {
  logForeign: (file) =>
    `${file} and ${path.basename(file)}-wal are of different moments, and opening them would damage the board.`,
  logMissing: (file) =>
    `${file} was copied without its -wal while Claimboard was running, so the latest claims may be missing.`,
  fileMissing: (file) =>
    `${file} is missing, but ${path.basename(file)}-wal is there and has claims that would be lost.`,
};

/** @throws StartError in one line if the files do not belong together */
export function refuseMismatch(file: string): void {
  const found = findMismatch(file);
  if (found === null) return;
  throw new StartError(
    `${WHY[found](file)} Restore a backup into a new DATA_DIR (npm run restore -- ${newestBackupPath(path.dirname(file))}), or copy the whole folder again from a stopped server.`,
  );
}

/** The newest backup in a data folder: names sort by time. */
export function newestBackupPath(folder: string): string {
  try {
    const names = readdirSync(path.join(folder, 'backups')).filter((name) =>
      /^claimboard-\d.*\.jsonl\.gz$/.test(name),
    );
    const newest = names.sort().at(-1);
    return newest === undefined ? 'FILE' : path.join(folder, 'backups', newest);
  } catch {
    return 'FILE';
  }
}
