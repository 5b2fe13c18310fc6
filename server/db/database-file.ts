import { type ChildProcess, fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { statfs } from 'node:fs/promises';
import path from 'node:path';
import type { Logger } from 'pino';
import { DomainError } from '../../shared/errors.ts';
import type { StorageProblem } from '../../shared/schemas/health.ts';
import { childEnvironment } from './child-environment.ts';
import { damageOf, RETRY_AFTER_S, StartError, sqliteCode } from './errors.ts';

/** Windows has no such modes. */
const HAS_MODES = process.platform !== 'win32';
const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;
/** Other files we create in the data folder. */
const OWN_FILES =
  /^(claimboard\.sqlite.*|server\.lock.*|reserve|catalogue|backups|\.gitignore|\.DS_Store)$/;

/** Creates a folder and its missing parents, readable only by their user. Node's `recursive` never returns below /proc. */
export function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  makeFolder(path.dirname(folder));
  try {
    mkdirSync(folder, { mode: FOLDER_MODE });
  } catch (error) {
    if (!existsSync(folder)) throw error;
  }
}

/**
 * Creates the data folder, readable only by its user: keys are in it. If it contains other files, its mode stays, because their users may
 * need it; our own files are private anyway.
 */
export function privateFolder(folder: string, log: Logger): void {
  makeFolder(folder);
  if (!HAS_MODES || (statSync(folder).mode & 0o077) === 0) return;
  const others = readdirSync(folder).find((name) => !OWN_FILES.test(name));
  if (others === undefined && tighten(folder, FOLDER_MODE)) return;
  log.warn(
    { folder },
    'other users of this machine can read the data folder: give Claimboard a folder of its own',
  );
}

/**
 * Creates a file that only its user may read, or makes an existing one so.
 * @throws StartError if it belongs to another user, who could not read what this one writes beside it
 */
export function privateFile(file: string): void {
  const found = statSync(file, { throwIfNoEntry: false });
  // Don't open an existing file: closing it would release the locks that this process holds on it.
  if (!found) closeSync(openSync(file, 'wx', FILE_MODE));
  if (!found || !HAS_MODES) return;
  if (found.uid !== process.geteuid?.()) {
    throw new StartError(
      `${file} belongs to another user (number ${found.uid}). Run Claimboard as that user, or give the file to this one.`,
    );
  }
  if ((found.mode & 0o077) !== 0) tighten(file, FILE_MODE);
}

/** Returns false if the file system has no modes, as on a memory stick. */
function tighten(path: string, mode: number): boolean {
  try {
    chmodSync(path, mode);
    return true;
  } catch {
    return false;
  }
}

/** SQLite needs about 50 kB in the data folder to open a database, even for reading. */
const RESERVE_BYTES = 256 * 1024;
const BLOCK_BYTES = 4_096;

const reserveOf = (folder: string): string => path.join(folder, 'reserve');

/** Takes disk space for the next start, up to `RESERVE_BYTES`: on a full disk it can then still open the database. */
export function keepReserve(folder: string): void {
  const file = reserveOf(folder);
  if (existsSync(file)) return;
  try {
    const handle = openSync(file, 'wx', FILE_MODE);
    try {
      // Random, because some file systems store no zeros. In blocks, because the disk may have room for some of them.
      for (let at = 0; at < RESERVE_BYTES; at += BLOCK_BYTES)
        writeSync(handle, randomBytes(BLOCK_BYTES));
    } finally {
      closeSync(handle);
    }
  } catch {
    // A full or read-only disk: the file monitor reports it.
  }
}

/** @returns whether that made room */
function freeReserve(folder: string): boolean {
  try {
    rmSync(reserveOf(folder));
    return true;
  } catch {
    return false;
  }
}

/** Opens a database with a reserve; on a disk that is too full for it, without one. */
export function openWithReserve<T>(folder: string, open: () => T): T {
  try {
    const opened = open();
    keepReserve(folder);
    return opened;
  } catch (error) {
    // Most of these codes say only that a file beside the database could not be made.
    const mayBeFull = /^SQLITE_(FULL|IOERR|CANTOPEN)/.test(sqliteCode(error));
    if (!mayBeFull || !freeReserve(folder)) throw error;
    return open();
  }
}

/** How often the file is checked, in milliseconds. */
const CHECK_EVERY_MS = 5_000;
/** Check the integrity this long after the start, in milliseconds, when reconnecting clients have been served. */
const INTEGRITY_CHECK_AFTER_MS = 2_000;
/** Less free space than this is a problem, in bytes; on a small disk less than this share of it. */
const FREE_BYTES = 50_000_000;
const FREE_SHARE = 0.05;

const CHECKER = new URL('check-file.ts', import.meta.url);

/** The message of the process of `check-file.ts`. */
export type FileCheck = { found: string; error?: undefined } | { found?: undefined; error: string };

/** Watches the database file from outside: SQLite itself keeps writing to a file that was deleted or replaced. */
export interface FileMonitor {
  /** @returns what is wrong with the file or its disk now; null: nothing */
  findProblem: () => Promise<StorageProblem | null>;
  /** @throws DomainError server.storageLost if the file is no longer the one that was opened; server.storageDamaged */
  assertWritable: () => void;
  /**
   * Checks the whole file once, in a process of its own. A damaged file is not written to any more.
   * @returns a function that stops it
   */
  checkIntegrity: () => () => void;
  /** Logs each new problem and each recovery. @returns a function that stops it */
  start: () => () => void;
}

export interface FileMonitorOptions {
  everyMs?: number;
  /** Free and total bytes of the disk with this folder. */
  space?: (folder: string) => Promise<{ free: number; total: number }>;
  /** The program that checks the file. */
  checker?: URL;
  /** Called every `everyMs` while the file may be written. */
  checkpoint?: () => void;
}

/** For PostgreSQL, which watches its own files. */
export const noFileMonitor: FileMonitor = {
  findProblem: async () => null,
  assertWritable: () => {},
  checkIntegrity: () => () => {},
  start: () => () => {},
};

/** @param file the open database file: it and its write-ahead log must stay the files that they are now */
export function createFileMonitor(
  file: string,
  log: Logger,
  {
    everyMs = CHECK_EVERY_MS,
    space = spaceOf,
    checker = CHECKER,
    checkpoint = () => {},
  }: FileMonitorOptions = {},
): FileMonitor {
  const opened = [file, `${file}-wal`]
    .map((each) => ({ path: each, identity: identityOf(each) }))
    .filter(({ identity }) => identity !== null);
  const isSameFile = (): boolean =>
    opened.every(({ path, identity }) => identityOf(path) === identity);

  let isDamaged = false;

  const findProblem = async (): Promise<StorageProblem | null> => {
    if (!isSameFile()) return 'server.storageLost';
    if (isDamaged) return 'server.storageDamaged';
    if (!isWritable(file)) return 'server.storageReadOnly';
    const { free, total } = await space(path.dirname(file));
    return isFullDisk({ free, total }) ? 'server.storageFull' : null;
  };

  return {
    findProblem,
    assertWritable: () => {
      if (!isSameFile()) throw new DomainError('server.storageLost', { seconds: RETRY_AFTER_S });
      if (isDamaged) throw new DomainError('server.storageDamaged', { seconds: RETRY_AFTER_S });
    },
    checkIntegrity: () => {
      let child: ChildProcess | null = null;
      let isDone = false;
      const failed = (error: unknown): void => {
        if (!isDone) log.error({ err: error, file }, 'the database file could not be checked');
        isDone = true;
      };
      const timer = setTimeout(() => {
        child = fork(checker, [file], { execArgv: [], env: childEnvironment() });
        child.on('message', ({ found, error }: FileCheck) => {
          if (error !== undefined) return failed(error);
          isDone = true;
          if (found === 'ok') return;
          isDamaged = true;
          log.error({ found, file }, damageOf(file));
        });
        child.on('error', failed);
        // After all of its messages, unlike `exit`.
        child.on('close', (code, killedBy) =>
          failed(new Error(`the check ended with ${code ?? killedBy}`)),
        );
      }, INTEGRITY_CHECK_AFTER_MS);
      return () => {
        clearTimeout(timer);
        isDone = true;
        child?.kill('SIGKILL');
      };
    },
    start: () => {
      let last: StorageProblem | null = null;
      const timer = setInterval(async () => {
        const problem = await findProblem().catch((): StorageProblem => 'server.storageLost');
        if (problem === null || problem === 'server.storageFull') checkpoint();
        if (problem === last) return;
        last = problem;
        if (problem) log.error({ problem, file }, 'the database file has a problem');
        else log.info({ file }, 'the database file is OK again');
      }, everyMs);
      return () => clearInterval(timer);
    },
  };
}

/** Whether a disk has so little free space, in bytes, that a write may fail. */
export const isFullDisk = ({ free, total }: { free: number; total: number }): boolean =>
  free < Math.min(FREE_BYTES, total * FREE_SHARE);

/** The device and inode of a file; null if it does not exist. */
function identityOf(file: string): string | null {
  try {
    const { dev, ino } = statSync(file, { bigint: true });
    return `${dev}.${ino}`;
  } catch {
    return null;
  }
}

function isWritable(file: string): boolean {
  try {
    for (const each of [file, path.dirname(file)]) accessSync(each, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** Free and total bytes of the disk with a folder. */
async function spaceOf(folder: string): Promise<{ free: number; total: number }> {
  const { bavail, blocks, bsize } = await statfs(folder);
  return { free: bavail * bsize, total: blocks * bsize };
}
